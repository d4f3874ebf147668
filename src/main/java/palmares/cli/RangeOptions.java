package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource.BatchRequest;
import picocli.CommandLine.Option;

/** The options that select many periods. */
final class RangeOptions extends StartRange {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only periods in this state, or 'failed' for those whose last closing failed.")
  private @Nullable String state;

  @Option(
      names = "--cause",
      paramLabel = "CODE",
      description =
          "Only periods whose last closing failed for this cause, whose code 'palmares inbox'"
              + " shows.")
  private @Nullable String cause;

  @Option(
      names = "--all",
      description = "The periods of all boards, instead of those of one BOARD.")
  private boolean all;

  @Override
  boolean isGiven() {
    return super.isGiven() || state != null || cause != null || all;
  }

  /**
   * The act on the periods of the range.
   *
   * @param verb close or restart
   * @param board null with {@code --all}
   */
  BatchRequest order(String verb, @Nullable String board, String reason) {
    return new BatchRequest(reason, verb, null, board, all, from(), to(), state, cause);
  }
}
