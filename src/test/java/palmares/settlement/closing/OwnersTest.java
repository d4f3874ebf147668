package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Lease;
import palmares.period.LeasedWork;
import palmares.period.Leases;
import palmares.period.Leases.StaleLease;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A period has one owner at a time, and a former one cannot move its money. */
@WorldTest
class OwnersTest {
  private static final int CLOSERS = 8;
  private static final Duration PAST_THE_LEASE = Duration.ofSeconds(21);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Leases leases;
  @Autowired private LeasedWork leasedWork;
  @Autowired private Revisions revisions;
  @Autowired private TransactionTemplate transaction;

  private Period day;

  @BeforeEach
  void aContestThatIsOver() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.due(day);
  }

  @Test
  void theReleaseOfALeaseDoesNotHideWhyTheTransactionOfACallerFailed() {
    assertThatThrownBy(
            () ->
                transaction.execute(
                    status ->
                        leasedWork.run(
                            day.id(), (lease, period) -> records.number("select 1 / 0"))))
        .hasMessageContaining("division by zero");
    assertThat(leases.take(day.id(), "another")).isPresent();
  }

  @RepeatedTest(3)
  void ofEightWhoCloseAtOnceOneSettles() throws Exception {
    var closers = Executors.newFixedThreadPool(CLOSERS);
    var outcomes = new ArrayList<Status>();
    try {
      var start = new CyclicBarrier(CLOSERS);
      var closing = new ArrayList<Future<ClosingResult>>();
      for (int i = 0; i < CLOSERS; i++) {
        closing.add(
            closers.submit(
                () -> {
                  start.await();
                  return insist();
                }));
      }
      for (Future<ClosingResult> closed : closing) {
        outcomes.add(closed.get().outcome());
      }
    } finally {
      closers.shutdownNow();
    }
    assertThat(outcomes).containsOnlyOnce(Status.SETTLED);
    assertThat(outcomes).containsOnly(Status.SETTLED, Status.ALREADY_SETTLED);
    assertThat(records.number("select count(*) from period where failure is not null")).isZero();
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  private ClosingResult insist() {
    ClosingResult closed = world.close(day);
    while (closed.outcome() == Status.BUSY) {
      closed = world.close(day);
    }
    return closed;
  }

  @Test
  void aProcessThatTakesTheLeaseAfterAnotherSettledThePeriodChangesNothing() throws Exception {
    world.settle(day);
    servers.sql("update period set state = 'approved', settled_at = null");
    var slow = Executors.newSingleThreadExecutor();
    try {
      Future<ClosingResult> closing =
          transaction.execute(
              status -> {
                servers.sql("lock table period in share mode");
                Future<ClosingResult> waiting = slow.submit(() -> world.close(day));
                await().until(this::aTransactionWaitsForALock);
                servers.sql("update period set state = 'settled', settled_at = now()");
                return waiting;
              });
      assertThat(closing.get().outcome()).isEqualTo(Status.ALREADY_SETTLED);
    } finally {
      slow.shutdownNow();
    }
    assertThat(records.words("select outcome from run")).containsExactly("settled");
    assertThat(records.number("select count(*) from period where failure is not null")).isZero();
  }

  private boolean aTransactionWaitsForALock() {
    return records.number("select count(*) from pg_locks where not granted") > 0;
  }

  @Test
  void aProcessThatLostItsLeaseStopsAndPaysNobody() {
    var successor = new ArrayList<Lease>();
    ClosingResult closed =
        world.close(
            day,
            step -> {
              if (step.equals("pay")) {
                world.pass(PAST_THE_LEASE);
                successor.add(leases.take(day.id(), "another").orElseThrow());
              }
            });
    assertThat(closed.outcome()).isEqualTo(Status.LOST);
    assertThat(world.again(day).state()).isEqualTo(PeriodState.FILLED);
    assertThat(records.paid(day)).isEmpty();
    assertThat(world.close(day).outcome()).isEqualTo(Status.BUSY);

    leases.release(successor.get(0));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  @Test
  void theDatabaseRefusesAPostingByAFormerOwner() {
    world.close(day, OwnersTest::dieBeforeThePayment);
    servers.sql(
        """
        update revision
        set verdict = 'approved', decided_by = 'test', decided_at = now(), verdict_reason = 'fine'
        """);
    Lease former = leases.take(day.id(), "former").orElseThrow();
    world.pass(PAST_THE_LEASE);
    assertThat(leases.take(day.id(), "present")).isPresent();
    assertThatThrownBy(() -> transaction.execute(status -> revisions.post(former, Revision.FIRST)))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("stale owner: fence " + former.fence());
    assertThat(records.paid(day)).isEmpty();
    assertThatThrownBy(() -> leases.renew(former)).isInstanceOf(StaleLease.class);
  }

  private static void dieBeforeThePayment(String step) {
    if (step.equals("pay")) {
      throw new IllegalStateException("the process dies");
    }
  }

  @Test
  void aHeartbeatRenewsALeaseThatIsOld() {
    Lease owner = leases.take(day.id(), "alive").orElseThrow();
    world.pass(Duration.ofSeconds(4));
    leases.renew(owner);
    world.pass(Duration.ofSeconds(2));
    leases.renew(owner);
    world.pass(Duration.ofSeconds(19));
    assertThat(leases.take(day.id(), "another")).isEmpty();
    world.pass(Duration.ofSeconds(1));
    assertThat(leases.take(day.id(), "another")).isPresent();
  }

  @Test
  void aHeartbeatOfAFreshLeaseDoesNotWaitForTransactionsThatShareIt() {
    Lease owner = leases.take(day.id(), "alive").orElseThrow();
    transaction.executeWithoutResult(
        status -> {
          leases.share(owner);
          assertThat(CompletableFuture.runAsync(() -> leases.renew(owner)))
              .succeedsWithin(Duration.ofSeconds(20));
        });
  }

  @Test
  void aLeaseIsNotTakenDuringALongTransactionOfItsOwner() {
    Lease owner = leases.take(day.id(), "slow").orElseThrow();
    transaction.executeWithoutResult(
        status -> {
          leases.hold(owner);
          world.pass(Duration.ofHours(1));
          assertThat(inAnotherThread(() -> leases.take(day.id(), "other").isPresent())).isFalse();
        });
    assertThat(leases.take(day.id(), "other")).isPresent();
  }

  @Test
  void aReleaseByAFormerOwnerChangesNothing() {
    Lease former = leases.take(day.id(), "former").orElseThrow();
    world.pass(PAST_THE_LEASE);
    Lease present = leases.take(day.id(), "present").orElseThrow();
    leases.release(former);
    assertThat(leases.take(day.id(), "third")).isEmpty();
    assertThat(present.fence()).isGreaterThan(former.fence());
  }

  @Test
  void aFormerOwnerNeitherHoldsNorRenewsTheLeaseOfThePresentOne() {
    Lease former = leases.take(day.id(), "former").orElseThrow();
    world.pass(PAST_THE_LEASE);
    assertThat(leases.take(day.id(), "present")).isPresent();
    world.pass(Duration.ofSeconds(10));
    assertThatThrownBy(() -> leases.renew(former)).isInstanceOf(Leases.StaleLease.class);
    assertThatThrownBy(() -> transaction.executeWithoutResult(status -> leases.hold(former)))
        .isInstanceOf(Leases.StaleLease.class);
    world.pass(PAST_THE_LEASE.minusSeconds(10));
    assertThat(leases.take(day.id(), "third")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRenewalThatWaitsForTheEndOfItsLeaseIsRefused(boolean isTaken) {
    Lease former = leases.take(day.id(), "former").orElseThrow();
    world.pass(PAST_THE_LEASE);
    CompletableFuture<Void> renewal =
        transaction.execute(
            status -> {
              if (isTaken) {
                assertThat(leases.take(day.id(), "present")).isPresent();
              } else {
                leases.release(former);
              }
              var renewing = CompletableFuture.runAsync(() -> leases.renew(former));
              await().until(this::aTransactionWaitsForALock);
              return renewing;
            });
    assertThat(renewal)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withCauseInstanceOf(StaleLease.class);
  }

  /** Of two periods with equal fences, what happens to one leaves the other as it is. */
  @Test
  void aLeaseIsOfItsPeriodOnly() {
    Period other = world.open(world.board(Contest.rules()));
    Lease own = leases.take(day.id(), "one").orElseThrow();
    Lease its = leases.take(other.id(), "two").orElseThrow();
    assertThat(own.fence()).isEqualTo(its.fence());
    world.pass(Duration.ofSeconds(10));
    leases.renew(own);
    world.pass(Duration.ofSeconds(8));
    transaction.executeWithoutResult(status -> leases.hold(own));
    world.pass(Duration.ofSeconds(3));
    assertThat(leases.take(day.id(), "another")).isEmpty();
    assertThat(leases.take(other.id(), "another")).isPresent();
    assertThat(leases.holds(its)).isFalse();
    leases.release(own);
    assertThat(leases.take(other.id(), "a third")).isEmpty();
  }

  /** Also while another period's lease has the same fence. */
  @Test
  void aReleasedLeaseIsHeldByNobody() {
    Period other = world.open(world.board(Contest.rules()));
    Lease released = leases.take(day.id(), "one").orElseThrow();
    Lease held = leases.take(other.id(), "two").orElseThrow();
    assertThat(leases.holds(released)).isTrue();
    leases.release(released);

    assertThat(leases.holds(released)).isFalse();
    assertThat(leases.holds(held)).isTrue();
    assertThatThrownBy(() -> leases.renew(released)).isInstanceOf(StaleLease.class);
    for (Consumer<Lease> use : List.<Consumer<Lease>>of(leases::hold, leases::share)) {
      assertThatThrownBy(() -> transaction.executeWithoutResult(status -> use.accept(released)))
          .isInstanceOf(StaleLease.class);
      transaction.executeWithoutResult(status -> use.accept(held));
    }
  }

  @Test
  void aLeaseThatATransactionSharesIsNotTakenAndBelongsToItsFence() {
    Lease owner = leases.take(day.id(), "slow").orElseThrow();
    transaction.executeWithoutResult(
        status -> {
          leases.share(owner);
          assertThat(records.words("select current_setting('palmares.fence')"))
              .containsExactly(Long.toString(owner.fence()));
          world.pass(Duration.ofHours(1));
          assertThat(inAnotherThread(() -> leases.take(day.id(), "other").isPresent())).isFalse();
        });
    assertThat(leases.take(day.id(), "other")).isPresent();
    assertThatThrownBy(() -> transaction.executeWithoutResult(status -> leases.share(owner)))
        .isInstanceOf(StaleLease.class);
    assertThat(leases.holds(owner)).isFalse();
  }

  @Test
  void aHeartbeatRenewsALeaseOfFiveSeconds() {
    Lease owner = leases.take(day.id(), "alive").orElseThrow();
    world.pass(Duration.ofSeconds(5));
    leases.renew(owner);
    world.pass(Duration.ofSeconds(19));
    assertThat(leases.take(day.id(), "another")).isEmpty();
  }

  private static boolean inAnotherThread(Callable<Boolean> work) {
    var other = Executors.newSingleThreadExecutor();
    try {
      return other.submit(work).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      other.shutdownNow();
    }
  }
}
