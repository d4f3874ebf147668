package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.UserError;
import palmares.settlement.outcome.Revision.Decision;
import picocli.CommandLine.Option;

/** The person who changes what is paid or shown, and the reason. The audit log keeps both. */
final class Actor {
  private static final int MAX_CHARACTERS = 500;

  static final String WHO = "The person who does it (default: the user of this shell).";

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "The reason, for the audit log.")
  private String reason = "";

  @Option(names = "--by", paramLabel = "NAME", description = WHO)
  private @Nullable String by;

  String reason() {
    return checked("--reason", reason);
  }

  String by() {
    return name(by);
  }

  /**
   * Checks a person's name.
   *
   * @param by null for the user of this shell
   * @throws UserError if it is the name under which rules approve
   */
  static String name(@Nullable String by) {
    String name = checked("--by", by == null ? self() : by);
    if (name.equalsIgnoreCase(Decision.RULES)) {
      throw UserError.badInput("--by is a person's name, not '%s'", Decision.RULES);
    }
    return name;
  }

  /** The user of this shell. */
  static String self() {
    return System.getProperty("user.name", "somebody");
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
