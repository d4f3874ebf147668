package palmares.cli.terminal;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Ends a command with what happened, to which object, and what to do; without a stack trace. */
public final class UserError extends RuntimeException implements Saying {
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
  private final transient Sentence said;

  private UserError(int exitCode, boolean usage, Sentence said, @Nullable Throwable cause) {
    super(null, cause);
    this.exitCode = exitCode;
    this.usage = usage;
    this.said = said;
  }

  /** Rejects options or arguments that do not go together; the message refers to the help. */
  public static UserError badUsage(Sentence said) {
    return new UserError(BAD_INPUT, true, said, null);
  }

  /** Rejects input that names something unknown or impossible. */
  public static UserError badInput(Sentence said) {
    return new UserError(BAD_INPUT, false, said, null);
  }

  public static UserError badInput(Sentence said, Throwable cause) {
    return new UserError(BAD_INPUT, false, said, cause);
  }

  public static UserError failed(Sentence said) {
    return new UserError(FAILED, false, said, null);
  }

  public static UserError failed(Sentence said, Throwable cause) {
    return new UserError(FAILED, false, said, cause);
  }

  /** Reports that a server cannot be reached or used; the message names the setting to correct. */
  public static UserError unreachable(Sentence said, Throwable cause) {
    return new UserError(UNREACHABLE, false, said, cause);
  }

  public int exitCode() {
    return exitCode;
  }

  /** Whether the command's help says how it is done right. */
  public boolean isUsage() {
    return usage;
  }

  @Override
  public Sentence said() {
    return said;
  }

  /** Returns the sentence in English. */
  @Override
  public String getMessage() {
    return Texts.english(said);
  }
}
