package palmares.operations.lateevents;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberScore;
import palmares.rules.boardfiles.BoardFiles;
import palmares.testing.Rules;

/** A late event changes a line as it would have changed the live board. */
class LineCorrectionTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  @ParameterizedTest
  @CsvSource({"-1, 5", "0, 7", "1, 7"})
  void ofTwoValuesOfOneTimeTheLateOneIsTheLatest(long millisAfterTheOneHeld, long points) {
    var board =
        BoardFiles.parse(
            new BoardId("latest"),
            Rules.day()
                .with("clock: event")
                .with("scoring: latest")
                .with("actions:\n  run: {}")
                .text());
    var held = new MemberScore("ann", 5, 0, 0, NOON);
    var late = new Correction(1, "ann", "late", 7, 0, NOON.plusMillis(millisAfterTheOneHeld));
    assertThat(LineCorrection.of(board, 1).apply(held, late).points()).isEqualTo(points);
  }
}
