package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.JournalEntry;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveJournal.BoardProgress;
import palmares.live.board.LiveKeys;
import palmares.live.journal.Journal.Position;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Each decided event is stored in PostgreSQL once, although Redis keeps the last ones. */
@WorldTest
class JournalTest {
  private static final String WAITING_FOR_THE_POSITION =
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
          + " and query ~ 'from journal_position'";

  private static final String SMALL = "actions: { like: { points: 1, undo: true }, invite: 100 }";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private LiveJournal live;
  @Autowired private JournalFaults faults;
  @Autowired private TransactionTemplate transaction;
  @Autowired private StoredEvents stored;
  @Autowired private JdbcClient jdbc;

  @Test
  void drainedEntriesAreKeptAndUndecidedEventsAreNotJournaled() {
    Period day = world.open(world.board(Rules.day().with("max-points: 100").with(SMALL)));
    Fact like = Fact.by("ann").on("post");
    world.take(
        List.of(
            like,
            like,
            like.again(),
            like.undone(),
            like.undone(),
            Fact.by("bob").does("invite"),
            Fact.by("bob")));
    assertThat(journal.drain(day)).isEqualTo(5);
    assertThat(records.words("select outcome from event order by seq"))
        .containsExactly("applied", "repeated", "undone", "nothing-to-undo", "applied");
    assertThat(stream(day)).isPositive();
    assertThat(journal.drain(day)).isEqualTo(5);
  }

  /**
   * The planner knows nothing of a period that has just begun, and may take its events for a few.
   */
  @Test
  void aCommittedEventIsFoundByItsIdAlsoInAPeriodThatStatisticsDoNotKnow() {
    Board board = world.board(Rules.day().with("durability: committed"));
    Period known = world.open(board);
    world.pass(Duration.ofDays(1));
    Period day = world.open(board);
    int events = 2_000;
    int drained = 500;
    fill(known, events);
    jdbc.sql("analyze event, committed_event").update();
    fill(day, events);
    List<JournalEntry> entries =
        IntStream.rangeClosed(events - drained + 1, events).mapToObj(JournalTest::entry).toList();
    long read =
        transaction.execute(
            status -> {
              jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
              stored.restoreCommitted(day.id(), board, entries);
              return jdbc.sql(
                      """
                      select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
                      from pg_stat_xact_user_tables
                      where relname = 'committed_event'
                      """)
                  .query(Long.class)
                  .single();
            });
    assertThat(read).isBetween((long) drained, 4L * events);
    assertThat(records.number("select count(*) from committed_event")).isEqualTo(2L * events);
  }

  /** If the drain locked the events first, the two could deadlock. */
  @Test
  void theRelayWaitsUntilCommittedEventsAreRestored() {
    Board board = world.board(Rules.day().with("durability: committed"));
    Period day = world.open(board);
    fill(day, 1);
    jdbc.sql("insert into relay (period_id, committed) values (?, 1)")
        .param(day.id().value())
        .update();
    jdbc.sql("update committed_event set occurred_at = occurred_at - interval '1s'").update();
    CompletableFuture<Integer> relay =
        transaction.execute(
            status -> {
              stored.restoreCommitted(day.id(), board, List.of(entry(1)));
              var waiting = CompletableFuture.supplyAsync(() -> storePosition(day));
              await().until(() -> waiting.isDone() || records.number(WAITING_RELAY) > 0);
              assertThat(waiting).isNotDone();
              return waiting;
            });
    assertThat(relay.join()).isOne();
  }

  private static final String WAITING_RELAY =
      """
      select count(*) from pg_stat_activity
      where wait_event_type = 'Lock' and query like 'insert into relay_position%'
      """;

  /** Does what the relay begins with. */
  private int storePosition(Period period) {
    return jdbc.sql(
            """
            insert into relay_position (period_id, relayed) values (?, 1)
            on conflict (period_id) do update set relayed = excluded.relayed
            """)
        .param(period.id().value())
        .update();
  }

  private void fill(Period period, int events) {
    jdbc.sql(
            """
            with given as (
              select n, 'e-' || n as id, 'm' as member, 'like' as action, 1 as one, :now as now
              from generate_series(1, :events) n
            ), journaled as (
              insert into event (
                period_id, seq, id, member, action, outcome, quantity, points, occurred_at, digest)
              select :period, n, id, member, action, 'applied', one, one, now, 'd' from given
            )
            insert into committed_event (
              period_id, n, id, member, action, undo, quantity, worth, then_by, digest,
              occurred_at, committed_at)
            select :period, n, id, member, action, false, one, one, 0, 'd', now, now from given
            """)
        .param("period", period.id())
        .param("events", events)
        .param("now", world.now())
        .update();
  }

  private static JournalEntry entry(int seq) {
    String decision = "applied 1 1 %d d".formatted(World.START.getEpochSecond() * 1_000_000);
    return JournalEntry.of(
        seq,
        String.join("\037", "e-" + seq, "m", "like", "", "1", "", "0", decision).getBytes(UTF_8));
  }

  @Test
  void aPeriodThatIsClosedAfterItWasReadAsOpenIsNotForgotten() {
    Period read = world.open(world.board(Rules.day()));
    world.take(List.of(Fact.by("ann").on("post")));
    world.settle(read);
    List<Optional<BoardProgress>> boards = live.reach(List.of(read)).each();
    assertThat(boards.get(0).orElseThrow().closed()).isNotNull();
    faults.compare(List.of(read), Map.of(), boards);
    faults.report();
    assertThat(records.number("select count(*) from journal_fault")).isZero();
  }

  @Test
  void anEventIsStoredAsItWasSent() {
    Period day = world.open(world.board(Rules.day().with("clock: event")));
    Fact purse = Fact.by("e\u0301 \uD83D\uDE00").does("coin").on("'s\\").times(7);
    world.take(purse.at(World.START.minusNanos(7_000)));
    journal.drain(day);
    assertThat(
            records.words(
                """
                select concat_ws('|', id, member, action, subject, quantity, points,
                  to_char(occurred_at at time zone 'UTC', 'HH24:MI:SS.US'))
                from event
                """))
        .containsExactly(purse.id() + "|e\u0301 \uD83D\uDE00|coin|'s\\|7|7|09:59:59.999993");
  }

  @Test
  void concurrentDrainersAndWritersLoseAndRepeatNothing() throws Exception {
    int events = 3_000;
    Period day = world.open(world.board(Rules.day()));
    var threads = Executors.newFixedThreadPool(4);
    try {
      var working = new ArrayList<Future<?>>();
      working.add(threads.submit(() -> write(events)));
      for (int drainer = 0; drainer < 3; drainer++) {
        working.add(
            threads.submit(
                () -> {
                  while (journal.drain(day) < events) {
                    Thread.onSpinWait();
                  }
                }));
      }
      for (Future<?> work : working) {
        work.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(records.number("select count(distinct id) from event")).isEqualTo(events);
    world.settle(day);
  }

  /** What was read ends with the batch, and the live board has decided more. */
  @Test
  void aBatchThatAnotherDrainerStoredMeanwhileIsNoGap() throws Exception {
    int events = 6_000;
    Period day = world.open(world.board(Rules.day()));
    write(100);
    journal.drain(day);
    write(events - 100);
    CompletableFuture<Long> late =
        transaction.execute(
            status -> {
              journal.drainBatch(day);
              var waits = CompletableFuture.supplyAsync(() -> journal.drain(day));
              CompletableFuture.runAsync(() -> awaitLock(waits)).join();
              return waits;
            });
    assertThat(late.get()).isEqualTo(events);
    assertThat(records.number("select count(distinct id) from event")).isEqualTo(events);
    world.settle(day);
  }

  private void awaitLock(CompletableFuture<Long> drain) {
    while (!drain.isDone() && records.number(WAITING_FOR_THE_POSITION) == 0) {
      Thread.onSpinWait();
    }
  }

  /** A closing or a page would wait for writers who go on. */
  @Test
  void aDrainEndsAlthoughWritersGoOn() {
    Period day = world.open(world.board(Rules.day()));
    Fact before = Fact.by("ann");
    world.take(before);
    var batches = new ArrayList<Long>();
    journal.drain(
        day,
        last -> {
          batches.add(last);
          assertThat(batches).as("it does not end").hasSizeLessThan(10);
          world.take(Fact.by("bob"));
        });
    assertThat(records.words("select id from event")).contains(before.id());
    assertThat(batches).containsExactly(1L, 2L);
    world.settle(day);
  }

  @Test
  void redisKeepsTheLastEventsByTimeAndByNumberAndTheLastEntryAlways() {
    Period day = world.open(world.board(Rules.day()));
    for (int n = 1; n <= 20; n++) {
      world.take(IntStream.range(0, n % 3 + 1).mapToObj(i -> Fact.by("m" + i)).toList());
    }
    long last = journal.drain(day);
    List<JournalEntry> all = live.from(day, 0, 100);
    String entry = all.get(all.size() - 1).id();

    live.trim(day, entry, last, Duration.ofHours(1), 0);
    live.trim(day, last + "-1", last, Duration.ZERO, 0);
    assertThat(live.from(day, 0, 100)).as("young, or not the entry").isEqualTo(all);
    live.trim(day, entry, last, Duration.ZERO, 7);
    List<JournalEntry> kept = live.from(day, 0, 100);
    assertThat(kept)
        .hasSizeBetween(7, 9)
        .isEqualTo(all.subList(all.size() - kept.size(), all.size()));
    live.trim(day, entry, last, Duration.ZERO, 0);
    assertThat(live.progress(List.of(day)))
        .singleElement()
        .satisfies(
            board -> {
              assertThat(board.first()).isEqualTo(last);
              assertThat(board.drained()).isEqualTo(last);
            });
    assertThat(journal.drain(day)).isEqualTo(last);
    world.take(Fact.by("ann"));
    assertThat(journal.drain(day)).isEqualTo(last + 1);
    world.settle(day);
  }

  @Test
  void whatIsOldIsTrimmedWithoutNewEventsAndSoIsAPositionThatRedisDoesNotKnow() {
    var position = new Position(5_000, "5000-1");
    assertThat(journal.isTrimmable(board(4_000, 5_000, Duration.ofMinutes(2)), position)).isTrue();
    assertThat(journal.isTrimmable(board(4_001, 5_000, Duration.ofMinutes(2)), position)).isFalse();
    assertThat(journal.isTrimmable(board(4_000, 5_000, Duration.ofSeconds(9)), position)).isFalse();
    assertThat(journal.isTrimmable(board(4_001, 4_999, Duration.ZERO), position)).isTrue();
    assertThat(journal.isTrimmable(board(0, 4_999, Duration.ZERO), position)).isFalse();
  }

  private static BoardProgress board(long first, long drained, Duration age) {
    return new BoardProgress(true, false, null, 5_000, drained, first, 5_000, age, null, 0);
  }

  private void write(int events) {
    for (int from = 0; from < events; from += 100) {
      world.take(IntStream.range(from, from + 100).mapToObj(n -> Fact.by("m" + n % 50)).toList());
    }
  }

  private long stream(Period day) {
    String key = LiveKeys.of(day).name("journal");
    Long length = servers.redis(connection -> connection.streamCommands().xLen(key.getBytes()));
    return length == null ? 0 : length;
  }
}
