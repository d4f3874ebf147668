package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.sql.RecordMapper;
import palmares.platform.threads.Loops;
import palmares.platform.time.SettableClock;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Schedulers share what is due: each takes a period when it has a free worker. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class SpreadTest {
  private static final int SCHEDULERS = 3;
  private static final int WORKERS = 6;
  private static final int PERIODS = 40;
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Each closing waits at its outcome while the test holds the lock of the present wave. */
  private static final String WAVES =
      """
      create sequence wave;
      create function wait_for_wave() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(last_value) from palmares.wave;
        return new;
      end $$;
      create trigger "a test holds up closings" before insert on revision
        for each row execute function wait_for_wave()
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Closings closings;
  @Autowired private DuePeriods duePeriods;
  @Autowired private ClosingQueue queue;
  @Autowired private Sweep sweep;
  @Autowired private Loops loops;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private final List<Elsewhere> schedulers = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (Elsewhere each : schedulers) {
      each.close();
    }
  }

  private Elsewhere scheduler() throws IOException {
    Elsewhere started =
        Elsewhere.start(
            postgres,
            redis,
            "--palmares.node=scheduler " + schedulers.size(),
            "--palmares.live.answer-timeout=10s",
            "--spring.quartz.auto-startup=true",
            "--spring.quartz.startup-delay=1h"); // Its sweep would open the boards of the files.
    schedulers.add(started);
    return started;
  }

  private List<Period> due(int count) {
    List<Period> days =
        IntStream.range(0, count)
            .mapToObj(
                n ->
                    world.open(
                        world.board(
                            Rules.day()
                                .with("actions: { act%d: 1 }".formatted(n))
                                .with("rewards: [{ rule: thanks, taking-part: 5 }]"))))
            .toList();
    for (int n = 0; n < count; n++) {
      world.take(Fact.by("ann").does("act" + n));
    }
    days.forEach(world::due);
    return days;
  }

  private Optional<Attempt> take() {
    return closings.takeDue(new HashSet<>(), () -> {});
  }

  private Map<String, Long> runs(String outcome) {
    return jdbc.sql("select node, count(*) from run where outcome = ? group by node")
        .param(outcome)
        .query(RecordMapper.map(String.class, Long.class));
  }

  /** A test holds up all closings until each scheduler has as many as it has workers, and again. */
  @Test
  void ofFortyPeriodsEachOfThreeSchedulersClosesAsManyAsItHasWorkersTwice() throws IOException {
    for (int n = 0; n < SCHEDULERS; n++) {
      scheduler();
    }
    due(PERIODS);
    servers.sql(WAVES);
    try {
      transaction.executeWithoutResult(status -> closeInWaves());
      await()
          .atMost(PATIENCE)
          .until(() -> runs("settled").values().stream().mapToLong(n -> n).sum() == PERIODS);
    } finally {
      servers.sql("drop function wait_for_wave cascade; drop sequence wave");
    }
    assertThat(records.number("select count(*) from run")).isEqualTo(PERIODS);
    assertThat(records.balance("ann")).isEqualTo(5 * PERIODS);
    assertThat(records.verify().named()).isEmpty();
  }

  private void closeInWaves() {
    servers.sql("do $$ begin perform pg_advisory_lock(1); end $$");
    try {
      schedulers.forEach(each -> each.get(SettableClock.class).set(world.now()));
      for (int wave = 1; wave <= 2; wave++) {
        int lock = wave;
        await().atMost(PATIENCE).until(() -> heldUp(lock) == SCHEDULERS * WORKERS);
        assertThat(runs("running")).isEqualTo(ofEach(WORKERS));
        assertThat(records.number("select count(*) from period where lease_until is not null"))
            .as("no period is queued in a process")
            .isEqualTo(SCHEDULERS * WORKERS);
        servers.sql(
            """
            do $$ begin
              perform pg_advisory_lock(%1$d);
              perform setval('wave', %1$d);
              perform pg_advisory_unlock(%2$d);
            end $$
            """
                .formatted(wave + 1, wave));
      }
      await().atMost(PATIENCE).until(() -> runs("settled").equals(ofEach(2 * WORKERS)));
    } finally {
      servers.sql("do $$ begin perform pg_advisory_unlock_all(); end $$");
    }
  }

  private long heldUp(int lock) {
    return records.number(
        "select count(*) from pg_locks where locktype = 'advisory' and objid = ? and not granted",
        lock);
  }

  private static Map<String, Long> ofEach(long count) {
    return IntStream.range(0, SCHEDULERS)
        .boxed()
        .collect(Collectors.toMap(n -> "scheduler " + n, n -> count));
  }

  @Test
  void theEarliestIsTakenFirstAndNoneTwice() {
    world.board(Contest.rules());
    sweep.prepare();
    world.pass(Duration.ofDays(3));
    sweep.prepare();
    List<Attempt> taken = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
      taken.add(take().orElseThrow());
    }
    assertThat(take()).isEmpty();
    assertThat(taken.stream().map(each -> each.period().name().value()))
        .containsExactly("2026-11-20", "2026-11-21", "2026-11-22");
    assertThat(taken.stream().map(closings::finish).map(ClosingResult::outcome))
        .containsOnly(Status.SETTLED);
  }

  /** Another scheduler waits for no row that one has locked and not yet leased. */
  @Test
  void aRowThatIsBeingTakenIsSkipped() {
    List<Period> days = due(2);
    transaction.executeWithoutResult(
        status -> {
          assertThat(duePeriods.lockNextDue(List.of())).contains(days.get(0).id());
          assertThat(CompletableFuture.supplyAsync(this::take))
              .succeedsWithin(Duration.ofSeconds(10))
              .extracting(taken -> taken.orElseThrow().period().id())
              .isEqualTo(days.get(1).id());
        });
  }

  @Test
  void whatDiedBetweenItsLeaseAndItsFirstStepIsTakenWhenTheLeaseExpires() {
    Period day = due(1).get(0);
    assertThat(take()).isPresent();
    world.pass(LEASE.minusMillis(1));
    assertThat(queue.takeDue()).isEmpty();
    world.pass(Duration.ofMillis(1));
    assertThat(queue.takeDue())
        .extracting(closing -> closing.join().outcome())
        .containsExactly(Status.SETTLED);
    assertThat(records.words("select outcome from run order by id"))
        .containsExactly("abandoned", "settled");
    assertThat(records.balance("ann")).isEqualTo(5);
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SETTLED);
  }

  /** Nobody asks a scheduler to: it looks each second. */
  @Test
  void aSchedulerTakesThePeriodOfADeadOneWithinSecondsAfterItsLease() throws IOException {
    Period day = due(1).get(0);
    assertThat(take()).isPresent();
    Elsewhere other = scheduler();
    other.get(SettableClock.class).set(world.now().plus(LEASE));
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> records.number("select count(*) from run where node = 'scheduler 0'") == 1);
    await().until(() -> world.again(day).state() == PeriodState.SETTLED);
  }

  /** A drain that waits for a lock sends no heartbeat. */
  @Test
  void aPeriodThatHangsKeepsOneWorkerOfItsProcess() {
    Period later = world.open(world.board(Rules.day().with("grace: 1h")));
    Period hung = due(1).get(0);
    List<CompletableFuture<ClosingResult>> begun = new ArrayList<>();
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql(
                  """
                  insert into journal_position (period_id, drained) values (?, 0)
                  on conflict (period_id) do update set drained = journal_position.drained
                  """)
              .param(hung.id().value())
              .update();
          begun.addAll(takeDueInOwnTransaction());
          await().atMost(PATIENCE).until(this::waitsForThePosition);
          world.due(later);
          assertThat(takeDueInOwnTransaction())
              .singleElement()
              .satisfies(
                  closing ->
                      assertThat(closing)
                          .succeedsWithin(Duration.ofSeconds(20))
                          .extracting(closed -> closed.period().id())
                          .isEqualTo(later.id()));
          assertThat(takeDueInOwnTransaction()).isEmpty();
          status.setRollbackOnly();
        });
    assertThat(begun).hasSize(1);
    assertThat(begun.get(0)).succeedsWithin(PATIENCE);
    assertThat(records.words("select outcome from run order by id"))
        .containsExactly("settled", "settled");
  }

  private List<CompletableFuture<ClosingResult>> takeDueInOwnTransaction() {
    return CompletableFuture.supplyAsync(queue::takeDue).join();
  }

  private boolean waitsForThePosition() {
    return records.number(
            """
            select count(*) from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%journal_position%'
            """)
        > 0;
  }

  /** Spring Batch counts the versions of a step: its own attempt may have ended it just now. */
  @Test
  void aTakeOverReadsAgainWhatTheFormerAttemptChangesMeanwhile() {
    Period day = due(1).get(0);
    servers.flush();
    assertThat(world.close(day).outcome()).isEqualTo(Status.FAILED);
    servers.sql("update batch_step_execution set status = 'STARTED', end_time = null");
    servers.sql(
        """
        create sequence marking;
        create function change_before() returns trigger language plpgsql as $$
        begin
          return case when nextval('palmares.marking') > 1 then new end;
        end $$;
        create trigger "a test changes it before" before update on batch_step_execution
          for each row when (old.status = 'STARTED' and new.status = 'FAILED')
          execute function change_before()
        """);
    try {
      assertThat(world.close(day).text()).contains("live board").doesNotContain("version");
      assertThat(records.number("select last_value from marking")).isGreaterThan(1);
    } finally {
      servers.sql("drop function change_before cascade; drop sequence marking");
    }
  }

  @Test
  void aPeriodThatCannotBeBegunDelaysNoOtherAndIsLoggedOnce(CapturedOutput output) {
    List<Period> days = due(2);
    servers.sql(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin
          raise 'a test refuses it';
        end $$;
        create trigger "a test refuses the first" before insert on run
          for each row when (new.period_id = %s) execute function refuse()
        """
            .formatted(days.get(0).id().value()));
    try {
      assertThat(queue.takeDue())
          .extracting(closing -> closing.join().period().id())
          .containsExactly(days.get(1).id());
      assertThat(queue.takeDue()).isEmpty();
      assertThat(output.getAll()).containsOnlyOnce("closing not begun");
    } finally {
      servers.sql("drop function refuse cascade");
    }
    assertThat(queue.takeDue()).extracting(CompletableFuture::join).hasSize(1);
  }

  /** The process stops at this moment. */
  @Test
  void whatIsTakenAndGivenBackIsFreeAtOnce() {
    due(1);
    closings.giveBack(take().orElseThrow());
    assertThat(queue.takeDue())
        .extracting(closing -> closing.join().outcome())
        .containsExactly(Status.SETTLED);
    assertThat(records.words("select outcome from run")).containsExactly("settled");
  }

  /** Otherwise it would be closed again at once, without end. */
  @Test
  void whatFailedIsNotTakenBeforeItsNextAttempt() {
    Period day = due(1).get(0);
    servers.flush();
    assertThat(queue.takeDue())
        .extracting(closing -> closing.join().outcome())
        .containsExactly(Status.FAILED);
    assertThat(queue.takeDue()).isEmpty();
    world.pass(Duration.ofMinutes(1).minusMillis(1));
    assertThat(queue.takeDue()).isEmpty();
    world.pass(Duration.ofMillis(1));
    assertThat(queue.takeDue()).hasSize(1).allMatch(closing -> !closing.join().text().isEmpty());
    assertThat(world.again(day).state()).isEqualTo(PeriodState.OPEN);
  }

  /** A failure that cannot be stored has no next attempt; its lease delays it instead. */
  @Test
  void aFailureThatCannotBeRecordedKeepsTheLease() {
    due(1);
    servers.flush();
    Attempt attempt = take().orElseThrow();
    servers.sql("alter table run rename to gone");
    try {
      assertThat(CompletableFuture.supplyAsync(() -> closings.finish(attempt)))
          .failsWithin(Duration.ofSeconds(20));
    } finally {
      servers.sql("alter table gone rename to run");
    }
    assertThat(take()).isEmpty();
    world.pass(LEASE);
    assertThat(take()).isPresent();
  }

  /** A scheduler with more due periods than workers goes on without another round. */
  @Test
  void aWorkerThatIsFreeAgainTakesTheNext() throws IOException {
    due(3 * WORKERS);
    var scheduler = new ClosingQueue(closings, loops, new SimpleMeterRegistry(), true);
    scheduler.takeDue();
    await().until(() -> duePeriods.due().isEmpty());
    scheduler.stop();
  }
}
