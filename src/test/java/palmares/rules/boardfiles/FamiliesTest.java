package palmares.rules.boardfiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The boards of a family are consecutive tiers with the same periods. */
class FamiliesTest {
  private static BoardFile file(int n, String period, String family) {
    return new BoardFile(
        "b%d.yml".formatted(n),
        "title: T\nperiod: %s\nactions: { a: 1 }\nmax-points: 10\nfamily: { %s }\n"
            .formatted(period, family));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: f, tier: 2 | b1.yml: family.tier is 2, but the family f has no tier 1",
        "name: f, tier: 1 / name: f, tier: 1 | is 1, the same as of b1",
        "name: f, tier: 1 / name: f, tier: 3 | has no tier 2",
        "name: f, tier: 1, promote: 1 | there is no tier above the first",
        "name: f, tier: 1, relegate: 1 | there is no tier below 1",
        "name: f, tier: 1 / name: f, tier: 2, promote: 60%, relegate: 50% | more than all of them"
            + " together",
        "name: f, tier: 1 / name: f, tier: 2, promote: 0 | from 1 to",
        "name: f, tier: 1 / name: f, tier: 2, promote: 0% | above 0% and up to 100%",
        "name: f, tier: 0 | from 1 to",
        "name: f | tier is missing",
      })
  void anInconsistentFamilyIsRefused(String families, String message) {
    var files = new ArrayList<BoardFile>();
    for (String family : families.split(" / ")) {
      files.add(file(files.size() + 1, "day", family));
    }
    assertThatThrownBy(() -> BoardFiles.read(files))
        .isInstanceOf(BoardFilesException.class)
        .hasMessageContaining(message);
  }

  @Test
  void tiersWithDifferentPeriodsAreRefused() {
    assertThatThrownBy(
            () ->
                BoardFiles.read(
                    List.of(
                        file(1, "day", "name: f, tier: 1"), file(2, "week", "name: f, tier: 2"))))
        .hasMessageContaining(
            "b2.yml: family.name is f, the same as of b1, but their periods differ");
  }

  @Test
  void theNamesOfTheFilesDoNotMatter() {
    assertThat(
            BoardFiles.read(
                    List.of(
                        file(2, "day", "name: f, tier: 1, relegate: 10%"),
                        file(1, "day", "name: f, tier: 2, promote: 3")))
                .all())
        .hasSize(2);
  }
}
