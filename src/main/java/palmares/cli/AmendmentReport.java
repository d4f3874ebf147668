package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.ColumnData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.cli.output.Columns;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.RevisionDifferences;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.reward.HeldTie;

/** What an amendment changes, as people read it. */
final class AmendmentReport {
  private AmendmentReport() {}

  /**
   * The sheet's lines.
   *
   * @param top how many changes to show
   */
  static List<String> of(Amendment amendment, int top) {
    RevisionDifferences differences = amendment.differences();
    var lines = new ArrayList<String>();
    lines.add(
        "%s of %s beside revision %d: %s rise, %s fall, %s %s in all"
            .formatted(
                amendment.revision().awaitsDecision()
                    ? "revision " + amendment.revision().number()
                    : "what is supposed",
                amendment.period().label(),
                Objects.requireNonNull(amendment.revision().base()),
                DisplayFormat.number(differences.risen()),
                DisplayFormat.number(differences.fallen()),
                DisplayFormat.number(differences.changed()),
                differences.changed() == 1 ? "member changes" : "members change"));
    List<MemberDifference> shown = differences.first().stream().limit(top).toList();
    if (!shown.isEmpty()) {
      lines.add(table(shown));
    }
    if (differences.first().size() > shown.size()) {
      lines.add("and more: --top N shows them");
    }
    String fate = fate(amendment.revision().owed());
    differences.sums().forEach(sum -> lines.add(sum(sum, fate)));
    amendment.ties().forEach(tie -> lines.add(tie(tie)));
    return lines;
  }

  private static String fate(OverpaymentPolicy owed) {
    return switch (owed) {
      case TAKE -> ": taken from their accounts";
      case WRITE_OFF -> ": written off, they keep it";
      case DEBT -> ": they keep it, and owe it";
    };
  }

  static String tie(HeldTie tie) {
    return "%s rank %d, where the rule '%s' leaves ties to a person: %s %s among %s%s"
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

  private static String sum(RevisionDifferences.Sum sum, String fate) {
    return String.format(
        Locale.ROOT,
        "members get %,.0f %s more, and were awarded %,.0f too much%s",
        sum.gets(),
        sum.currency(),
        sum.owes(),
        sum.owes().signum() == 0 ? "" : fate);
  }

  private static String table(List<MemberDifference> changes) {
    var columns =
        new ArrayList<ColumnData<MemberDifference>>(
            List.of(
                Columns.whole("member")
                    .<MemberDifference>with(change -> TerminalText.of(change.member())),
                Columns.number("rank")
                    .with(change -> pair(change.rankBefore(), change.rankAfter())),
                Columns.number("points")
                    .with(change -> pair(change.pointsBefore(), change.pointsAfter())),
                Columns.number("awarded").with(change -> pair(change.before(), change.after())),
                Columns.whole("")
                    .with(change -> change.currency() == null ? "" : change.currency()),
                Columns.number("difference").with(AmendmentReport::difference)));
    if (changes.stream().anyMatch(change -> !tier(change).isEmpty())) {
      columns.add(Columns.whole("tier").with(AmendmentReport::tier));
    }
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(changes, columns)
        .asString();
  }

  private static String difference(MemberDifference change) {
    return change.after() == change.before()
        ? ""
        : String.format(Locale.ROOT, "%+,d", change.after() - change.before());
  }

  /** Where it went to and goes to; nothing if it is and was to stay. */
  private static String tier(MemberDifference change) {
    String before = Objects.requireNonNullElse(change.tierBefore(), "stays");
    String after = Objects.requireNonNullElse(change.tierAfter(), "stays");
    return before.equals(after)
        ? Objects.requireNonNullElse(change.tierAfter(), "")
        : before + " > " + after;
  }

  private static String pair(@Nullable Long before, @Nullable Long after) {
    return Objects.equals(before, after) ? shown(after) : shown(before) + " > " + shown(after);
  }

  private static String shown(@Nullable Long number) {
    return number == null ? "none" : DisplayFormat.number(number);
  }
}
