package palmares.cli.terminal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Ends a command with one line and no stack trace. The message says what happened, to which object,
 * and what to do.
 */
public final class UserError extends RuntimeException {
  /** Exit code of a command that failed. */
  public static final int FAILED = 1;

  /** Exit code of bad usage or bad input: nothing was changed. */
  public static final int BAD_INPUT = 2;

  /** Exit code of a command that paid nothing, because a person must approve it first. */
  public static final int HELD = 3;

  /** Exit code of a command whose PostgreSQL, Redis or server cannot be reached or used. */
  public static final int UNREACHABLE = 4;

  private final int exitCode;
  private final boolean usage;

  private UserError(int exitCode, boolean usage, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
    this.usage = usage;
  }

  /** Rejects options or arguments that do not go together; the message refers to the help. */
  public static UserError badUsage(String message) {
    return new UserError(BAD_INPUT, true, message, null);
  }

  /** Rejects input that names something unknown or impossible. */
  public static UserError badInput(String message) {
    return new UserError(BAD_INPUT, false, message, null);
  }

  public static UserError badInput(String message, Throwable cause) {
    return new UserError(BAD_INPUT, false, message, cause);
  }

  /** As {@link #badUsage(String)}, with a formatted message. */
  public static UserError badUsage(String format, @Nullable Object... arguments) {
    return badUsage(String.format(Locale.ROOT, format, arguments));
  }

  /** As {@link #badInput(String)}, with a formatted message. */
  public static UserError badInput(String format, @Nullable Object... arguments) {
    return badInput(String.format(Locale.ROOT, format, arguments));
  }

  /** Reports a failure with a formatted message. */
  public static UserError failed(String format, @Nullable Object... arguments) {
    return failed(String.format(Locale.ROOT, format, arguments));
  }

  public static UserError failed(String message) {
    return new UserError(FAILED, false, message, null);
  }

  public static UserError failed(String message, Throwable cause) {
    return new UserError(FAILED, false, message, cause);
  }

  /** Reports that a server cannot be reached or used; the message names the setting to correct. */
  public static UserError unreachable(String message, Throwable cause) {
    return new UserError(UNREACHABLE, false, message, cause);
  }

  public int exitCode() {
    return exitCode;
  }

  /** Whether the command's help says how it is done right. */
  public boolean isUsage() {
    return usage;
  }
}
