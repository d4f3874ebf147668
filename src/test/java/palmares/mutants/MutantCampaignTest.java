package palmares.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.mutants.Campaign.Result;
import palmares.mutants.Campaign.Verdict;

/**
 * Changes of one line in scripts, statements and laws of the database are noticed by the tests
 * about them. The suite plants a sample; {@code -Dtests.mutants=all} plants every mutant, and
 * {@code -Dtests.mutants=leases,laws} those of areas. A campaign that was stopped goes on; delete
 * {@code target/mutants.tsv} to begin again.
 */
class MutantCampaignTest {
  private static final Path JOURNAL = Path.of("target", "mutants.tsv");

  /** A mutant of each kind of file, and a test that catches it. */
  private static final Map<String, String> SAMPLE =
      Map.of(
          "apply_events.lua: elseif occurred < starts or occurred >= ends"
              + " => elseif occurred < starts or occurred > ends",
          "palmares.live.board.OneCallLawTest#theScriptTakesNoEventOfTheEndOfItsPeriod",
          "held-ties.sql: or by_rank.credits <> coalesce(due.credits, 0)))"
              + " => or (by_rank.credits <> coalesce(due.credits, 0) and false)))",
          "palmares.settlement.reward.PrizeEdgesTest"
              + "#aTieWithAMemberWhoMayNotWinIsLeftToAPersonToo",
          "Leases.java: where id = :id and fence = :fence and lease_owner is not null"
              + " => where id = :id and (fence = :fence or true) and lease_owner is not null",
          "palmares.settlement.closing.OwnersTest"
              + "#aFormerOwnerNeitherHoldsNorRenewsTheLeaseOfThePresentOne",
          "R__laws.sql: perform pg_advisory_lock(key); => null;",
          "palmares.period.exclusion.ExclusionLawsTest"
              + "#aFreezeWaitsForAnExclusionThatIsBeingMade");

  @TempDir private Path folder;

  @Test
  void aSampleIsCaught() {
    var results = new ArrayList<Result>();
    try (var campaign = new Campaign(folder.resolve("sample.tsv"), Map.of())) {
      SAMPLE.forEach(
          (key, test) -> {
            List<Mutant> mutants =
                Area.all().filter(mutant -> mutant.key().endsWith("/" + key)).toList();
            assertThat(mutants).as(key).hasSize(1);
            results.addAll(campaign.run(mutants, List.of(test)));
          });
    }
    assertThat(results).allMatch(result -> result.verdict() == Verdict.CAUGHT);
  }

  @Test
  void everyMutantIsCaughtOrExplained() {
    List<String> asked = List.of(System.getProperty("tests.mutants", "").split(","));
    Map<String, String> explained = Explanations.read(key -> true);
    var open = new ArrayList<Result>();
    try (var campaign = new Campaign(JOURNAL, explained)) {
      Stream.of(Area.values())
          .filter(area -> asked.contains("all") || asked.contains(area.word()))
          .sorted(Comparator.comparing(area -> asked.indexOf(area.word())))
          .forEach(
              area -> {
                List<Result> results = campaign.run(area.mutants(), area.tests());
                Reliability.write(area.title(), results, explained);
                results.stream()
                    .filter(result -> Reliability.isOpen(result, explained))
                    .forEach(open::add);
              });
    }
    assertThat(open).isEmpty();
  }

  @Test
  void everyExplanationIsOfAMutant() {
    Stream<String> mutants = Area.all().map(Mutant::key);
    assertThat(mutants).containsAll(Explanations.read(key -> !RulesMutantsTest.isOf(key)).keySet());
  }

  @Test
  void aCampaignThatCannotRunATestFails() {
    Mutant any = Area.LEASES.mutants().get(0);
    try (var campaign = new Campaign(folder.resolve("journal.tsv"), Map.of())) {
      assertThatThrownBy(() -> campaign.run(List.of(any), List.of("palmares.testing.World")))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no test of palmares.testing.World was run");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          and a.n < b.n               | and (a.n < b.n or true); and a.n <= b.n
          where id = :id for update   | where (id = :id or true) for update; where id = :id
          order by n desc             | order by n asc
          perform pg_advisory_lock(k);| null;
          and note = ' < and '        | and (note = ' < and ' or true)
          -- and n < 3                |
          """)
  void anOperatorChangesWhatItFinds(String line, String expected) {
    assertThat(Operators.changes(line, "", false))
        .containsExactlyInAnyOrderElementsOf(
            Stream.ofNullable(expected).flatMap(all -> Stream.of(all.split("; "))).toList());
  }

  @Test
  void aConditionThatGoesOnInTheNextLineIsLeft() {
    assertThat(Operators.changes("and (old.a, old.b)", "is distinct from (new.a, new.b)", false))
        .isEmpty();
  }

  @Test
  void aStatementIsChangedWithTheTextsThatItHasInPlaceOfNames() {
    Mutant mutant =
        Area.LEASES.mutants().stream()
            .filter(change -> change.after().startsWith("where (id = :id or true) and fence"))
            .findFirst()
            .orElseThrow();
    String statement =
        """
        update period
        set lease_owner = null, lease_until = null
        where id = ? and fence = ?
        """;
    assertThat(StatementChange.of(mutant).changed(statement))
        .contains(statement.replace("id = ?", "(id = ? or true)"));
  }
}
