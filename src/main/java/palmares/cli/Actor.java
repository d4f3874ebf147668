package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.UserError;
import palmares.settlement.outcome.Revision.Decision;
import picocli.CommandLine.Option;

/** Who does something that changes what is paid or shown, and why: kept for ever. */
final class Actor {
  private static final int LONGEST = 500;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why, in your own words: kept for ever.")
  private String reason = "";

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Who does it (default: the user of this shell).")
  private @Nullable String by;

  String reason() {
    return checked("--reason", reason);
  }

  String by() {
    return name(by);
  }

  /** A person's name: what the rules approve is never a person's word. */
  static String name(@Nullable String by) {
    String said = checked("--by", by == null ? self() : by);
    if (said.equalsIgnoreCase(Decision.RULES)) {
      throw UserError.badInput("--by is a person's name, not '%s'".formatted(Decision.RULES));
    }
    return said;
  }

  /** The user of this shell. */
  static String self() {
    return System.getProperty("user.name", "somebody");
  }

  /** What an option says, if it is a text that can be kept. */
  static String checked(String option, String text) {
    String said = text.strip();
    if (said.isEmpty() || said.length() > LONGEST || said.indexOf('\0') >= 0) {
      throw UserError.badInput(
          "%s is a text of 1 to %d characters: say it again".formatted(option, LONGEST));
    }
    return said;
  }
}
