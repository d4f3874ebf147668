package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.ClosedMarks;
import palmares.live.board.LiveBoards;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.ImportRuns;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.LiveDump;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The period's row in PostgreSQL decides whether it takes events, not the state in Redis. */
@WorldTest
class SealedPeriodsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private ImportRuns imports;
  @Autowired private LiveBoards live;
  @Autowired private ClosedMarks marks;
  @Autowired private Periods periods;
  @Autowired private Leases leases;
  @Autowired private TransactionTemplate transaction;

  private Period day;
  private Fact counted;
  private LiveDump beforeTheSeal;
  private EventOrigin history;

  @BeforeEach
  void aDayWithAnEvent() {
    day = world.open(world.board(Rules.day().with("clock: event")));
    counted = Fact.by("ann").at(world.now());
    world.take(counted);
    beforeTheSeal = LiveDump.of(servers, day);
    history = new EventOrigin.History(imports.begin("a file", "local:test"));
  }

  @Test
  void anImportIntoASettledPeriodIsLateAlthoughRedisLostTheSeal() {
    world.settle(day);
    beforeTheSeal.restore(servers);
    assertLate(Fact.by("bob").at(day.slot().startsAt()), history);
    assertNothingChanged();
  }

  @Test
  void anImportIntoASettledPeriodIsLateAlthoughRedisLostTheBoard() {
    world.settle(day);
    servers.flush();
    assertLate(Fact.by("bob").at(day.slot().startsAt()), history);
    assertNothingChanged();
  }

  @Test
  void anEventThatArrivesAfterTheSealIsLateAlthoughTheClockOfRedisIsBehind() {
    world.settle(day);
    beforeTheSeal.restore(servers);
    closeLaterByTheClockOfRedis();
    assertLate(Fact.by("bob").at(day.slot().startsAt()), World.ANYBODY);
    assertNothingChanged();
  }

  /** The rules of the live board have the end of the grace as their seventh value. */
  private void closeLaterByTheClockOfRedis() {
    List<Object> changed =
        servers.redis(
            redis ->
                redis
                    .scriptingCommands()
                    .eval(
                        """
                        local rules = redis.call('HGET', KEYS[1], 'rules')
                        local n = select('#', cmsgpack.unpack(rules))
                        local values = {cmsgpack.unpack(rules)}
                        values[7] = 9000000000000000
                        redis.call('HSET', KEYS[1], 'rules', cmsgpack.pack(unpack(values, 1, n)))
                        return {1}
                        """
                            .getBytes(UTF_8),
                        ReturnType.MULTI,
                        1,
                        LiveKeys.of(day).name("meta").getBytes(UTF_8)));
    assertThat(changed).hasSize(1);
  }

  /** A process that was paused marks the seal when another one has settled the period. */
  @Test
  void aLateMarkOfTheSealDoesNotUndoThatOfTheSettlement() {
    world.settle(day);
    assertThat(mark()).isEqualTo("settled");
    marks.mark(world.again(day), PeriodState.SEALED);
    assertThat(mark()).isEqualTo("settled");
  }

  private String mark() {
    return servers.redis(
        redis ->
            new String(
                Objects.requireNonNull(
                    redis
                        .hashCommands()
                        .hGet(
                            LiveKeys.of(day).name("meta").getBytes(UTF_8),
                            "closed".getBytes(UTF_8))),
                UTF_8));
  }

  @Test
  void anImportIntoAClosingPeriodIsLateAndTheClosingContinues() {
    ClosingResult broken =
        world.close(
            day,
            step -> {
              if (step.equals("fill")) {
                throw new IllegalStateException("killed");
              }
            });
    assertThat(broken.outcome()).isNotEqualTo(ClosingResult.Status.SETTLED);
    beforeTheSeal.restore(servers);
    assertLate(Fact.by("bob").at(day.slot().startsAt()), history);
    world.pass(Duration.ofHours(1));
    world.settle(day);
    assertNothingChanged();
  }

  @Test
  void aRepeatAfterTheSealIsADuplicateAlthoughRedisLostIt() {
    world.settle(day);
    assertThat(world.take(List.of(counted), history).get(0).kind()).isEqualTo(Kind.DUPLICATE);
    beforeTheSeal.restore(servers);
    assertThat(world.take(List.of(counted), history).get(0).kind()).isEqualTo(Kind.DUPLICATE);
    servers.flush();
    assertThat(world.take(List.of(counted), history).get(0).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(records.number("select count(*) from late_event")).isZero();
  }

  @Test
  void anImportCountsInAnOpenPeriodAlthoughRedisHasASealThatWasNeverCommitted() {
    live.seal(day);
    Fact more = Fact.by("bob").at(day.slot().startsAt());
    assertThat(world.take(List.of(more), history).get(0).kind()).isEqualTo(Kind.APPLIED);
    world.settle(day);
    assertThat(records.published(day)).extracting("member").containsExactlyInAnyOrder("ann", "bob");
  }

  @Test
  void importedEventsCountExactlyIfTheyWereAcknowledged() throws Exception {
    int writers = 4;
    var threads = Executors.newFixedThreadPool(writers);
    var begun = new CountDownLatch(writers);
    var writing = new ArrayList<Future<List<String>>>();
    for (int i = 0; i < writers; i++) {
      writing.add(threads.submit(writer("w" + i, begun)));
    }
    begun.await();
    world.settle(day);
    var acknowledged = new ArrayList<String>(List.of(counted.id()));
    for (Future<List<String>> written : writing) {
      acknowledged.addAll(written.get());
    }
    threads.shutdown();
    assertThat(records.words("select id from event where outcome = 'applied'"))
        .containsExactlyInAnyOrderElementsOf(acknowledged);
    assertThat(records.number("select sum(points) from standing")).isEqualTo(acknowledged.size());
    assertThat(records.verify().clean()).isTrue();
  }

  @Test
  void anImportThatBeginsWhileTheClosingWaitsForOneWaitsForTheSeal() throws Exception {
    var threads = Executors.newFixedThreadPool(2);
    var later = new ArrayList<Future<?>>();
    transaction.executeWithoutResult(
        status -> {
          periods.holdOpen(List.of(day.id()));
          later.add(threads.submit(() -> world.settle(day)));
          awaitWaiting(1);
          List<Fact> late = List.of(Fact.by("bob").at(day.slot().startsAt()));
          later.add(
              threads.submit(
                  () -> assertThat(world.take(late, history).get(0).kind()).isEqualTo(Kind.LATE)));
          awaitWaiting(2);
        });
    threads.shutdown();
    for (Future<?> each : later) {
      each.get();
    }
    assertNothingChanged();
  }

  @Test
  void aClosingThatHoldsItsPeriodWaitsForNoDecisionThatWaitsForThePeriod() throws Exception {
    var thread = Executors.newSingleThreadExecutor();
    Lease lease = leases.take(day.id(), Lease.THIS_PROCESS).orElseThrow();
    Future<?> decision =
        transaction.execute(
            status -> {
              leases.hold(lease);
              Future<?> waiting =
                  thread.submit(
                      () -> transaction.executeWithoutResult(each -> periods.lock(day.id())));
              awaitWaiting(1);
              periods.lockToSeal(day.id());
              return waiting;
            });
    thread.shutdown();
    decision.get();
  }

  private void awaitWaiting(int locks) {
    await().until(() -> records.number("select count(*) from pg_locks where not granted") == locks);
  }

  /** Imports events until one is late; returns the ids of those that counted. */
  private Callable<List<String>> writer(String member, CountDownLatch begun) {
    return () -> {
      var acknowledged = new ArrayList<String>();
      while (true) {
        Fact fact = Fact.by(member).at(day.slot().startsAt());
        Kind kind = world.take(List.of(fact), history).get(0).kind();
        begun.countDown();
        if (kind == Kind.LATE) {
          return acknowledged;
        }
        assertThat(kind).isEqualTo(Kind.APPLIED);
        acknowledged.add(fact.id());
      }
    };
  }

  private void assertLate(Fact fact, EventOrigin origin) {
    LiveContent before = LiveContent.of(servers, day);
    assertThat(world.take(List.of(fact), origin).get(0).kind()).isEqualTo(Kind.LATE);
    assertThat(records.words("select id from late_event")).containsExactly(fact.id());
    assertThat(LiveContent.of(servers, day)).isEqualTo(before);
  }

  private void assertNothingChanged() {
    assertThat(records.words("select id from event")).containsExactly(counted.id());
    assertThat(records.published(day)).extracting("member").containsExactly("ann");
    assertThat(records.verify().clean()).isTrue();
  }
}
