package palmares.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultJournalTest {
  @TempDir private Path folder;

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(
        folder.resolve("page.md"), "| fault | runs |\n|---|---|\n| storm | 1 | a row |\n\nend\n");
  }

  private FaultJournal journal(String fault, long seed) {
    return new FaultJournal(folder.resolve("runs.tsv"), folder.resolve("page.md"), fault, seed);
  }

  private String row(String fault) throws IOException {
    return Files.readAllLines(folder.resolve("page.md")).stream()
        .filter(line -> line.startsWith("| " + fault + " |"))
        .reduce((one, other) -> one + other)
        .orElse("none");
  }

  @Test
  void aCampaignGoesOnWhereItWasStoppedAndItsRowIsOfAllItsRuns() throws IOException {
    journal("rain", 7).note("the\tfirst", 2, 30, FaultJournal.KEPT);
    FaultJournal later = journal("rain", 7);
    assertThat(later.isKept("the\tfirst")).isTrue();
    assertThat(later.isKept("second")).isFalse();
    later.note("second", 3, 40, FaultJournal.KEPT);
    assertThat(row("rain")).startsWith("| rain | 5 | 70 | 0 | ").endsWith(" | 7 |");
    assertThat(row("storm")).isEqualTo("| storm | 1 | a row |");
  }

  @Test
  void whatWasWrongIsInTheRowUntilTheRunIsKept() throws IOException {
    assertThatThrownBy(
            () ->
                journal("rain", 7)
                    .run(
                        "first",
                        1,
                        () -> {
                          throw new AssertionError("paid\ntwice");
                        }))
        .hasMessage("paid\ntwice");
    assertThat(row("rain")).startsWith("| rain | 1 | 0 | 1 | ");
    FaultJournal again = journal("rain", 7);
    assertThat(again.violations()).containsExactly("first: paid twice");
    assertThat(again.faults()).as("still wanted").isZero();
    again.run("first", 1, () -> 5);
    assertThat(row("rain")).startsWith("| rain | 1 | 5 | 0 | ");
    again.run(
        "first",
        1,
        () -> {
          throw new AssertionError("a run that was kept is not run");
        });
  }

  @Test
  void runsOfAnotherSeedOrFaultAreOthers() throws IOException {
    journal("rain", 7).note("first", 1, 10, FaultJournal.KEPT);
    assertThat(journal("rain", 8).isKept("first")).isFalse();
    assertThat(journal("snow", 7).isKept("first")).isFalse();
  }

  @Test
  void aRunWithoutAFaultIsNone() {
    FaultJournal journal = journal("rain", 7);
    assertThatThrownBy(() -> journal.note("first", 0, 10, FaultJournal.KEPT))
        .hasMessage("rain, first: no fault was injected");
    assertThat(journal.isKept("first")).isFalse();
  }

  @Test
  void aRoundThatFailsKeepsNoOtherFromBeingPlayed() throws IOException {
    FaultJournal journal = journal("rain", 7);
    assertThatThrownBy(
            () ->
                journal.rounds(
                    5,
                    2,
                    (faults, seed) -> {
                      assertThat(seed).as("seed").isNotEqualTo(9);
                      return 10L * faults;
                    }))
        .hasMessageContaining("rain, seed 7: [2 faults from 2: [seed]");
    assertThat(row("rain")).startsWith("| rain | 5 | 30 | 1 | ");
    journal.rounds(5, 2, (faults, seed) -> seed);
    assertThat(row("rain")).startsWith("| rain | 5 | 39 | 0 | ");
  }
}
