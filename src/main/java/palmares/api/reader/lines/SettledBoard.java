package palmares.api.reader.lines;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PalmaresReport;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;
import palmares.rules.board.RankMethod;

/**
 * Reads the published lines of a settled period, which change only by an amendment.
 *
 * @param rules the rules that the period was opened under
 */
record SettledBoard(PalmaresReport published, Period period, Board rules, LineProfiles profiles)
    implements PeriodBoard {
  @Override
  public Version version() {
    return profiles.version(true, "settled-" + period.revision());
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
    MemberScore score = cursor.score(() -> rules.layout(period.slot()));
    FinalLine line =
        lines(List.of(new MemberId(score.member()))).stream()
            .findFirst()
            .filter(found -> cursor.isSettled() || hasScore(found, score))
            .orElseThrow(
                () ->
                    new Refusal(Problem.STALE_CURSOR, new LineSentences.LineMoved(period.label())));
    return from(line.place() + 1, count);
  }

  /** Never true where arrival breaks ties, as live lines do not contain their time there. */
  private static boolean hasScore(FinalLine line, MemberScore score) {
    return line.points() == score.points()
        && line.thenBy() == score.thenBy()
        && Objects.equals(line.reachedAt(), score.reachedAt());
  }

  @Override
  public Section around(MemberId member, int neighbours) {
    return around(member, published.around(period.board(), period.name(), member, neighbours));
  }

  /** Returns only the member's own line if it has no rank. */
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
                    version(), null, members(), view(List.of(line)).get(0), ahead(line.rank())));
  }

  private @Nullable Long ahead(@Nullable Long rank) {
    return rank == null ? null : published.placeOf(period.board(), period.name(), rank) - 1;
  }

  @Override
  public Section holding(long rank) {
    return rules.ranks() == RankMethod.DENSE ? fromRank(rank, 1) : from(rank, 1);
  }

  @Override
  public @Nullable Long needed(Section holding) {
    return null;
  }

  private Section from(long place, int count) {
    return section(ranked(published.from(period.board(), period.name(), place, count)));
  }

  private List<FinalLine> lines(List<MemberId> members) {
    return published.find(period.board(), period.name(), members);
  }

  private static List<FinalLine> ranked(List<FinalLine> lines) {
    return lines.stream().filter(line -> line.rank() != null).toList();
  }

  private long members() {
    return published.ranked(period.board(), period.name());
  }

  private List<LineView> view(List<FinalLine> lines) {
    return profiles.addTo(lines.stream().map(line -> LineView.of(line, rules.scale())).toList());
  }

  private Section section(List<FinalLine> lines) {
    return new Section(
        version(),
        null,
        members(),
        view(lines),
        lines.isEmpty()
            ? null
            : Cursor.settled(period.id().value(), lines.get(lines.size() - 1).member()));
  }
}
