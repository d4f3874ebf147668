package palmares.cli.terminal;

/** What is wrong, where, and what to do: ends a command with one line and no stack trace. */
public final class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** It did not come out right. */
  public static final int FAILED = 1;

  /** Bad usage or bad input: nothing was changed. */
  public static final int BAD_INPUT = 2;

  private final int exitCode;

  private UserError(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  private UserError(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Whoever called asked for something that cannot be. */
  public static UserError badInput(String message) {
    return new UserError(BAD_INPUT, message);
  }

  public static UserError failed(String message) {
    return new UserError(FAILED, message);
  }

  public static UserError failed(String message, Throwable cause) {
    return new UserError(FAILED, message, cause);
  }

  public int exitCode() {
    return exitCode;
  }
}
