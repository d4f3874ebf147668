package palmares.live.board;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;

/**
 * Queries live boards. Each answer is read atomically, in O(log n) for each line, or O(log n · log
 * e) if e members are excluded. Lists hold ranked members only; hidden members are not on the
 * board.
 *
 * <p>Every answer is empty if the live board does not exist. If it is being rebuilt or torn, every
 * method throws {@link LiveBoardUnavailable}; but see {@link #readingTorn}.
 */
@Component
public class LiveQueries {
  private final RedisClient redis;
  private final Clock clock;
  private final boolean readsTorn;

  @Autowired
  LiveQueries(RedisClient redis, Clock clock) {
    this(redis, clock, false);
  }

  private LiveQueries(RedisClient redis, Clock clock, boolean readsTorn) {
    this.redis = redis;
    this.clock = clock;
    this.readsTorn = readsTorn;
  }

  /** Returns queries that read a sealed board although it is torn, for people who inspect it. */
  public LiveQueries readingTorn() {
    return new LiveQueries(redis, clock, true);
  }

  public Optional<LivePage.Version> version(Period period) {
    return Optional.of(ask(LiveScripts.QUERY_MEMBERS, period, RankMethod.UNIQUE))
        .filter(answer -> !answer.isEmpty())
        .map(Answer::version);
  }

  /**
   * Returns the best lines.
   *
   * @param count the largest number of lines; at least 1
   */
  public Optional<LivePage> top(Period period, Board board, int count) {
    return page(period, board, "place", "0", count + "");
  }

  /**
   * Returns the lines from a rank on, or from the next worse rank that a member has.
   *
   * @param rank at least 1
   */
  public Optional<LivePage> fromRank(Period period, Board board, long rank, int count) {
    return page(period, board, "rank", rank + "", count + "");
  }

  /** Returns the lines after a position, which need not hold a line any more. */
  public Optional<LivePage> after(
      Period period, Board board, LivePage.Position position, int count) {
    return page(period, board, "after", position.score(), position.entry(), count + "");
  }

  /**
   * Returns a member's line and its neighbours, or its line alone if it has no rank; a page without
   * lines if the member is not on the board.
   *
   * @param neighbours the largest number of lines before it, and of lines after it
   */
  public Optional<LivePage> around(Period period, Board board, MemberId member, int neighbours) {
    return page(period, board, "around", member.value(), neighbours + "", neighbours + "");
  }

  /**
   * Returns the line that a member must beat for a rank; a page without lines if the board has
   * fewer ranks.
   *
   * @param rank at least 1
   */
  public Optional<LivePage> holding(Period period, Board board, long rank) {
    return board.ranks() == RankMethod.DENSE
        ? fromRank(period, board, rank, 1)
        : page(period, board, "place", (rank - 1) + "", "1");
  }

  /** Returns the lines of those members who are on the board, in its order, ranked ones first. */
  public Optional<LivePage> find(Period period, Board board, List<MemberId> members) {
    String[] asked = members.stream().map(MemberId::value).toArray(String[]::new);
    List<byte[]> answer = ask(LiveScripts.QUERY_MEMBERS, period, board.ranks(), asked);
    return answer.isEmpty()
        ? Optional.empty()
        : Optional.of(new Answer(answer, board, period, clock).singles());
  }

  private Optional<LivePage> page(Period period, Board board, String... where) {
    List<byte[]> answer = ask(LiveScripts.QUERY_PAGE, period, board.ranks(), where);
    return answer.isEmpty()
        ? Optional.empty()
        : Optional.of(new Answer(answer, board, period, clock).neighbours());
  }

  private List<byte[]> ask(LuaScript script, Period period, RankMethod ranks, String... asked) {
    LiveKeys keys = LiveKeys.of(period);
    String[] arguments =
        Stream.concat(Stream.of(ranks.word(), readsTorn ? "torn" : ""), Stream.of(asked))
            .toArray(String[]::new);
    List<byte[]> answer = redis.run(script, ScriptCall.on(keys.all()).with(arguments));
    String state = answer.isEmpty() ? "" : LiveBoards.text(answer.get(0));
    if (state.equals(Halt.TORN.word())) {
      throw LiveBoardUnavailable.halted(keys, Halt.TORN);
    }
    if (LiveRebuild.isRebuilding(state)) {
      throw LiveBoardUnavailable.rebuilding(keys);
    }
    return answer;
  }

  /** Decodes the answers of {@code query_page.lua} and {@code query_members.lua}. */
  private static final class Answer {
    private static final int HEAD_FIELDS = 6;
    private static final int LINE_FIELDS = 5;

    private final List<byte[]> answer;
    private final Layout layout;
    private final RankMethod ranks;
    private final Clock clock;

    Answer(List<byte[]> answer, Board board, Period period, Clock clock) {
      this.answer = answer;
      this.clock = clock;
      this.layout = board.layout(period.slot());
      this.ranks = board.ranks();
    }

    static LivePage.Version version(List<byte[]> answer) {
      return new LivePage.Version(
          LiveBoards.text(answer.get(0)).equals("sealed"),
          number(answer, 1),
          number(answer, 2),
          LiveBoards.text(answer.get(4)));
    }

    /** Returns lines each of which follows the one before. */
    LivePage neighbours() {
      var lines = new ArrayList<LiveLine>();
      for (int i = HEAD_FIELDS + 3; i < answer.size(); i += 2) {
        lines.add(
            lines.isEmpty()
                ? line(
                    number(answer, HEAD_FIELDS),
                    number(answer, HEAD_FIELDS + 1),
                    number(answer, HEAD_FIELDS + 2),
                    i)
                : below(lines.get(lines.size() - 1), i));
      }
      return page(lines);
    }

    /** Returns lines that need not follow each other. */
    LivePage singles() {
      var lines = new ArrayList<LiveLine>();
      for (int i = HEAD_FIELDS; i < answer.size(); i += LINE_FIELDS) {
        lines.add(line(number(answer, i), number(answer, i + 1), number(answer, i + 2), i + 3));
      }
      lines.sort(Comparator.comparing(LiveLine::ranked).reversed().thenComparing(LiveLine::place));
      return page(lines);
    }

    private LivePage page(List<LiveLine> lines) {
      int end = answer.size();
      return new LivePage(
          version(answer),
          readAt(),
          number(answer, 3),
          List.copyOf(lines),
          lines.isEmpty()
              ? null
              : new LivePage.Position(
                  LiveBoards.text(answer.get(end - 1)), LiveBoards.text(answer.get(end - 2))));
    }

    /** By the clock of Redis, which a sandbox does not go by. */
    private Instant readAt() {
      return SettableClock.movedTime(clock)
          .map(time -> time.truncatedTo(ChronoUnit.MICROS))
          .orElseGet(() -> Instant.EPOCH.plus(number(answer, HEAD_FIELDS - 1), ChronoUnit.MICROS));
    }

    /**
     * @param place counted from 0
     * @param ahead how many members are ahead of it
     * @param ranked how many ranks are before the line's; -1 if it has none
     * @param at the index of its entry and score in the answer
     */
    private LiveLine line(long place, long ahead, long ranked, int at) {
      return new LiveLine(
          place + 1, ranked + 1, ahead, layout.decode(LiveBoards.text(answer.get(at)), score(at)));
    }

    private LiveLine below(LiveLine above, int at) {
      boolean tied = layout.level(score(at)) == layout.level(score(at - 2));
      if (tied && ranks != RankMethod.UNIQUE) {
        return line(above.place(), above.ahead(), above.rank() - 1, at);
      }
      long ranked = ranks == RankMethod.DENSE ? above.rank() : above.place();
      return line(above.place(), above.place(), ranked, at);
    }

    private double score(int at) {
      return Double.parseDouble(LiveBoards.text(answer.get(at + 1)));
    }

    private static long number(List<byte[]> answer, int at) {
      return Long.parseLong(LiveBoards.text(answer.get(at)));
    }
  }
}
