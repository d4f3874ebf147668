package palmares.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.AmendmentResource.AmendRequest;
import palmares.api.ops.AmendmentResource.Assumptions;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Option;

/** The options that say what an amendment changes. */
final class AmendmentOptions {
  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Award by the ranks, rewards and payout of this board file; nothing else in it may"
              + " differ.")
  private @Nullable Path rules;

  @Option(
      names = "--points",
      paramLabel = "MEMBER=N",
      description = "Correct a member's points; may be repeated.")
  private Map<String, Long> points = new LinkedHashMap<>();

  @Option(
      names = "--ties",
      paramLabel = "HOW",
      description =
          "How ties are paid that the rules hold for a decision: each, share or order (default: as"
              + " decided before).")
  private @Nullable String ties;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many changes to show (default: 20).")
  private int top;

  /** Whether the call changes what an amendment computes. */
  boolean isGiven() {
    return rules != null || !points.isEmpty() || ties != null;
  }

  /** The amendment that is requested. */
  AmendRequest order(String reason) {
    return new AmendRequest(reason, rules(), points, ties, top());
  }

  /** The same as a question. */
  Assumptions assumptions(List<String> without) {
    return new Assumptions(rules(), points, ties, top(), without);
  }

  /**
   * Checks the options before anything starts.
   *
   * @throws UserError if one is wrong
   */
  void check() {
    top();
    rules();
  }

  private int top() {
    Arguments.atLeast(1, "--top", top);
    return top;
  }

  private @Nullable String rules() {
    return rules == null ? null : Arguments.content(rules);
  }
}
