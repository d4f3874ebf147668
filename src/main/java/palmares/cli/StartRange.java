package palmares.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select periods by their start. */
class StartRange {
  @Option(
      names = "--from",
      paramLabel = "DATE",
      description =
          "Periods that start on that day or later, in the board's zone, or in UTC for all boards;"
              + " or from a time such as 2026-11-20T10:00:00Z.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "DATE",
      description = "Periods that start before that day, or that time.")
  private @Nullable String to;

  /** Whether the call selects a range. */
  boolean isGiven() {
    return from != null || to != null;
  }

  @Nullable String from() {
    return from;
  }

  @Nullable String to() {
    return to;
  }
}
