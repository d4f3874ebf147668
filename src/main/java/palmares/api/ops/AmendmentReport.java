package palmares.api.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.RevisionDifferences;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.reward.HeldTie;

/** Describes what an amendment changes. */
final class AmendmentReport {
  private static final OutputTable<MemberDifference> DIFFERENCES =
      new OutputTable<MemberDifference>()
          .text("member", MemberDifference::member)
          .number("rank_before", MemberDifference::rankBefore)
          .number("rank_after", MemberDifference::rankAfter)
          .number("points_before", MemberDifference::pointsBefore)
          .number("points_after", MemberDifference::pointsAfter)
          .text("currency", MemberDifference::currency)
          .number("awarded_before", MemberDifference::before)
          .number("awarded_after", MemberDifference::after)
          .text("tier_before", MemberDifference::tierBefore)
          .text("tier_after", MemberDifference::tierAfter);

  private AmendmentReport() {}

  /**
   * The lines of the report.
   *
   * @param top how many changed members to show
   */
  static List<String> of(Amendment amendment, int top) {
    RevisionDifferences differences = amendment.differences();
    var lines = new ArrayList<String>();
    lines.add(
        "%s of %s compared with revision %d: %s rise, %s fall, %s %s in all"
            .formatted(
                amendment.revision().awaitsDecision()
                    ? "revision " + amendment.revision().number()
                    : "a dry run",
                amendment.period().label(),
                Objects.requireNonNull(amendment.revision().base()),
                DisplayFormat.number(differences.risen()),
                DisplayFormat.number(differences.fallen()),
                DisplayFormat.number(differences.changed()),
                differences.changed() == 1 ? "member changes" : "members change"));
    List<MemberDifference> shown = differences.first().stream().limit(top).toList();
    if (!shown.isEmpty()) {
      lines.add(columns(shown).table(shown));
    }
    if (differences.first().size() > shown.size()) {
      lines.add("and more: --top N shows them");
    }
    lines.addAll(sums(differences, amendment.revision().owed()));
    amendment.ties().forEach(tie -> lines.add(tie(tie)));
    return lines;
  }

  /** What members get and owe by the differences, a sentence for each currency. */
  static List<String> sums(RevisionDifferences differences, OverpaymentPolicy owed) {
    return differences.sums().stream().map(sum -> sum(sum, overpayment(owed))).toList();
  }

  /** The differences, the largest first. */
  static Listing listing(RevisionDifferences differences) {
    return Listing.of(DIFFERENCES, "no differences", differences.first());
  }

  private static String overpayment(OverpaymentPolicy policy) {
    return switch (policy) {
      case TAKE -> ": taken from their accounts";
      case WRITE_OFF -> ": written off, they keep it";
      case DEBT -> ": they keep it, and owe it";
    };
  }

  /** A tie that the rules hold for a decision, in a sentence. */
  static String tie(HeldTie tie) {
    return "%s rank %d, where the rule '%s' holds ties for a decision: %s %s among %s%s"
        .formatted(
            tie.size() == 1
                ? "a member behind a tie has"
                : DisplayFormat.number(tie.size()) + " members share",
            tie.rank(),
            tie.rule(),
            DisplayFormat.number(tie.pool()),
            tie.currency(),
            TerminalText.of(String.join(", ", tie.members())),
            tie.size() > tie.members().size() ? " and others" : "");
  }

  private static String sum(RevisionDifferences.Sum sum, String overpayment) {
    return String.format(
        Locale.ROOT,
        "members get %,.0f %s more, and were awarded %,.0f too much%s",
        sum.gets(),
        sum.currency(),
        sum.owes(),
        sum.owes().signum() == 0 ? "" : overpayment);
  }

  private static OutputTable<MemberDifference> columns(List<MemberDifference> changes) {
    var columns =
        new OutputTable<MemberDifference>()
            .text("member", MemberDifference::member)
            .number("rank", change -> pair(change.rankBefore(), change.rankAfter()))
            .number("points", change -> pair(change.pointsBefore(), change.pointsAfter()))
            .number("awarded", change -> pair(change.before(), change.after()))
            .text("", MemberDifference::currency)
            .number("difference", AmendmentReport::difference);
    return changes.stream().allMatch(change -> tier(change).isEmpty())
        ? columns
        : columns.text("tier", AmendmentReport::tier);
  }

  private static String difference(MemberDifference change) {
    return change.after() == change.before()
        ? ""
        : String.format(Locale.ROOT, "%+,d", change.after() - change.before());
  }

  /** The tier that the member moved to and the one that it moves to; empty if it never moves. */
  private static String tier(MemberDifference change) {
    String before = Objects.requireNonNullElse(change.tierBefore(), "stays");
    String after = Objects.requireNonNullElse(change.tierAfter(), "stays");
    return before.equals(after)
        ? Objects.requireNonNullElse(change.tierAfter(), "")
        : before + " > " + after;
  }

  private static String pair(@Nullable Long before, @Nullable Long after) {
    return Objects.equals(before, after) ? cell(after) : cell(before) + " > " + cell(after);
  }

  private static String cell(@Nullable Long number) {
    return number == null ? "none" : DisplayFormat.number(number);
  }
}
