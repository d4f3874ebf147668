package palmares.live.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.InviteCredits;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** While a period is being sealed, exactly the acknowledged events count. */
@WorldTest
class SealRaceTest {
  private static final int WRITERS = 16;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private InviteCredits credits;
  @Autowired private CommittedEvents events;
  @Autowired private ImportRuns imports;
  @Autowired private TransactionTemplate transaction;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Period day;

  @BeforeEach
  void aCommittedBoard() {
    day = world.open(world.board(Contest.rules().with("durability: committed")));
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void theClosingWaitsForARunningCommitAndCountsIt() throws Exception {
    world.take(Fact.by("ann"));
    List<RelayedEvent> deliveries = credits.route(Fact.by("bob").event()).credits();
    Future<ClosingResult> closing =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  events.write(deliveries);
                  Future<ClosingResult> waiting = threads.submit(() -> world.close(day));
                  await().until(this::somebodyWaitsForTheCommit);
                  return waiting;
                }));
    assertThat(closing.get().outcome()).isEqualTo(Status.SETTLED);
    assertThat(records.published(day)).extracting("member").contains("ann", "bob");
  }

  @Test
  void eventsOfSixteenWritersCountExactlyIfTheyWereAcknowledged() throws Exception {
    var origin = new EventOrigin.History(imports.begin("a race", "local:test"));
    var begun = new CountDownLatch(WRITERS);
    var writing = new ArrayList<Future<List<String>>>();
    for (int i = 0; i < WRITERS; i++) {
      writing.add(threads.submit(writer("w" + i, origin, begun)));
    }
    begun.await();
    world.settle(day);
    var counted = new ArrayList<String>();
    for (Future<List<String>> written : writing) {
      counted.addAll(written.get());
    }
    assertThat(records.words("select id from event where outcome = 'applied'"))
        .containsExactlyInAnyOrderElementsOf(counted);
    assertThat(records.number("select sum(points) from standing")).isEqualTo(counted.size());
    assertThat(records.number("select count(*) from late_event")).isGreaterThanOrEqualTo(WRITERS);
    assertThat(records.verify().clean()).isTrue();
  }

  /** Writes events until one is late; returns the ids of those that counted. */
  private Callable<List<String>> writer(String member, EventOrigin origin, CountDownLatch begun) {
    return () -> {
      var counted = new ArrayList<String>();
      while (true) {
        Fact fact = Fact.by(member).at(day.slot().startsAt());
        var outcome = world.take(List.of(fact), origin).get(0);
        begun.countDown();
        if (outcome.kind() == Kind.LATE) {
          return counted;
        }
        assertThat(outcome.kind()).isIn(Kind.APPLIED, Kind.ACCEPTED);
        counted.add(fact.id());
      }
    };
  }

  private boolean somebodyWaitsForTheCommit() {
    return records.number(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                + " and query like '%pg_advisory_xact_lock%'")
        > 0;
  }
}
