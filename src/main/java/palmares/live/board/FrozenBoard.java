package palmares.live.board;

import io.lettuce.core.ScoredValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedBoards.AdoptionRefused;
import palmares.period.Period;
import palmares.platform.redis.KeyScan;
import palmares.rules.board.Board;
import palmares.rules.board.Layout;
import palmares.rules.board.MemberScore;

/** Reads sealed boards page by page. Their places are stable, because nothing changes them. */
@Component
public class FrozenBoard {
  private static final Pattern WHOLE = Pattern.compile("(-?\\d{1,18})(\\.0+)?");

  private final KeyScan scan;

  FrozenBoard(KeyScan scan) {
    this.scan = scan;
  }

  /**
   * Returns lines in their order, the best first; those of an adopted board by score alone.
   *
   * @param from the first place, from 0
   * @param count the largest number of lines
   * @param unranked the members who have no rank by an exclusion; an invalid score of theirs on an
   *     adopted board counts as no points
   */
  public List<MemberScore> fromTop(
      Period period, Board board, long from, int count, Set<String> unranked) {
    return board
        .kind()
        .map(
            () -> counted(period, board, from, count),
            adoption -> adopted(period, board, from, count, unranked));
  }

  private List<MemberScore> counted(Period period, Board board, long from, int count) {
    Layout layout = board.layout(period.slot());
    return scan.fromTop(LiveKeys.of(period).lines(), from, count).stream()
        .map(line -> layout.decode(LiveBoards.text(line.getValue()), line.getScore()))
        .toList();
  }

  /**
   * @throws AdoptionRefused if a line is invalid, although it was valid at the seal
   */
  private List<MemberScore> adopted(
      Period period, Board board, long from, int count, Set<String> unranked) {
    String key = AdoptedKeys.of(period, board).lines();
    var lines = new AdoptedLines(period, board, () -> unranked);
    var read =
        scan.fromTop(AdoptedKeys.bytes(key), from, count).stream()
            .flatMap(line -> lines.read(line.getValue(), line.getScore()).stream())
            .toList();
    lines.requireRead(key);
    return read;
  }

  /**
   * Says how many members hold that many points, by the program's count.
   *
   * @param members may be 0 or negative if the program counted wrongly
   */
  public record Count(long points, long members) {}

  /**
   * Passes on the counts of an adopted board with shared ranks; a count may be passed on twice.
   *
   * @throws AdoptionRefused if a field or a value is not a whole number
   */
  public void counts(Period period, Board board, Consumer<List<Count>> page) {
    String key = AdoptedKeys.of(period, board).sealedCounts();
    scan.hash(
        key,
        found -> {
          var counts = new ArrayList<Count>();
          found.forEach(
              (points, members) ->
                  counts.add(new Count(whole(period, key, points), whole(period, key, members))));
          page.accept(counts);
        });
  }

  /**
   * Passes on the points in the ZSET of an adopted board with shared ranks.
   *
   * @throws AdoptionRefused if an entry is not a whole number, or differs from its score
   */
  public void scores(Period period, Board board, Consumer<List<Long>> page) {
    String key = AdoptedKeys.of(period, board).sealedScores();
    scan.zset(
        key, found -> page.accept(found.stream().map(line -> score(period, key, line)).toList()));
  }

  private static long score(Period period, String key, ScoredValue<byte[]> line) {
    long named = whole(period, key, line.getValue());
    if (named != line.getScore()) {
      throw new AdoptionRefused(
          period, new AdoptionSentences.OtherScore(key, named, Double.toString(line.getScore())));
    }
    return named;
  }

  private static long whole(Period period, String key, byte[] number) {
    var whole = WHOLE.matcher(new String(number, StandardCharsets.UTF_8));
    if (!whole.matches()) {
      throw new AdoptionRefused(
          period, new AdoptionSentences.NotWholeIn(key, AdoptedLines.shown(number)));
    }
    return Long.parseLong(whole.group(1));
  }
}
