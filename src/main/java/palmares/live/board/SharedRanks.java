package palmares.live.board;

import io.lettuce.core.ScoredValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.platform.redis.KeyScan;
import palmares.rules.board.Board;

/** What the second and the third key of a sealed board of shared ranks say. */
@Component
public class SharedRanks {
  private static final Pattern WHOLE = Pattern.compile("(-?\\d{1,18})(\\.0+)?");

  private final KeyScan pages;

  SharedRanks(KeyScan pages) {
    this.pages = pages;
  }

  /**
   * So many members hold so many points.
   *
   * @param members negative or 0 where the program's own count came to that
   */
  public record Count(long points, long members) {}

  /**
   * The hash of counts, page by page; one may come twice.
   *
   * @throws Unadoptable if any part of it is no whole number
   */
  public void counts(Period period, Board board, Consumer<List<Count>> page) {
    String key = AdoptedKeys.of(period, board).sealedCounts();
    pages.hash(
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
   * The points that stand in the ZSET, page by page.
   *
   * @throws Unadoptable if any of them is no whole number, or stands at another score
   */
  public void scores(Period period, Board board, Consumer<List<Long>> page) {
    String key = AdoptedKeys.of(period, board).sealedScores();
    pages.zset(
        key, found -> page.accept(found.stream().map(line -> score(period, key, line)).toList()));
  }

  private static long score(Period period, String key, ScoredValue<byte[]> line) {
    long named = whole(period, key, line.getValue());
    if (named != line.getScore()) {
      throw new Unadoptable(
          period, "in %s %d stands at the score %s".formatted(key, named, line.getScore()));
    }
    return named;
  }

  private static long whole(Period period, String key, byte[] number) {
    var whole = WHOLE.matcher(new String(number, StandardCharsets.UTF_8));
    if (!whole.matches()) {
      throw new Unadoptable(
          period, "in %s '%s' is no whole number".formatted(key, AdoptedLines.shown(number)));
    }
    return Long.parseLong(whole.group(1));
  }
}
