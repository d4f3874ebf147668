package palmares.rules.boardfiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Watch;

/** A board file says which moves of members become facts. */
class WatchFilesTest {
  private static Board read(String fields) {
    String file = "title: T\nperiod: day\nactions: { like: 1 }\nmax-points: 5000\n" + fields + "\n";
    return BoardFiles.read(List.of(new BoardFile("likes.yml", file)))
        .find(new BoardId("likes"))
        .orElseThrow();
  }

  @Test
  void aBoardWatchesTopsAndPointsInAscendingOrder() {
    assertThat(read("watch: { top: [100, 10], points: [1000, 50], passed: true }").watch())
        .isEqualTo(new Watch(List.of(10L, 100L), List.of(50L, 1000L), true));
    assertThat(read("watch: { top: [100, 10] }").watch())
        .isEqualTo(new Watch(List.of(10L, 100L), List.of(), false));
    assertThat(read("").watch()).isNull();
  }

  @Test
  void onlyTheWatchedPlacesAreRead() {
    assertThat(new Watch(List.of(10L, 100L), List.of(), true).places()).isEqualTo(100);
    assertThat(new Watch(List.of(10L), List.of(5L), false).places()).isEqualTo(1_000);
  }

  @Test
  void theDescriptionSaysWhatIsWatched() {
    Board board = read("watch: { top: [10], points: [50], passed: true }");
    assertThat(BoardDescription.rules(board, Locale.ENGLISH))
        .contains(
            new BoardDescription.Rule(
                "watches",
                List.of(
                    "who enters and leaves the top 10",
                    "who reaches 50 points",
                    "who is passed in the top 10")));
    assertThat(BoardDescription.rules(board, Locale.CHINESE))
        .anyMatch(rule -> rule.lines().contains("前 10 名中被超过的成员"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "watch: {} | names neither top nor points",
        "watch: { passed: true } | names neither top nor points",
        "watch: { points: [5], passed: true } | is allowed only with top",
        "watch: { top: [] } | is empty",
        "watch: { top: 10 } | must be a list of numbers of places",
        "watch: { top: [0] } | from 1 to 1000",
        "watch: { top: [1001] } | from 1 to 1000",
        "watch: { top: [10, 10] } | names 10 twice",
        "watch: { top: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] } | names 11 bounds, and may name 10",
        "watch: { points: [5001] } | of which a member can hold at most 5000",
        "watch: { points: [-1] } | from 1 to",
        "watch: { tops: [10] } | did you mean 'top'",
        "watch: true | watch",
      })
  void whatCannotBeWatchedIsRefused(String watch, String message) {
    assertThatThrownBy(() -> read(watch))
        .isInstanceOf(BoardFilesException.class)
        .hasMessageContaining(message);
  }

  @Test
  void anAdoptedBoardIsNotWatched() {
    String file =
        "title: T\nperiod: day\nadopt: { key: 'lb:{period}', encoding: points }\n"
            + "watch: { top: [10] }\n";
    assertThatThrownBy(() -> BoardFiles.read(List.of(new BoardFile("likes.yml", file))))
        .isInstanceOf(BoardFilesException.class)
        .hasMessageContaining("watch");
  }
}
