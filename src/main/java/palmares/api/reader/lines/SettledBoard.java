package palmares.api.reader.lines;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PalmaresReport;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;
import palmares.rules.board.RankMethod;

/**
 * A period that is settled: its lines are published, and change only with an amendment.
 *
 * @param rules what the period was opened under
 */
record SettledBoard(PalmaresReport published, Period period, Board rules) implements PeriodBoard {
  @Override
  public Version version() {
    return new Version(true, "settled-" + period.revision());
  }

  @Override
  public Section top(int count) {
    return from(1, count);
  }

  @Override
  public Section fromRank(long rank, int count) {
    return from(published.placeOf(period.board(), period.name(), rank), count);
  }

  @Override
  public Section after(Cursor cursor, int count) {
    MemberScore held = cursor.held(() -> rules.layout(period.slot()));
    FinalLine line =
        lines(List.of(new MemberId(held.member()))).stream()
            .findFirst()
            .filter(there -> cursor.isSettled() || stands(there, held))
            .orElseThrow(
                () ->
                    new ProblemException(
                        Problem.STALE_CURSOR,
                        "the line at which the cursor stood may have moved before %s was settled:"
                                .formatted(period.label())
                            + " begin anew"));
    return from(line.place() + 1, count);
  }

  /** Where arrivals break ties, a live line does not tell when it was reached: nobody can say. */
  private static boolean stands(FinalLine line, MemberScore held) {
    return line.points() == held.points()
        && line.thenBy() == held.thenBy()
        && Objects.equals(line.reachedAt(), held.reachedAt());
  }

  @Override
  public Section around(MemberId member, int neighbours) {
    return around(member, published.around(period.board(), period.name(), member, neighbours));
  }

  /** Who has no rank has no neighbours either. */
  private Section around(MemberId member, List<FinalLine> lines) {
    List<FinalLine> own =
        lines.stream()
            .filter(line -> line.rank() == null && line.member().equals(member.value()))
            .toList();
    return section(own.isEmpty() ? ranked(lines) : own);
  }

  @Override
  public Section find(List<MemberId> members) {
    return section(lines(members));
  }

  @Override
  public Optional<Standing> member(MemberId member) {
    return lines(List.of(member)).stream()
        .findFirst()
        .map(
            line ->
                new Standing(
                    version(), members(), LineView.of(line, rules.scale()), ahead(line.rank())));
  }

  private @Nullable Long ahead(@Nullable Long rank) {
    return rank == null ? null : published.placeOf(period.board(), period.name(), rank) - 1;
  }

  @Override
  public Section holding(long rank) {
    return rules.ranks() == RankMethod.DENSE ? fromRank(rank, 1) : from(rank, 1);
  }

  @Override
  public @Nullable Long needed(Section memberScore) {
    return null;
  }

  private Section from(long place, int count) {
    return section(ranked(published.from(period.board(), period.name(), place, count)));
  }

  private List<FinalLine> lines(List<MemberId> members) {
    return published.find(period.board(), period.name(), members);
  }

  /** Those without a rank stand behind all others. */
  private static List<FinalLine> ranked(List<FinalLine> lines) {
    return lines.stream().filter(line -> line.rank() != null).toList();
  }

  private long members() {
    return published.ranked(period.board(), period.name());
  }

  private Section section(List<FinalLine> lines) {
    return new Section(
        version(),
        members(),
        lines.stream().map(line -> LineView.of(line, rules.scale())).toList(),
        lines.isEmpty()
            ? null
            : Cursor.settled(period.id().value(), lines.get(lines.size() - 1).member()));
  }
}
