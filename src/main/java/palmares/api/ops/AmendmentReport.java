package palmares.api.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.AmendmentSentences;
import palmares.operations.amendment.RevisionDifferences;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.platform.output.OutputTable;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.outcome.Revision;
import palmares.settlement.reward.HeldTie;

/** Describes what an amendment changes. */
final class AmendmentReport {
  private static final String STAYS = "stays";

  private static final OutputTable<MemberDifference> DIFFERENCES =
      OutputTable.of(MemberDifference.class);

  private AmendmentReport() {}

  /**
   * What changes, and for whom.
   *
   * @param top how many changed members to name
   */
  static List<Sentence> of(Amendment amendment, int top) {
    var said = new ArrayList<Sentence>();
    said.add(compared(amendment));
    List<MemberDifference> first = first(amendment, top);
    first.forEach(
        change -> said.add(new AmendmentSentences.Member(change.member(), changes(change))));
    said.addAll(rest(amendment, first));
    return said;
  }

  /** The same as a text for people, with the members in a table. */
  static String text(Amendment amendment, int top) {
    List<MemberDifference> first = first(amendment, top);
    var lines = new ArrayList<String>();
    lines.add(Texts.here().of(compared(amendment)));
    if (!first.isEmpty()) {
      lines.add(columns(first).table(first));
    }
    rest(amendment, first).forEach(said -> lines.add(Texts.here().of(said)));
    return String.join("\n", lines);
  }

  private static Sentence compared(Amendment amendment) {
    RevisionDifferences all = amendment.differences();
    Revision revision = amendment.revision();
    String period = amendment.period().label();
    int base = Objects.requireNonNull(revision.base());
    return revision.awaitsDecision()
        ? new AmendmentSentences.Compared(
            revision.number(), period, base, all.risen(), all.fallen(), all.changed())
        : new AmendmentSentences.DryRunCompared(
            period, base, all.risen(), all.fallen(), all.changed());
  }

  private static List<MemberDifference> first(Amendment amendment, int top) {
    return amendment.differences().first().stream().limit(top).toList();
  }

  private static List<Sentence> rest(Amendment amendment, List<MemberDifference> first) {
    var said = new ArrayList<Sentence>();
    long more =
        amendment.differences().changed()
            - first.stream().map(MemberDifference::member).distinct().count();
    if (more > 0) {
      said.add(new AmendmentSentences.MoreMembers(more));
    }
    said.addAll(sums(amendment.differences(), amendment.revision().owed()));
    amendment.ties().forEach(tie -> said.add(tie(tie)));
    return said;
  }

  private static List<Sentence> changes(MemberDifference change) {
    return Stream.of(
            changed(
                change.rankBefore(),
                change.rankAfter(),
                AmendmentSentences.Rank::new,
                AmendmentSentences.FirstRank::new,
                AmendmentSentences.NoRank::new),
            changed(
                change.pointsBefore(),
                change.pointsAfter(),
                AmendmentSentences.Points::new,
                AmendmentSentences.FirstPoints::new,
                AmendmentSentences.NoPoints::new),
            change.currency() == null || change.awardedBefore() == change.awardedAfter()
                ? null
                : new AmendmentSentences.Awarded(
                    change.awardedBefore(), change.awardedAfter(), change.currency()),
            Objects.equals(change.tierBefore(), change.tierAfter())
                ? null
                : new AmendmentSentences.Tier(
                    Objects.requireNonNullElse(change.tierBefore(), STAYS),
                    Objects.requireNonNullElse(change.tierAfter(), STAYS)))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Null if it is the same. */
  private static @Nullable Sentence changed(
      @Nullable Long before,
      @Nullable Long after,
      BiFunction<Long, Long, Sentence> moved,
      Function<Long, Sentence> first,
      Function<Long, Sentence> none) {
    if (Objects.equals(before, after)) {
      return null;
    }
    return before == null
        ? first.apply(Objects.requireNonNull(after))
        : after == null ? none.apply(before) : moved.apply(before, after);
  }

  /** What members get and owe by the differences, a sentence for each currency. */
  static List<Sentence> sums(RevisionDifferences differences, OverpaymentPolicy owed) {
    return differences.sums().stream()
        .<Sentence>map(
            sum ->
                sum.owes().signum() == 0
                    ? new AmendmentSentences.Sum(sum.gets(), sum.currency())
                    : new AmendmentSentences.SumWithOwed(
                        sum.gets(), sum.currency(), sum.owes(), owed))
        .toList();
  }

  /** The differences, the largest first. */
  static Rows<MemberDifference> listing(RevisionDifferences differences) {
    return Listing.of(DIFFERENCES, "differences", differences.first());
  }

  /** A tie that the rules hold for a decision. */
  static Sentence tie(HeldTie tie) {
    Sentence among =
        tie.size() == tie.members().size()
            ? new ListSentences.All(tie.members())
            : new ListSentences.First(tie.members(), tie.size() - tie.members().size());
    return tie.size() == 1
        ? new AmendmentSentences.BehindTie(
            tie.rank(), tie.rule(), tie.pool(), tie.currency(), among)
        : new AmendmentSentences.Tied(
            tie.size(), tie.rank(), tie.rule(), tie.pool(), tie.currency(), among);
  }

  private static OutputTable<MemberDifference> columns(List<MemberDifference> changes) {
    var columns =
        new OutputTable<MemberDifference>()
            .text("member", MemberDifference::member)
            .number("rank", change -> pair(change.rankBefore(), change.rankAfter()))
            .number("points", change -> pair(change.pointsBefore(), change.pointsAfter()))
            .number("awarded", change -> pair(change.awardedBefore(), change.awardedAfter()))
            .text("", MemberDifference::currency)
            .number("difference", AmendmentReport::difference);
    return changes.stream().allMatch(change -> tier(change).isEmpty())
        ? columns
        : columns.text("tier", AmendmentReport::tier);
  }

  private static String difference(MemberDifference change) {
    return change.awardedAfter() == change.awardedBefore()
        ? ""
        : String.format(Locale.ROOT, "%+,d", change.awardedAfter() - change.awardedBefore());
  }

  /** The tier that the member moved to and the one that it moves to; empty if it never moves. */
  private static String tier(MemberDifference change) {
    String before = Objects.requireNonNullElse(change.tierBefore(), STAYS);
    String after = Objects.requireNonNullElse(change.tierAfter(), STAYS);
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
