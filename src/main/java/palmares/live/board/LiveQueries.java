package palmares.live.board;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;

/**
 * Questions to live boards. Each is answered in one look, so that no answer disagrees with itself,
 * and in O(log n) for each line, or O(log n · log e) where e members are excluded. Lists hold the
 * ranked only; who is hidden does not stand on the board. Every answer is empty if Redis holds no
 * such board; while one is made anew, nothing is told of it ({@link LiveBoardHeld}).
 */
@Component
public class LiveQueries {
  private final RedisClient redis;

  LiveQueries(RedisClient redis) {
    this.redis = redis;
  }

  /** What the board has come to, without a look at its lines. */
  public Optional<LiveVersion> version(Period period) {
    return Optional.of(ask(LiveScripts.FIND, period, "unique"))
        .filter(answer -> !answer.isEmpty())
        .map(LiveAnswer::version);
  }

  /**
   * The best lines.
   *
   * @param count how many at the most; at least 1
   */
  public Optional<LivePage> top(Period period, Board board, int count) {
    return page(period, board, "place", "0", count + "");
  }

  /**
   * The lines from a rank on: the first has that rank, or the next worse that somebody has.
   *
   * @param rank at least 1
   */
  public Optional<LivePage> fromRank(Period period, Board board, long rank, int count) {
    return page(period, board, "rank", rank + "", count + "");
  }

  /** The lines below a position, whether or not somebody stands there still. */
  public Optional<LivePage> after(Period period, Board board, LivePosition spot, int count) {
    return page(period, board, "after", spot.score(), spot.entry(), count + "");
  }

  /**
   * A member's line and its neighbours, or its line alone if it has no rank; a page without lines
   * if the member is not on the board.
   *
   * @param neighbours how many above and how many below, at the most
   */
  public Optional<LivePage> around(Period period, Board board, MemberId member, int neighbours) {
    return page(period, board, "around", member.value(), neighbours + "", neighbours + "");
  }

  /**
   * The line that decides who holds a rank: with a better one a member has the rank, or a better
   * one; without lines if the board has fewer ranks.
   *
   * @param rank at least 1
   */
  public Optional<LivePage> holding(Period period, Board board, long rank) {
    return board.ranks() == RankMethod.DENSE
        ? fromRank(period, board, rank, 1)
        : page(period, board, "place", (rank - 1) + "", "1");
  }

  /** The lines of those of the members who stand on the board, in its order, the ranked first. */
  public Optional<LivePage> find(Period period, Board board, List<MemberId> members) {
    String[] arguments =
        Stream.concat(Stream.of(board.ranks().word()), members.stream().map(MemberId::value))
            .toArray(String[]::new);
    List<byte[]> answer = ask(LiveScripts.FIND, period, arguments);
    return answer.isEmpty()
        ? Optional.empty()
        : Optional.of(new LiveAnswer(answer, board, period).singles());
  }

  private Optional<LivePage> page(Period period, Board board, String... where) {
    String[] arguments =
        Stream.concat(Stream.of(board.ranks().word()), Stream.of(where)).toArray(String[]::new);
    List<byte[]> answer = ask(LiveScripts.PAGE, period, arguments);
    return answer.isEmpty()
        ? Optional.empty()
        : Optional.of(new LiveAnswer(answer, board, period).neighbours());
  }

  private List<byte[]> ask(LuaScript script, Period period, String... arguments) {
    LiveKeys keys = LiveBoards.keys(period);
    List<byte[]> answer =
        redis.run(
            script,
            new ScriptCall(
                new byte[][] {
                  keys.meta(),
                  keys.lines(),
                  keys.levels(),
                  keys.places(),
                  keys.excluded(),
                  keys.excludedLines()
                },
                ScriptCall.arguments(arguments)));
    if (!answer.isEmpty() && LiveRebuild.isHalted(LiveBoards.text(answer.get(0)))) {
      throw LiveBoardHeld.rebuilding(keys);
    }
    return answer;
  }
}
