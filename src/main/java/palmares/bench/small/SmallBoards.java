package palmares.bench.small;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import palmares.board.BoardId;
import palmares.catalogue.BoardFile;

/**
 * Boards whose days all end at the same midnight.
 *
 * @param count how many; from 1 to {@link #MOST}
 */
public record SmallBoards(int count) {
  /** More than a name has digits for is refused. */
  public static final int MOST = 99_999;

  /** The day that is closed first. */
  static final LocalDate FIRST_DAY = LocalDate.of(2026, 11, 20);

  static final String ACTION = "play";

  private static final String RULES =
      """
      title: One of many small boards
      period: day
      zone: UTC
      actions:
        play: { points: 1, max-quantity: 1000 }
      max-points: 1000000
      ranks: competition
      rewards:
        - { rule: podium, ranks: { 1: 100, 2: 50, 3: 25 } }
        - { rule: each-play, per: play, credits: 1 }
      """;

  public SmallBoards {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(
          "%d boards are not within 1 and %d".formatted(count, MOST));
    }
  }

  /** Their files. */
  public List<BoardFile> files() {
    return ids().stream().map(id -> new BoardFile(id + ".yml", RULES)).toList();
  }

  List<BoardId> ids() {
    return IntStream.rangeClosed(1, count)
        .mapToObj(n -> new BoardId(String.format(Locale.ROOT, "small-%05d", n)))
        .toList();
  }
}
