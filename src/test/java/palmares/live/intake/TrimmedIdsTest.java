package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.LiveDump;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A board that keeps only a few ids in Redis counts an event of any age once. */
@WorldTest
class TrimmedIdsTest {
  private static final int KEPT = 5;
  private static final int EVENTS = 1_200;
  private static final String WAITING_FOR_A_ROW =
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
          + " and query ~ 'from period where id'";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Rebuild rebuild;
  @Autowired private TransactionTemplate transaction;

  private final List<Fact> facts =
      IntStream.range(0, EVENTS)
          .mapToObj(n -> Fact.by("m" + n % 7).does("coin").on("s" + n))
          .toList();
  private Period ever;

  @BeforeEach
  void aBoardThatHasTrimmedIds() {
    ever = world.open(world.board(Rules.of("year").with("kept-ids: " + KEPT)));
    world.takeAll(facts, World.ANYBODY);
    journal.drain(ever);
  }

  @Test
  void redisKeepsTheLatestIdsOnly() {
    assertThat(ids()).isEqualTo(KEPT);
    for (Fact latest : facts.subList(EVENTS - KEPT, EVENTS)) {
      assertThat(known(latest)).isTrue();
    }
  }

  @Test
  void aRepeatOfAnyAgeIsADuplicateAloneAndInABatch() {
    for (Fact fact : List.of(facts.get(0), facts.get(EVENTS / 2), facts.get(EVENTS - 1))) {
      EventOutcome repeat = world.take(fact);
      assertThat(repeat.kind()).isEqualTo(Kind.DUPLICATE);
      assertThat(repeat.boards().get(0).change()).isEqualTo(1);
    }
    assertThat(world.takeAll(facts, World.ANYBODY))
        .allSatisfy(outcome -> assertThat(outcome.kind()).isEqualTo(Kind.DUPLICATE));
    assertThat(records.number("select count(*) from event")).isEqualTo(EVENTS);
    assertThat(records.points(ever, "m0")).isEqualTo((EVENTS + 6) / 7);
  }

  @Test
  void newEventsAmongRepeatsAreAppliedInTheirOrder() {
    Fact first = Fact.by("zoe").on("post");
    List<EventOutcome> outcomes =
        world.take(
            List.of(facts.get(0), first, facts.get(1), first.undone(), first, first.again()));
    assertThat(outcomes)
        .extracting(EventOutcome::kind)
        .containsExactly(
            Kind.DUPLICATE,
            Kind.APPLIED,
            Kind.DUPLICATE,
            Kind.UNDONE,
            Kind.DUPLICATE,
            Kind.APPLIED);
    assertThat(records.points(ever, "zoe")).isEqualTo(1);
  }

  @Test
  void anotherEventWithATrimmedIdIsAConflict() {
    assertThat(world.take(Fact.by("zoe").named(facts.get(0).id())).reason())
        .isEqualTo(RefusalReason.CONFLICTING_ID);
  }

  @Test
  void idsOfEventsThatPostgresDoesNotHaveAreNotTrimmed() {
    List<Fact> more =
        IntStream.range(0, 3 * KEPT).mapToObj(n -> Fact.by("zoe").on("s" + n)).toList();
    world.take(more);
    assertThat(ids()).isEqualTo(4 * KEPT);
    assertThat(more).allSatisfy(fact -> assertThat(known(fact)).isTrue());
    journal.drain(ever);
    assertThat(ids()).isEqualTo(KEPT);
  }

  @Test
  void aBoardThatTrimmedMoreIdsThanPostgresHasTakesNoEvents() {
    servers.sql("update journal_position set drained = 10");
    assertThatThrownBy(() -> world.take(Fact.by("zoe")))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasMessageContaining("has trimmed the ids of events that PostgreSQL does not have");
  }

  @Test
  void aRepeatOfAnEventThatRedisLostCountsOnceAndARebuildRepairsTheBoard() {
    LiveDump before = LiveDump.of(servers, ever);
    Fact lost = Fact.by("zoe").on("post");
    world.take(lost);
    journal.drain(ever);
    before.restore(servers);
    assertThat(world.take(lost).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(rebuild.run(ever.id(), Present.REPLACE, null, () -> {}, done -> {})).isPresent();
    assertThat(records.points(ever, "zoe")).isEqualTo(1);
    assertThat(world.take(facts.get(0)).kind()).isEqualTo(Kind.DUPLICATE);
    world.take(Fact.by("zoe").on("another post"));
    journal.drain(ever);
    assertThat(ids()).isEqualTo(KEPT);
  }

  /** If its clock is ahead, Redis finds that the event is for the next period; here time passes. */
  @Test
  void anEventThatRedisMovesToTheNextPeriodIsSearchedInThePeriodBefore() {
    Board slow = world.board(Rules.day().with("durability: committed").with("grace: 25h"));
    Period before = world.open(slow);
    Board board = world.board(Rules.day().with("kept-ids: " + KEPT));
    world.now(Instant.parse("2026-11-21T23:59:59.999Z"));
    Period day = world.open(board);
    Fact first = Fact.by("ann").to(board);
    world.take(first);
    world.take(
        IntStream.range(0, 3 * KEPT).mapToObj(n -> Fact.by("zoe").on("s" + n).to(board)).toList());
    journal.drain(day);
    Fact other = Fact.by("bob").to(slow);
    CompletableFuture<List<EventOutcome>> taken =
        transaction.execute(
            status -> {
              records.words("select name from period where id = ? for update", before.id().value());
              var repeated = CompletableFuture.supplyAsync(() -> world.take(List.of(first, other)));
              await().until(() -> repeated.isDone() || records.number(WAITING_FOR_A_ROW) > 0);
              world.pass(Duration.ofSeconds(2));
              return repeated;
            });
    assertThat(taken.join().get(0).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(records.points(world.open(board), "ann")).isZero();
  }

  private long ids() {
    return servers.redis(connection -> connection.hashCommands().hLen(key()));
  }

  private boolean known(Fact fact) {
    return servers.redis(
        connection -> connection.hashCommands().hExists(key(), fact.id().getBytes(UTF_8)));
  }

  private byte[] key() {
    return LiveKeys.of(ever).name("ids").getBytes(UTF_8);
  }
}
