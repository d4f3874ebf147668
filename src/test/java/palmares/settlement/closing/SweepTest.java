package palmares.settlement.closing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOrigin;
import palmares.period.DuePeriods;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** However long nobody looked, a sweep finds all that is due, and nothing that is not. */
@WorldTest
class SweepTest {
  private static final Instant PAST = Instant.parse("2024-02-29T12:00:00Z");
  private static final String PAST_DAY = "2024-02-29";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Sweep sweep;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Periods periods;
  @Autowired private ImportRuns imports;

  @Test
  void afterADowntimeEveryPeriodExistsWithoutGaps() {
    Board board = world.board(Rules.day().with("zone: America/Santiago"));
    sweep.prepare();
    world.pass(Duration.ofDays(400));
    sweep.prepare();
    sweep.prepare();
    assertThat(records.number("select count(*) from period where board = ?", board.id().value()))
        .isEqualTo(402);
    assertThat(
            records.words(
                """
                select name from (
                  select name, ends_at, lead(starts_at) over (order by starts_at) as next
                  from period
                ) as row
                where next <> ends_at
                """))
        .isEmpty();
  }

  @Test
  void repeatedSweepsCreateOnlyOnePeriodAhead() {
    world.board(Rules.day());
    for (int sweeps = 0; sweeps < 5; sweeps++) {
      sweep.prepare();
    }
    assertThat(records.words("select name from period order by name"))
        .containsExactly("2026-11-20", "2026-11-21");
  }

  @Test
  void anEditedFileTakesEffectFromTheNextPeriodWhoseRowExists() {
    Board board = world.board(Rules.day());
    sweep.prepare();
    world.edit(board, Rules.day().with("grace: 1h").with("actions: { like: 7 }"));
    sweep.prepare();
    Period present = world.period(board, "2026-11-20");
    Period next = world.period(board, "2026-11-21");
    assertThat(present.closesAt()).isEqualTo("2026-11-21T00:10:00Z");
    assertThat(next.closesAt()).isEqualTo("2026-11-22T01:00:00Z");
    world.now(next.slot().startsAt());
    assertThat(world.take(Fact.by("ann")).boards().get(0).points()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPeriodWithUnreadableRulesDelaysNoOther(boolean hasLiveBoard) {
    Period stale = world.open(world.board(Rules.day()));
    servers.sql(
        """
        insert into definition (hash, source, first_used_at)
        values (repeat('0', 64), 'rules of another version', now())
        """);
    servers.sql("update period set definition_hash = repeat('0', 64)");
    if (hasLiveBoard) {
      String meta = LiveKeys.of(stale).name("meta");
      servers.redis(
          redis -> redis.hashCommands().hSet(meta.getBytes(UTF_8), new byte[1], new byte[1]));
    }
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.take(Fact.by("ann").to(board));
    world.due(day);

    List<ClosingResult> closed = world.sweep();

    assertThat(closed)
        .filteredOn(each -> each.outcome() == Status.SETTLED)
        .extracting(each -> each.period().id())
        .containsExactly(day.id());
  }

  @Test
  void aSweepSettlesAllThatIsDueInOrderOfTheEnds() {
    Board board = world.board(Contest.rules());
    sweep.prepare();
    world.take(Contest.facts());
    world.pass(Duration.ofDays(3));
    List<ClosingResult> closed = world.sweep();
    assertThat(closed.stream().map(ClosingResult::outcome)).containsOnly(Status.SETTLED);
    assertThat(closed.stream().map(each -> each.period().name().value()))
        .containsExactly("2026-11-20", "2026-11-21", "2026-11-22");
    assertThat(records.paid(world.period(board, "2026-11-20"))).isEqualTo(Contest.PAID);
    assertThat(sweep.run()).isEmpty();
  }

  @Test
  void periodsOfARunningImportAreNotClosed() {
    Board board = world.board(Rules.day());
    var run = imports.begin("a file", "local:test");
    world.take(List.of(Fact.by("ann").at(PAST)), new EventOrigin.History(run));
    Period old = world.period(board, PAST_DAY);
    assertThat(duePeriods.due()).isEmpty();
    assertThat(duePeriods.dueOnDemand()).isEmpty();

    world.pass(Duration.ofSeconds(30));
    assertThat(duePeriods.due()).as("silent, but not ended").isEmpty();
    assertThat(duePeriods.dueOnDemand()).as("silent").isEmpty();
    assertThat(duePeriods.dueWithStoppedImports()).as("silent").containsExactly(old.id());
    imports.beat(run);
    assertThat(duePeriods.dueWithStoppedImports()).as("alive again").isEmpty();
    imports.end(run, imports.now());
    assertThat(duePeriods.due()).as("ended").containsExactly(old.id());
  }

  @Test
  void anImportThatRunsAgainTakesItsPeriodsOver() {
    Board board = world.board(Rules.day());
    Fact old = Fact.by("ann").at(PAST);
    var killed = imports.begin("a file", "local:test");
    world.take(List.of(old), new EventOrigin.History(killed));
    var second = imports.begin("a file", "local:test");
    world.take(List.of(old, old.again()), new EventOrigin.History(second));
    Period period = world.period(board, PAST_DAY);
    periods.assign(second, period.id()); // As its own process does, which has not opened it.
    Instant end = imports.now();
    assertThat(imports.isAnotherUncertain(second, end)).isTrue();
    world.pass(Duration.ofSeconds(10));
    assertThat(imports.isAnotherUncertain(second, end)).as("the first is silent").isFalse();
    imports.end(second, end);
    assertThat(duePeriods.due()).containsExactly(period.id());
    world.settle(period);
    assertThat(records.number("select points from standing")).isEqualTo(2);
  }

  @Test
  void nobodyWaitsForAnImportThatHasStoppedBeforeItsEnd() {
    var stopped = imports.begin("a file", "local:test");
    var second = imports.begin("another file", "local:test");
    assertThat(imports.isAnotherUncertain(second, imports.now())).isTrue();
    imports.stop(stopped);
    assertThat(imports.isAnotherUncertain(second, imports.now())).isFalse();
  }

  @Test
  void theImportThatEndsFirstLeavesItsPeriodsToTheOther() {
    Board board = world.board(Rules.day());
    var first = imports.begin("a file", "local:test");
    var second = imports.begin("another file", "local:test");
    world.take(List.of(Fact.by("ann").at(PAST)), new EventOrigin.History(second));
    Instant end = imports.now();
    assertThat(imports.isAnotherUncertain(second, end)).isTrue();
    world.pass(Duration.ofSeconds(3));
    imports.beat(first);
    assertThat(imports.isAnotherUncertain(second, end)).isFalse();
    imports.end(second, end);
    assertThat(duePeriods.due()).isEmpty();
    imports.end(first, imports.now());
    assertThat(duePeriods.due()).containsExactly(world.period(board, PAST_DAY).id());
  }
}
