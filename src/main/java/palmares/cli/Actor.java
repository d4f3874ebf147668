package palmares.cli;

import palmares.api.security.Caller;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Option;

/** The person who changes what is paid or shown, and the reason. The audit log keeps both. */
final class Actor {
  private static final int MAX_CHARACTERS = 500;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "The reason, for the audit log.")
  private String reason = "";

  String reason() {
    return checked("--reason", reason);
  }

  /** The user of this shell, as {@code local:ann}. */
  static String by() {
    return Caller.get().name();
  }

  /**
   * Checks a text that is stored.
   *
   * @throws UserError if it cannot be stored
   */
  static String checked(String option, String text) {
    String stripped = text.strip();
    if (stripped.isEmpty() || stripped.length() > MAX_CHARACTERS || stripped.indexOf('\0') >= 0) {
      throw UserError.badInput(
          "%s is a text of 1 to %d characters without NUL", option, MAX_CHARACTERS);
    }
    return stripped;
  }
}
