package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource.BatchRequest;
import picocli.CommandLine.Option;

/** The options that select many periods. */
final class RangeOptions {
  @Option(
      names = "--from",
      paramLabel = "DATE",
      description =
          "All periods that start on that day or later, in the board's zone, or in UTC for all"
              + " boards; or from a time such as 2026-11-20T10:00:00Z.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "DATE",
      description = "All periods that start before that day, or that time.")
  private @Nullable String to;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only periods in this state, or 'failed' for those whose last closing failed.")
  private @Nullable String state;

  /** Whether the call selects a range. */
  boolean isGiven() {
    return from != null || to != null || state != null;
  }

  /**
   * The act on the periods of the range.
   *
   * @param verb close or restart
   * @param board null for all boards
   */
  BatchRequest order(String verb, @Nullable String board, String reason) {
    return new BatchRequest(reason, verb, null, board, from, to, state);
  }
}
