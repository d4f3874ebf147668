package palmares.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palmares.demo.Scenario.Frequency;
import palmares.rules.boardfiles.BoardFiles;

/** What the demo plays. */
class ScenarioTest {
  @Test
  void noSampleStaysEmpty() {
    Set<String> played =
        Stream.of(Scenario.COMMUNITY, Scenario.GAMES)
            .flatMap(List::stream)
            .map(Frequency::action)
            .collect(Collectors.toSet());
    assertThat(BoardFiles.readSamples().all())
        .hasSize(12)
        .allSatisfy(
            board ->
                assertThat(board.actions().keySet())
                    .as("%s", board.id())
                    .containsAnyElementsOf(played));
  }
}
