package palmares.api.reader.lines;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import palmares.live.board.LiveLine;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale;

/**
 * Reads the lines of a period that is not settled from its live board.
 *
 * @param rules the rules that the period was opened under
 * @param absent returns a page if Redis does not have the live board, or throws
 */
record LiveBoard(
    LiveQueries live, Period period, Board rules, LineProfiles profiles, Supplier<LivePage> absent)
    implements PeriodBoard {

  @Override
  public Version version() {
    return version(live.version(period).orElseGet(() -> absent.get().version()));
  }

  @Override
  public Section top(int count) {
    return section(live.top(period, rules, count));
  }

  @Override
  public Section fromRank(long rank, int count) {
    return section(live.fromRank(period, rules, rank, count));
  }

  @Override
  public Section after(Cursor cursor, int count) {
    return section(live.after(period, rules, cursor.onLiveBoard(), count));
  }

  @Override
  public Section around(MemberId member, int neighbours) {
    return section(live.around(period, rules, member, neighbours));
  }

  @Override
  public Section find(List<MemberId> members) {
    return section(live.find(period, rules, members));
  }

  @Override
  public Optional<Standing> member(MemberId member) {
    LivePage page = live.find(period, rules, List.of(member)).orElseGet(absent);
    return page.lines().stream()
        .findFirst()
        .map(
            line ->
                new Standing(
                    version(page.version()),
                    page.asOf(),
                    page.members(),
                    view(List.of(line)).get(0),
                    line.ranked() ? line.ahead() : null));
  }

  @Override
  public Section holding(long rank) {
    return section(live.holding(period, rules, rank));
  }

  @Override
  public @Nullable Long needed(Section holding) {
    Scale scale = rules.scale();
    if (holding.lines().isEmpty()) {
      return scale.scoring().fewestWin() ? scale.maxPoints() : 0;
    }
    LineView holder = holding.lines().get(0);
    long needed = equalIsEnough(holder) ? holder.points() : holder.points() + better(scale);
    return needed < 0 || needed > scale.maxPoints() ? null : needed;
  }

  /** A new member is placed below equal lines, but has their rank if the board shares ranks. */
  private boolean equalIsEnough(LineView holder) {
    Scale scale = rules.scale();
    boolean worstKey =
        holder.thenBy() == null || holder.thenBy() == (scale.fewestThen() ? scale.maxThen() : 0);
    return rules.ranks() != RankMethod.UNIQUE && worstKey;
  }

  private static long better(Scale scale) {
    return scale.scoring().fewestWin() ? -1 : 1;
  }

  private Section section(Optional<LivePage> found) {
    LivePage page = found.orElseGet(absent);
    return new Section(
        version(page.version()),
        page.asOf(),
        page.members(),
        view(page.lines()),
        page.end() == null ? null : new Cursor(period.id().value(), page.end()));
  }

  private List<LineView> view(List<LiveLine> lines) {
    return profiles.addTo(lines.stream().map(line -> LineView.of(line, rules.scale())).toList());
  }

  private Version version(LivePage.Version live) {
    String word = live.sealed() ? "sealed" : "open";
    return profiles.version(
        live.sealed(),
        "%s-%s-%s-%s".formatted(word, live.events(), live.points(), live.exclusions()));
  }
}
