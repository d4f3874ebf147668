package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.JournalDump;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A PostgreSQL that goes back to an earlier state gets what Redis keeps again. */
@WorldTest
class DatabaseWentBackTest {
  private static final String ROWS =
      "select json_agg(e order by seq)::text from event e where period_id = ?";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private DrainRound round;
  @Autowired private JournalFaults faults;
  @Autowired private LiveJournal journal;
  @Autowired private Rebuild rebuild;

  @ParameterizedTest
  @ValueSource(strings = {"fast", "committed"})
  void eventsThatItForgotAreDrainedAgainAsTheyWere(String durability) {
    Period day = world.open(world.board(Contest.rules().with("durability: " + durability)));
    List<Fact> facts = Contest.facts();
    world.take(facts.subList(0, 3));
    drain();
    JournalDump earlier = JournalDump.of(records, day);
    world.take(facts.subList(3, 6));
    drain();
    world.take(facts.get(6));
    drain();
    List<String> rows = records.words(ROWS, day.id().value());

    earlier.restore(servers);
    world.take(facts.subList(7, facts.size()));
    drain();
    assertThat(faults.all()).isEmpty();
    assertThat(records.words(ROWS, day.id().value()).get(0))
        .as("the same rows under the same numbers")
        .startsWith(rows.get(0).substring(0, rows.get(0).length() - 1));
    facts.forEach(
        fact -> assertThat(world.take(fact).kind()).as("%s", fact).isEqualTo(Kind.DUPLICATE));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void itGetsThemAgainWhileNobodyWrites() {
    Period day = world.open(world.board(Rules.day()));
    JournalDump earlier = JournalDump.of(records, day);
    world.take(Fact.by("ann").on("a"));
    drain();
    earlier.restore(servers);
    drain();
    assertThat(records.words("select member from event")).containsExactly("ann");
    assertThat(field(day, "drained")).isEqualTo("1");
  }

  @Test
  void aRepeatThatWasCommittedInBetweenHasTheTimeOfTheFirst() {
    Period day = world.open(world.board(Contest.rules().with("durability: committed")));
    JournalDump earlier = JournalDump.of(records, day);
    Fact first = Contest.facts().get(0);
    world.take(first);
    drain();
    earlier.restore(servers);
    world.pass(Duration.ofSeconds(3));
    assertThat(world.take(first).kind()).isEqualTo(Kind.APPLIED);
    drain();
    assertThat(records.number("select count(*) from committed_event")).isEqualTo(1);
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void whatItForgetsRightAfterARebuildIsDrainedAgain() {
    Period day = world.open(world.board(Contest.rules()));
    List<Fact> facts = Contest.facts();
    world.take(facts.subList(0, 3));
    drain();
    JournalDump earlier = JournalDump.of(records, day);
    world.take(facts.subList(3, facts.size()));
    rebuild.run(day.id(), Present.REPLACE, null, () -> {}, done -> {});

    earlier.restore(servers);
    drain();

    assertThat(faults.all()).isEmpty();
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  /** The lags of failovers in quick succession do not add up. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatItGetsAgainIsKeptAsLongAsWhatIsNew(boolean goesBack) {
    Period day = world.open(world.board(Rules.day()));
    world.take(Fact.by("ann").on("a"));
    drain();
    JournalDump earlier = JournalDump.of(records, day);
    world.take(Fact.by("ann").on("b"));
    drain();
    if (goesBack) {
      earlier.restore(servers);
      drain();
    }

    String entry = records.words("select entry from journal_position").get(0);
    journal.trim(day, entry, 2, Duration.ZERO, 0);

    assertThat(journal.from(day, 1, 10)).hasSize(goesBack ? 2 : 1);
  }

  private void drain() {
    round.run(() -> true);
  }

  private String field(Period period, String name) {
    byte[] meta = LiveKeys.of(period).name("meta").getBytes(UTF_8);
    return new String(
        servers.redis(connection -> connection.hashCommands().hGet(meta, name.getBytes(UTF_8))),
        UTF_8);
  }
}
