package palmares.live.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static palmares.live.relay.CommittedEvents.Commit.Result.WRITTEN;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.Decision;
import palmares.live.board.LiveBoards;
import palmares.live.board.LiveJournal;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.InviteCredits;
import palmares.live.intake.RefusalReason;
import palmares.live.journal.Journal;
import palmares.live.relay.CommittedEventRows.Unrelayed;
import palmares.live.relay.CommittedEvents.Commit;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.JournalDump;
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
  private static final String UNRELAYED =
      "select count(*) from relay left join relay_position using (period_id)"
          + " where committed > coalesce(relayed, 0)";

  private static final String WAITING_FOR_NUMBERS =
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
          + " and query ~ 'insert into relay '";

  private static final Duration WITHOUT_WAITING = Duration.ofSeconds(10);

  private static final String WAITING_FOR_A_ROW =
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
          + " and query ~ 'from period\\s+where id'";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private InviteCredits credits;
  @Autowired private CommittedEvents events;
  @Autowired private Relay relay;
  @Autowired private RelayAttempts attempts;
  @Autowired private CommittedEventRows rows;
  @Autowired private Servers servers;
  @Autowired private LiveBoards live;
  @Autowired private LiveJournal liveJournal;
  @Autowired private Journal journal;
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
  void aRepeatThatBringsASecondKeyVerifies() {
    Board keyed =
        world.board(
            Contest.rules()
                .with("durability: committed")
                .with("then-by: { name: tries, max: 9 }")
                .with("actions: { like: { points: 1, max-per-day: 1 } }")
                .with("rewards: [{ rule: each, per: like, credits: 20 }]"));
    Period period = world.open(keyed);
    Fact like = Fact.by("ann").on("post").then(2).to(keyed);
    assertThat(world.take(List.of(like, like.again(), like.again().on("other"))))
        .extracting(EventOutcome::reason)
        .containsExactly(null, RefusalReason.REPEATED, RefusalReason.CAPPED);
    world.settle(period);
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

  /**
   * A commit waits for the disk. It may also wait for the relay, since it repeats an event: the two
   * would deadlock.
   */
  @Test
  void theRelayWaitsForNoCommit() {
    Fact like = Fact.by("ann").on("post");
    commitAndDie(like);
    List<RelayedEvent> next = credits.route(Fact.by("bob").on("post").event()).credits();
    transaction.executeWithoutResult(
        status -> {
          assertThat(events.write(next)).extracting(Commit::result).containsOnly(WRITTEN);
          assertThat(CompletableFuture.runAsync(() -> relay.relay(day.id())))
              .succeedsWithin(WITHOUT_WAITING);
          assertThat(outcomes()).containsExactly("applied 1", "none");
        });
    assertThat(world.take(Fact.by("cid").on("post")).kind()).isEqualTo(Kind.APPLIED);
    assertThat(outcomes()).containsExactly("applied 1", "applied 1", "applied 1");
  }

  /** The seal waits for the relay: the two would deadlock. */
  @Test
  void theFirstRelayWaitsForNoSeal() {
    commitAndDie(Fact.by("ann").on("post"));
    live.create(day, definitions.of(day));
    live.open(day);
    transaction.executeWithoutResult(
        status -> {
          records.words("select name from period where id = ? for update", day.id().value());
          assertThat(CompletableFuture.runAsync(() -> relay.relay(day.id())))
              .succeedsWithin(WITHOUT_WAITING);
        });
    assertThat(outcomes()).containsExactly("applied 1");
  }

  @Test
  void aCommitWaitsForNoRelay() {
    commitAndDie(Fact.by("ann").on("post"));
    relay.relay(day.id());
    List<RelayedEvent> next = credits.route(Fact.by("bob").on("post").event()).credits();
    transaction.executeWithoutResult(
        status -> {
          records.words("select outcome from committed_event for no key update");
          records.words("select relayed::text from relay_position for no key update");
          assertThat(CompletableFuture.runAsync(() -> commitAndDie(next)))
              .succeedsWithin(WITHOUT_WAITING);
        });
    world.settle(day);
    assertThat(outcomes()).containsExactly("applied 1", "applied 1");
    assertThat(records.verify().named()).isEmpty();
  }

  /** The numbers ascend in the order of commits, so that the relay overlooks none. */
  @Test
  void aSecondWriterCommitsAfterTheFirst() {
    List<RelayedEvent> first = credits.route(Fact.by("ann").on("post").event()).credits();
    List<RelayedEvent> second = credits.route(Fact.by("bob").on("post").event()).credits();
    CompletableFuture<Void> writing =
        transaction.execute(
            status -> {
              events.write(first);
              var other = CompletableFuture.runAsync(() -> commitAndDie(second));
              await().until(() -> other.isDone() || records.number(WAITING_FOR_NUMBERS) > 0);
              assertThat(other).isNotDone();
              return other;
            });
    writing.join();
    assertThat(records.words("select n || ' ' || member from committed_event order by n"))
        .containsExactly("1 ann", "2 bob");
    relay.relay(day.id());
    world.settle(day);
    assertThat(records.words("select member from event order by seq"))
        .containsExactly("ann", "bob");
  }

  /**
   * The relay does not wait for the disk, so a PostgreSQL that dies may forget what it stored after
   * callers have their answers. The journal may be durable by then, and the ids out of Redis.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatPostgresForgetsOfTheRelayIsDecidedAsItWasAnswered(boolean isTrimmed) {
    List<Fact> facts = Contest.facts();
    List<EventOutcome> answers = world.take(facts);
    List<String> before = outcomes();
    journal.drain(day);
    if (isTrimmed) {
      List<String> ids = records.words("select id from event order by seq");
      assertThat(liveJournal.forget(day, 0, ids.size(), ids)).isTrue();
    }
    servers.sql("update committed_event set outcome = null, points = null, total = null");
    servers.sql("delete from relay_position");
    assertThat(world.take(facts.get(0)).boards().get(0).change())
        .as("the repeat is relayed as the first was")
        .isEqualTo(answers.get(0).boards().get(0).change());
    relay.relay(day.id());
    assertThat(outcomes()).isEqualTo(before);
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  /** A seal that PostgreSQL forgets would let events in that nobody counts. */
  @Test
  void onlyTheRelayDoesNotWaitForTheDisk() {
    commitAndDie(Fact.by("ann").on("post"));
    transaction.executeWithoutResult(
        status -> {
          live.create(day, definitions.of(day));
          live.open(day);
          records.words("select set_config('synchronous_commit', 'on', true)");
          relay.finish(day);
          assertThat(records.words("show synchronous_commit")).containsExactly("on");
          assertThatThrownBy(() -> relay.relay(day.id()))
              .isInstanceOf(IllegalTransactionStateException.class);
        });
    assertThat(outcomes()).containsExactly("applied 1");
  }

  /** Another process commits in between, and may die before it relays. */
  @Test
  void eventsThatAreNotReadAgainAreRelayedAfterThoseOfOtherWriters() {
    Fact like = Fact.by("ann").on("post");
    List<FreshEvent> first = commit(like);
    List<FreshEvent> second = commit(like.undone(), Fact.by("bob").on("post"));
    assertThat(relay.relayNext(day.id(), second)).isTrue();
    assertThat(outcomes()).containsExactly("applied 1", "undone -1", "applied 1");
    assertThat(relay.relayNext(day.id(), first)).as("late").isTrue();
    List<FreshEvent> third = commit(Fact.by("cid").on("post"));
    assertThat(relay.relayNext(day.id(), third)).isTrue();
    assertThat(third).extracting(FreshEvent::decision).doesNotContainNull();
    world.settle(day);
    assertThat(records.words("select member || ' ' || outcome from event order by seq"))
        .containsExactly("ann applied", "ann undone", "bob applied", "cid applied");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anEventThatIsNotReadAgainIsWhatPostgresHas() {
    List<FreshEvent> fresh = commit(Contest.facts().toArray(Fact[]::new));
    Board rules = definitions.of(day);
    assertThat(rows.unrelayed(day, rules, 0, fresh.size()))
        .extracting(Unrelayed::change)
        .isEqualTo(
            fresh.stream()
                .map(event -> CommittedEventRows.unrelayed(event, day, rules).change())
                .toList());
  }

  /** The repeat in the group has a number that no event has. */
  @Test
  void aGroupWithARepeatIsRelayedWhole() {
    Fact like = Fact.by("ann").on("post");
    List<FreshEvent> fresh = commit(like, like, Fact.by("bob").on("post"));
    assertThat(fresh).extracting(FreshEvent::n).containsExactly(1L, 3L);
    assertThat(relay.relayNext(day.id(), fresh)).isTrue();
    assertThat(outcomes()).containsExactly("applied 1", "applied 1");
    assertThat(records.number(UNRELAYED)).isZero();
  }

  /** A standby that lacks the commit was promoted, and another server has committed since. */
  @Test
  void anEventThatPostgresLostTakesNoOthersPlace() {
    JournalDump earlier = JournalDump.of(records, day);
    List<FreshEvent> lost = commit(Fact.by("ann").on("a"), Fact.by("ann").on("b"));
    earlier.restore(servers);
    commitAndDie(Fact.by("bob").on("a"), Fact.by("bob").on("b"));
    assertThat(relay.relayNext(day.id(), lost)).isTrue();
    assertThat(lost).extracting(FreshEvent::decision).containsOnlyNulls();
    world.settle(day);
    assertThat(
            records.words("select member || ' ' || outcome from committed_event order by member"))
        .containsExactly("ann applied", "ann applied", "bob applied", "bob applied");
    assertThat(records.verify().named()).isEmpty();
  }

  private List<FreshEvent> commit(Fact... facts) {
    List<RelayedEvent> sent =
        Stream.of(facts).flatMap(fact -> credits.route(fact.event()).credits().stream()).toList();
    List<Commit> commits =
        Objects.requireNonNull(transaction.execute(status -> events.write(sent)));
    return commits.stream().flatMap(commit -> Stream.ofNullable(commit.fresh())).toList();
  }

  private List<String> outcomes() {
    return records.words(
        "select coalesce(outcome || ' ' || points, 'none') from committed_event order by n");
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

  /** Neither the live board nor the journal could repeat it: the event might count later. */
  @Test
  void aRefusalThatOnlyPostgresKeepsWaitsForTheDisk() {
    day = world.open(world.board(FULL));
    servers.sql(
        """
        create function refuse_commit() returns trigger language plpgsql as $$
        begin
          if (current_setting('synchronous_commit') = 'off') = (new.outcome = 'full') then
            raise '% is stored with the other setting', new.outcome;
          end if;
          return null;
        end $$;
        create constraint trigger "a test checks the setting" after update on committed_event
          deferrable initially deferred for each row execute function refuse_commit()
        """);
    try {
      assertThat(world.take(Fact.by("ann").does("coin").times(9)).kind()).isEqualTo(Kind.APPLIED);
      assertThat(world.take(Fact.by("ann").does("coin").times(2)).reason())
          .isEqualTo(RefusalReason.MAX_POINTS);
    } finally {
      servers.sql("drop function refuse_commit cascade");
    }
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
    commitAndDie(deliveries);
  }

  private void commitAndDie(List<RelayedEvent> deliveries) {
    List<Commit> commits =
        Objects.requireNonNull(transaction.execute(status -> events.write(deliveries)));
    assertThat(commits).extracting(Commit::result).containsOnly(WRITTEN);
    assertThat(records.number(UNRELAYED)).isPositive();
  }
}
