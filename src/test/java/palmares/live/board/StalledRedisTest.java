package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Sweep;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * If Redis executes a call but answers too late, no event is on a board without a mark in
 * PostgreSQL, and no event is lost unnoticed.
 */
@WorldTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StalledRedisTest {
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private World here;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private Elsewhere elsewhere;
  private World world;
  private Board board;
  private Period day;

  @BeforeAll
  void anotherProcess() throws IOException {
    elsewhere = Elsewhere.start(postgres, redis);
    // Loads the scripts, so that Redis runs them at the first call.
    for (LuaScript script : List.of(LiveScripts.CREATE_BOARD, LiveScripts.HALT_BOARD)) {
      servers.redis(connection -> connection.scriptingCommands().scriptLoad(script.text()));
    }
  }

  @AfterAll
  void stop() throws IOException {
    elsewhere.close();
  }

  @BeforeEach
  void aDay() {
    world = elsewhere.begin(here.now());
    board = world.board(Contest.rules());
    day = world.open(board);
  }

  @AfterEach
  void resume() {
    elsewhere.resumeRedis();
  }

  @Test
  void eventsAfterAStallOfTheFirstEventAreDrained() {
    stall(() -> world.take(Fact.by("ann")));
    assertThat(live()).containsExactly("new");
    assertThat(
            records.words(
                "select concat(live_intended_at is null, live_at is null) from period where id = ?",
                id(day)))
        .as("the intent is committed, and nothing else")
        .containsExactly("ft");

    assertThat(world.take(Fact.by("ann")).kind()).isEqualTo(Kind.APPLIED);

    assertThat(elsewhere.get(Periods.class).open()).extracting(Period::id).contains(day.id());
    assertThat(elsewhere.get(Journal.class).drain(day)).isEqualTo(1);
    assertThat(live()).containsExactly("open");
    servers.flush();
    assertThat(world.close(day).text()).contains("is gone from Redis", "nobody is paid");
  }

  @Test
  void eventsOfAnImportAfterAStallAreDrained() {
    var run = elsewhere.get(ImportRuns.class).begin("a file", "local:test");
    Instant yesterday = world.now().minusSeconds(86_400);
    Fact fact = Fact.by("ann").at(yesterday).to(board);
    stall(() -> world.take(List.of(fact), new EventOrigin.History(run)));

    assertThat(world.take(List.of(fact), new EventOrigin.History(run)).get(0).kind())
        .isEqualTo(Kind.APPLIED);

    Period before = world.period(board, "2026-11-19");
    assertThat(elsewhere.get(Periods.class).open()).extracting(Period::id).contains(before.id());
    ImportRuns imports = elsewhere.get(ImportRuns.class);
    imports.end(run, imports.now());
    servers.flush();
    assertThat(world.close(before).text()).contains("is gone from Redis", "nobody is paid");
  }

  @Test
  void committedEventsAreRelayedAndDrainedAfterAStallOfTheRelay() {
    Board safe = world.board(Rules.day().with("durability: committed"));
    Period committed = world.open(safe);
    elsewhere.stallRedis();
    Fact fact = Fact.by("ann").to(safe);
    assertThat(world.take(fact).kind()).isEqualTo(Kind.ACCEPTED);
    elsewhere.resumeRedis();

    world.settle(committed);

    assertThat(records.published(committed)).extracting("member").containsExactly("ann");
    assertThat(records.number("select count(live_at) from period where id = ?", id(committed)))
        .isEqualTo(1);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theSweepMarksAnUnmarkedBoardAndUpdatesItsExclusions() {
    world.take(Fact.by("ann"));
    world.take(Fact.by("bob"));
    servers.sql("update period set live_at = null");
    elsewhere
        .get(Exclusions.class)
        .exclude(
            new Terms(new MemberId("ann"), ExclusionLevel.HIDDEN, null, null, null),
            "cheats",
            "test");

    elsewhere.get(Sweep.class).prepare();

    assertThat(elsewhere.get(Periods.class).open()).extracting(Period::id).contains(day.id());
    assertThat(records.live(day)).extracting("member").containsExactly("bob");
  }

  @Test
  void theSweepMarksABoardThatAStallLeftUnmarked() {
    stall(() -> world.take(Fact.by("ann")));
    elsewhere.get(Sweep.class).prepare();
    assertThat(live()).containsExactly("open");
    assertThat(elsewhere.get(Periods.class).open()).extracting(Period::id).contains(day.id());
  }

  @Test
  void anUnmarkedBoardThatRedisLostSettlesEmpty() {
    stall(() -> world.take(Fact.by("ann")));
    servers.flush();
    world.settle(day);
    assertThat(records.published(day)).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void ifTheJournalHasEventsOfAMissingBoardNobodyIsPaid() {
    world.take(Fact.by("ann"));
    elsewhere.get(Journal.class).drain(day);
    servers.flush();
    servers.sql("update period set live_at = null");
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(closed.text()).contains("is gone from Redis", "nobody is paid");
  }

  @Test
  void aSealWithoutACommitStopsTheClosingIfRedisLosesTheBoard() {
    Board theirs =
        world.board(
            """
            title: Theirs
            period: day
            adopt: { key: 'lb:{period}', encoding: points }
            """);
    Period adopted = world.open(theirs);
    servers.redis(
        connection ->
            connection
                .zSetCommands()
                .zAdd("lb:2026-11-20".getBytes(UTF_8), 7, "ann".getBytes(UTF_8)));
    servers.sql("alter table period add constraint nothing_seals check (state <> 'sealed')");
    try {
      assertThat(world.close(adopted).text()).contains("nothing_seals");
    } finally {
      servers.sql("alter table period drop constraint nothing_seals");
    }
    servers.flush();
    assertThat(world.close(adopted).text()).contains("were seen, and are gone");
  }

  @Test
  void aHaltAfterAStallKeepsEventsThatOnlyTheBoardHas() {
    world.take(List.of(Fact.by("ann"), Fact.by("bob")));
    Rebuild rebuild = elsewhere.get(Rebuild.class);
    stall(() -> rebuild.run(day.id(), Present.REPLACE, null, () -> {}, done -> {}));
    servers.forgetEntry(day, 2);

    assertThatThrownBy(() -> rebuild.run(day.id(), Present.REPLACE, null, () -> {}, done -> {}))
        .hasMessageContaining("neither PostgreSQL nor the journal in Redis has event 2, which");
  }

  /** Runs work that times out although Redis executes it. */
  private void stall(Runnable work) {
    elsewhere.stallRedis();
    assertThatThrownBy(work::run).isInstanceOf(RedisUnavailable.class);
    elsewhere.resumeRedis();
  }

  /** The state of the day's live board. */
  private List<String> live() {
    return servers.redis(
        connection ->
            connection.hashCommands().hMGet(key("meta"), "state".getBytes(UTF_8)).stream()
                .map(state -> new String(state, UTF_8))
                .toList());
  }

  private byte[] key(String part) {
    return LiveKeys.of(day).name(part).getBytes(UTF_8);
  }

  private static long id(Period period) {
    return period.id().value();
  }
}
