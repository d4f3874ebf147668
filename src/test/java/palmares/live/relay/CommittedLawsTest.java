package palmares.live.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.Decision;
import palmares.live.board.LiveBoards;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.InviteCredits;
import palmares.live.intake.RefusalReason;
import palmares.live.relay.CommittedEvents.Commit;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.platform.redis.RedisUnavailable;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * A committed event counts once, in its order, even if processes die between PostgreSQL and Redis.
 */
@WorldTest
class CommittedLawsTest {
  private static final String WAITING =
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'relay'";

  private static final String WAITING_FOR_A_ROW =
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
          + " and query ~ 'from period\\s+where id'";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private InviteCredits credits;
  @Autowired private CommittedEvents events;
  @Autowired private Relay relay;
  @Autowired private RelayAttempts attempts;
  @Autowired private Servers servers;
  @Autowired private LiveBoards live;
  @Autowired private BoardDefinitions definitions;
  @Autowired private TransactionTemplate transaction;

  private Period day;

  @BeforeEach
  void aCommittedBoard() {
    day = world.open(world.board(Contest.rules().with("durability: committed")));
  }

  @Test
  void eventsAreAnsweredAndPaidAsOnAFastBoard() {
    assertThat(world.take(Contest.facts()))
        .extracting(EventOutcome::kind)
        .containsOnly(Kind.APPLIED, Kind.UNDONE);
    assertThat(records.points(day, "ann")).isEqualTo(200);
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aRepeatGetsTheFirstResultAndAnotherEventWithItsIdIsRefused() {
    Fact like = Fact.by("ann").on("post");
    assertThat(world.take(List.of(like, like)))
        .extracting(EventOutcome::kind)
        .containsExactly(Kind.APPLIED, Kind.DUPLICATE);
    assertThat(world.take(like).boards().get(0).change()).isEqualTo(1);
    EventOutcome other = world.take(Fact.by("bob").on("post").named(like.id()));
    assertThat(other.kind()).isEqualTo(Kind.REFUSED);
    assertThat(other.reason()).isEqualTo(RefusalReason.CONFLICTING_ID);
    EventOutcome again = world.take(like.again());
    assertThat(again.reason()).isEqualTo(RefusalReason.REPEATED);
    assertThat(world.take(like.again().named(Objects.requireNonNull(again.id()))).reason())
        .as("the first answer")
        .isEqualTo(RefusalReason.REPEATED);
    assertThat(records.points(day, "ann")).isEqualTo(1);
    assertThat(records.points(day, "bob")).isZero();
  }

  @Test
  void eventsOfADeadProcessAreRelayedBeforeLaterOnes() {
    Fact like = Fact.by("ann").on("post");
    commitAndDie(like);
    assertThat(records.points(day, "ann")).isZero();
    assertThat(world.take(like.undone()).kind()).isEqualTo(Kind.UNDONE);
    assertThat(records.words("select outcome from event order by seq")).isEmpty();
    world.settle(day);
    assertThat(records.words("select outcome from event order by seq"))
        .containsExactly("applied", "undone");
  }

  @Test
  void aBoardWhoseNodeIsDownDelaysNoOther() {
    Period other = world.open(world.board(Contest.rules().with("durability: committed")));
    Fact like = Fact.by("ann").on("post");
    commitAndDie(like);
    servers.reachingOnly(
        other, () -> assertThatThrownBy(attempts::relayAll).isInstanceOf(RedisUnavailable.class));
    ReflectionTestUtils.setField(attempts, "pausedUntilNanos", System.nanoTime());
    assertThat(records.points(other, "ann")).isEqualTo(1);
    assertThat(records.points(day, "ann")).isZero();
    attempts.relayAll();
    assertThat(records.points(day, "ann")).isEqualTo(1);
  }

  @Test
  void anEventAppliedByADeadRelayIsNotAppliedAgain() {
    Fact like = Fact.by("ann").on("post");
    commitAndDie(like);
    live.create(day, definitions.of(day));
    live.open(day);
    live.apply(credits.route(like.event()).credits().stream().map(RelayedEvent::change).toList());
    relay.relay(day.id());
    relay.relay(day.id());
    assertThat(records.points(day, "ann")).isEqualTo(1);
    assertThat(world.take(like).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(records.words("select outcome || ' ' || points from committed_event"))
        .containsExactly("applied 1");
  }

  /** Otherwise a writer that repeats an event and the relay of the first could deadlock. */
  @Test
  void theRelayLocksNoEventWhileItWaitsForACommit() {
    commitAndDie(Fact.by("ann").on("post"));
    CompletableFuture<Void> relayed =
        transaction.execute(
            status -> {
              records.words("select period_id::text from relay for update");
              var relaying = CompletableFuture.runAsync(() -> relay.relay(day.id()));
              await().until(() -> records.number(WAITING) > 0);
              assertThat(records.words("select id from committed_event for update nowait"))
                  .hasSize(1);
              return relaying;
            });
    relayed.join();
    assertThat(records.points(day, "ann")).isEqualTo(1);
  }

  /** A commit may wait for a disk or a replica; its caller sends the event again meanwhile. */
  @Test
  void aRepeatInTheNextPeriodWaitsForACommitThatBeganBeforeTheEnd() {
    world.now(day.slot().endsAt().minusMillis(1));
    Fact like = Fact.by("ann").on("post");
    List<RelayedEvent> first = credits.route(like.event()).credits();
    CompletableFuture<EventOutcome> again =
        transaction.execute(
            status -> {
              events.write(first);
              world.pass(Duration.ofSeconds(2));
              var repeated = CompletableFuture.supplyAsync(() -> world.take(like));
              await().until(() -> repeated.isDone() || records.number(WAITING_FOR_A_ROW) > 0);
              return repeated;
            });
    assertThat(again.join().kind()).isEqualTo(Kind.ACCEPTED);
    assertThat(countedOn()).containsExactly(day.name().value());
  }

  /**
   * Events are routed by the clock of Redis, which may be ahead of the one that ends the period.
   */
  @Test
  void aSearchBeforeTheEndDoesNotCallThePeriodComplete() {
    world.now(day.slot().endsAt().minusMillis(1));
    List<RelayedEvent> first = sent(Fact.by("ann").on("post"));
    assertThat(events.findEarlier(first))
        .as("as for a repeat that Redis has in the next period already")
        .containsExactly(Optional.empty());
    CompletableFuture<List<Optional<Decision>>> again =
        transaction.execute(
            status -> {
              events.write(first);
              world.pass(Duration.ofSeconds(2));
              var searched = CompletableFuture.supplyAsync(() -> events.findEarlier(first));
              await().until(() -> searched.isDone() || records.number(WAITING_FOR_A_ROW) > 0);
              return searched;
            });
    assertThat(again.join()).singleElement().matches(Optional::isPresent, "finds the commit");
    world.now(day.slot().endsAt());
    assertThat(events.findEarlier(first)).singleElement().matches(Optional::isPresent);
  }

  /**
   * Returns the events as callers send them now, who belong to a later period once this one ends.
   */
  private List<RelayedEvent> sent(Fact fact) {
    return credits.route(fact.event()).credits().stream()
        .map(event -> new RelayedEvent(event.period(), event.change(), day.slot().endsAt()))
        .toList();
  }

  @Test
  void anEventThatIsCommittedAfterTheEndCountsWhereItsRepeatDoes() {
    world.now(day.slot().endsAt().minusMillis(1));
    Fact like = Fact.by("ann").on("post");
    List<CompletableFuture<EventOutcome>> both =
        transaction.execute(
            status -> {
              records.words("select name from period where name = '2026-11-20' for update");
              var first = CompletableFuture.supplyAsync(() -> world.take(like));
              await().until(() -> records.number(WAITING_FOR_A_ROW) == 1);
              world.pass(Duration.ofSeconds(2));
              var repeated = CompletableFuture.supplyAsync(() -> world.take(like));
              await().until(() -> repeated.isDone() || records.number(WAITING_FOR_A_ROW) == 2);
              return List.of(first, repeated);
            });
    assertThat(both)
        .extracting(taken -> taken.join().kind())
        .containsExactlyInAnyOrder(Kind.APPLIED, Kind.DUPLICATE);
    assertThat(countedOn()).containsExactly("2026-11-21");
    assertThat(records.words("select outcome from committed_event")).containsExactly("applied");
  }

  /** Another process has begun to commit the repeat before the end, and goes on after it. */
  @Test
  void aRepeatThatMovesToTheNextPeriodWaitsForACommitThatBeganBeforeTheEnd() {
    Rules waves = Rules.day().with("durability: committed").with("actions: { wave: 1 }");
    Period other = world.open(world.board(waves));
    world.now(day.slot().endsAt().minusMillis(1));
    Fact like = Fact.by("ann").on("post");
    List<RelayedEvent> first = credits.route(like.event()).credits();
    var separate =
        new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
    separate.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    CompletableFuture<List<EventOutcome>> again =
        transaction.execute(
            status -> {
              events.write(first);
              CompletableFuture<List<EventOutcome>> repeated =
                  separate.execute(
                      held -> {
                        records.words(
                            "select name from period where id = ? for update", other.id().value());
                        List<Fact> both = List.of(like, Fact.by("bob").does("wave"));
                        var taken = CompletableFuture.supplyAsync(() -> world.take(both));
                        await().until(() -> records.number(WAITING_FOR_A_ROW) > 0);
                        world.pass(Duration.ofSeconds(2));
                        return taken;
                      });
              await().until(() -> repeated.isDone() || records.number(WAITING_FOR_A_ROW) > 0);
              return repeated;
            });
    assertThat(again.join().get(0).kind()).isIn(Kind.ACCEPTED, Kind.DUPLICATE);
    assertThat(
            records.words(
                "select name from committed_event join period on period.id = period_id"
                    + " where action = 'like'"))
        .containsExactly(day.name().value());
  }

  private List<String> countedOn() {
    return records.words(
        "select name from committed_event join period on period.id = period_id order by name");
  }

  @Test
  void theClosingRelaysAllEventsBeforeItSeals() {
    day = world.open(world.board(Rules.day().with("durability: committed")));
    var facts = new ArrayList<Fact>();
    for (int i = 0; i < 2_500; i++) {
      facts.add(Fact.by("m" + i % 7).does("coin").times(1 + i % 3));
    }
    commitAndDie(facts.toArray(Fact[]::new));
    world.settle(day);
    assertThat(records.number("select sum(points) from standing"))
        .isEqualTo(facts.stream().mapToLong(Fact::quantity).sum());
    assertThat(records.number("select count(*) from event")).isEqualTo(2_500);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aSealThatWasNeverCommittedRefusesNoEvent() {
    world.take(Fact.by("ann"));
    commitAndDie(Fact.by("bob"));
    live.seal(day);
    world.settle(day);
    assertThat(records.published(day)).extracting("member").contains("ann", "bob");
  }

  @Test
  void afterTheSealAnEventIsStoredAsLateAndARepeatGetsItsFirstResult() {
    Fact early = Fact.by("ann");
    world.take(early);
    world.settle(day);
    Fact late = Fact.by("ann").at(day.slot().endsAt().minusSeconds(1));
    world.now(day.slot().endsAt().minusSeconds(1));
    assertThat(world.take(late).kind()).isEqualTo(Kind.LATE);
    assertThat(world.take(early).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(records.words("select id from late_event")).containsExactly(late.id());
    assertThat(records.number("select count(*) from committed_event")).isEqualTo(1);
  }

  @Test
  void anEventRepeatedAfterMidnightCountsInItsOwnDayOnly() {
    world.now(day.slot().endsAt().minusMillis(1));
    Fact like = Fact.by("ann").on("post");
    world.take(like);
    world.pass(Duration.ofSeconds(2));
    assertThat(world.take(like).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(world.take(Fact.by("bob").named(like.id())).reason())
        .isEqualTo(RefusalReason.CONFLICTING_ID);
    assertThat(world.take(like.again()).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(day, "ann")).isEqualTo(1);
  }

  @Test
  void anEventAboveMaxPointsIsRefusedForGood() {
    day = world.open(world.board(FULL));
    assertThat(world.take(Fact.by("ann").does("coin").times(9)).kind()).isEqualTo(Kind.APPLIED);
    Fact tooMuch = Fact.by("ann").does("coin").times(2);
    assertThat(world.take(tooMuch).reason()).isEqualTo(RefusalReason.MAX_POINTS);
    EventOutcome repeat = world.take(tooMuch);
    assertThat(repeat.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(repeat.boards().get(0).reason()).isEqualTo(RefusalReason.MAX_POINTS);
    relay.markMissing(day.id());
    relay.relay(day.id());
    assertThat(records.words("select outcome from committed_event order by n"))
        .containsExactly("applied", "full");
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  private static final String FULL =
      """
      title: Room for ten
      period: day
      durability: committed
      max-points: 10
      actions:
        coin: { points: 1, max-quantity: 10 }
      """;

  /** Commits the events without relaying them. */
  private void commitAndDie(Fact... facts) {
    var deliveries = new ArrayList<RelayedEvent>();
    for (Fact fact : facts) {
      deliveries.addAll(credits.route(fact.event()).credits());
    }
    List<Commit> commits =
        Objects.requireNonNull(transaction.execute(status -> events.write(deliveries)));
    assertThat(commits).extracting(Commit::result).containsOnly(Commit.Result.WRITTEN);
    assertThat(records.number("select count(*) from relay where relayed < committed")).isPositive();
  }
}
