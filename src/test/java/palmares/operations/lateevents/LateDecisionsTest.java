package palmares.operations.lateevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static palmares.operations.lateevents.CorrectedRevisions.ofCorrections;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.RefusalReason;
import palmares.operations.lateevents.CorrectedRevisions.ByHand;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.platform.text.Next;
import palmares.rules.board.Board;
import palmares.settlement.verification.Difference;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Decisions on late events, and on points that are corrected by hand. */
@WorldTest
class LateDecisionsTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private LateEventDecisions decisions;
  @Autowired private LateEventReview review;
  @Autowired private Corrections corrections;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  private CorrectedRevisions revisions;
  private Period day;

  /** Ann likes a post, bob has 5 coins; then the period is settled. */
  @BeforeEach
  void settleADay() {
    revisions = new CorrectedRevisions(jdbc, transaction, corrections);
    day =
        world.open(
            world.board(
                Rules.day()
                    .with("clock: event")
                    .with("max-points: 1000")
                    .with(
                        """
                        actions:
                          like: { points: 1, undo: true }
                          coin: { points: 1, max-quantity: 5, max-per-day: 5 }
                        """)));
    world.now(NOON.plusSeconds(60));
    world.take(Fact.by("ann").on("post").at(NOON));
    world.take(Fact.by("bob").does("coin").times(5).at(NOON));
    day = world.settle(day);
  }

  private String late(Fact fact) {
    world.take(fact);
    return fact.id();
  }

  private String lateLike() {
    return late(Fact.by("ann").on("other").at(NOON.plusSeconds(5)));
  }

  private void accept(String... ids) {
    decide(Verdict.ACCEPTED, false, ids);
  }

  private void decide(Verdict verdict, boolean change, String... ids) {
    decisions.decide(day, List.of(ids), new Choice(verdict, "ann", "a slow line", change));
    world.pass(Duration.ofMillis(1));
  }

  private void assertRefused(Runnable work, String why) {
    var before = records.words("select late_event::text from late_event order by id");
    assertThatThrownBy(work::run).isInstanceOf(WrongState.class).hasMessageContaining(why);
    assertThat(records.words("select late_event::text from late_event order by id"))
        .as("nothing is changed")
        .isEqualTo(before);
  }

  @Test
  void aLateEventIsNotAcceptedIfTheJournalIsGone() {
    String id = lateLike();
    servers.unguarded(() -> servers.sql("delete from event where period_id = ?", day.id().value()));
    assertRefused(() -> accept(id), "late events cannot be evaluated");
  }

  @Test
  void eachDecisionIsKeptWithNameTimeAndReason() {
    String id = lateLike();
    accept(id);
    assertThat(
            records.words(
                "select concat_ws(' ', by, verb, period, member, reason, details->>'lateEvent')"
                    + " from audit_entry"))
        .containsExactly("ann accept 2026-11-20 ann a slow line " + id);
    assertThat(review.list(day.board(), day.name(), true, null, 10)).as("undecided").isEmpty();
  }

  @Test
  void aLateEventThatIsDecidedAgainIsVerifiedByItsLastDecision() {
    Fact like = Fact.by("ann").at(NOON.plusSeconds(5));
    String id = late(like.on("b").named("x"));
    String longer = late(like.on("c").named("x: a"));
    var slow = new Choice(Verdict.ACCEPTED, "ann", "a: slow line", false);
    decisions.decide(day, List.of(id), slow);
    decisions.decide(day, List.of(longer), slow);
    decisions.decide(day, List.of(id), new Choice(Verdict.DISMISSED, "ann", "a: repeat", true));
    assertThat(ofCorrections(records.verify())).isEmpty();
    assertThat(records.words("select concat_ws(' ', reason, details) from audit_entry order by id"))
        .containsExactly(
            "a: slow line {\"lateEvent\": \"x\"}",
            "a: slow line {\"lateEvent\": \"x: a\"}",
            "a: repeat {\"before\": \"accepted\", \"lateEvent\": \"x\"}");
  }

  @Test
  void aDecisionIsChangedOnlyOnRequest() {
    String id = lateLike();
    accept(id);
    assertRefused(() -> accept(id), "was accepted by ann at ");
    assertRefused(() -> decide(Verdict.ACCEPTED, true, id), "was accepted by ann at ");
    assertThatThrownBy(() -> decide(Verdict.DISMISSED, false, id))
        .asInstanceOf(InstanceOfAssertFactories.type(WrongState.class))
        .extracting(WrongState::next)
        .isEqualTo(
            List.of(
                Next.of("dismiss-late", day.board(), day.name())
                    .with("ids", id)
                    .with("change", true)));
    decide(Verdict.DISMISSED, true, id);
    revisions.amend(day, 1);
    assertThat(records.number("select count(*) from correction")).isZero();
  }

  @Test
  void aLateEventInARevisionCannotBeDecidedAgain() {
    String id = lateLike();
    accept(id);
    revisions.amend(day, 1);
    assertRefused(() -> decide(Verdict.DISMISSED, true, id), "counts in revision 2");
    revisions.reject(day, 2);
    decide(Verdict.DISMISSED, true, id);
    decide(Verdict.ACCEPTED, true, id);
    revisions.amend(day, 1);
    revisions.post(day, 3);
    assertRefused(() -> decide(Verdict.DISMISSED, true, id), "revision 3 of");
    assertThat(review.list(day.board(), day.name(), false, null, 10).get(0).included())
        .isEqualTo(3);
    assertThat(ofCorrections(records.verify())).isEmpty();
  }

  @Test
  void allUndecidedEventsAreAcceptedOrNone() {
    lateLike();
    String again = late(Fact.by("ann").on("post").at(NOON));
    assertRefused(this::accept, "ann did 'like' on 'post' already, which counts once per subject");
    decide(Verdict.DISMISSED, false, again);
    accept();
    assertRefused(this::accept, "no undecided late event");
    revisions.amend(day, 1);
    assertThat(records.words("select member || ' ' || points from amended_line"))
        .containsExactly("ann 2");
  }

  @Test
  void aLateUndoTakesBackAnEarlierActionOnce() {
    Fact like = Fact.by("ann").on("post").at(NOON);
    Fact other = Fact.by("ann").on("other").at(NOON);
    String undo = late(like.undone());
    String undoAgain = late(like.undone());
    String before = late(other.undone());
    assertRefused(() -> accept(before), "there is nothing to undo");
    accept(undo);
    assertRefused(() -> accept(undoAgain), "there is nothing to undo");
    String given = late(other);
    accept(given);
    assertRefused(() -> decide(Verdict.ACCEPTED, false, undoAgain), "there is nothing to undo");
    accept(before);
    assertRefused(() -> decide(Verdict.DISMISSED, true, given), "there is nothing to undo");
    revisions.amend(day, 1);
    assertThat(records.words("select member || ' ' || points from amended_line"))
        .containsExactly("ann 0");
    assertThat(ofCorrections(records.verify())).isEmpty();
  }

  @Test
  void aLateUndoTakesBackTheActionOfTheSameDay() {
    Period month =
        world.open(
            world.board(
                Rules.of("month")
                    .with("clock: event")
                    .with(
                        "actions: { like: { points: 1, once-per: subject-a-day, undo: true } }")));
    Fact first = Fact.by("ann").on("post").at(NOON);
    Fact second = first.again().at(NOON.plus(Duration.ofDays(1)));
    Fact third = first.again().at(NOON.plus(Duration.ofDays(2)));
    world.now(NOON.plus(Duration.ofDays(3)));
    world.take(first);
    day = world.settle(month);
    String undo = late(first.undone());
    String unknown = late(second.undone());
    String given = late(second);
    String givenAgain = late(second.again());
    String undone = late(second.undone());
    String last = late(third);
    assertRefused(() -> accept(unknown), "no 'like' on 'post' of that day that counts");
    accept(given);
    assertRefused(
        () -> accept(givenAgain),
        "ann did 'like' on 'post' on 2026-11-21 already, which counts once per subject a day");
    accept(last);
    accept(undone);
    accept(undo);
    revisions.amend(day, 1);
    assertThat(records.words("select member || ' ' || points from amended_line"))
        .containsExactly("ann 1");
    assertThat(ofCorrections(records.verify())).isEmpty();
  }

  @Test
  void lateEventsCountTowardsCaps() {
    String coin = late(Fact.by("bob").does("coin").at(NOON));
    assertRefused(() -> accept(coin), "reached the cap of 'coin' on a day, 5 times, on 2026-11-20");
    String four = late(Fact.by("cid").does("coin").times(4).at(NOON));
    String two = late(Fact.by("cid").does("coin").times(2).at(NOON));
    assertRefused(() -> accept(four, two), "reached the cap of 'coin' on a day");
    accept(four);
  }

  @Test
  void unknownIdsAndUnsettledPeriodsAreRefused() {
    assertRefused(() -> accept("nope"), "has no late event 'nope'");
    Period open = world.open(world.board(Rules.day()));
    servers.sql(
        """
        insert into late_event (
          board, period, id, member, action, undo, quantity, occurred_at, arrived_at)
        values (?, ?, 'x', 'ann', 'like', false, 1, now(), now())
        """,
        open.board().value(),
        open.name().value());
    assertThatThrownBy(
            () ->
                decisions.decide(
                    open, List.of("x"), new Choice(Verdict.ACCEPTED, "ann", "why", false)))
        .hasMessageContaining("is not settled yet, it is open");
  }

  @Test
  void lateEventsAreRefusedWithoutTheJournal() {
    String id = lateLike();
    servers.unguarded(
        () ->
            servers.sql(
                """
                update period
                set state = 'expired', expired_at = now(), archived_at = now()
                """));
    assertRefused(() -> accept(id), "the journal of");
  }

  @Test
  void allAcceptedEventsThatCountInNoRevisionAreDismissedTogether() {
    String undecided = late(Fact.by("bob").on("other").at(NOON.plusSeconds(7)));
    assertRefused(() -> decide(Verdict.DISMISSED, true), "no accepted late event");
    String counted = lateLike();
    accept(counted);
    revisions.amend(day, 1);
    revisions.post(day, 2);
    String accepted = late(Fact.by("ann").on("third").at(NOON.plusSeconds(9)));
    accept(accepted);
    decide(Verdict.DISMISSED, true);
    assertThat(
            records.words("select id || ' ' || coalesce(verdict, '') from late_event order by id"))
        .containsExactlyInAnyOrder(undecided + " ", counted + " accepted", accepted + " dismissed");
  }

  @Test
  void pointsByHandKeepTheTimeAndAreCopiedToLaterRevisions() {
    revisions.amend(day, 1, new ByHand("bob", 3), new ByHand("ann", 9));
    revisions.post(day, 2);
    assertThat(basis(2))
        .containsExactly(new Line(1, 1, "ann", 9, NOON), new Line(2, 2, "bob", 3, NOON));
    accept(lateLike());
    revisions.amend(day, 2, new ByHand("ann", 7));
    assertThat(basis(3))
        .containsExactly(
            new Line(1, 1, "ann", 7, NOON.plusSeconds(5)), new Line(2, 2, "bob", 3, NOON));
    assertThat(
            records.words(
                "select string_agg(points::text, ' ' order by n) from correction"
                    + " where revision = 3"))
        .as("as differences: bob's, ann's, the late event, ann's again")
        .containsExactly("-2 8 1 -3");
    assertThat(ofCorrections(records.verify())).isEmpty();
  }

  private List<Line> basis(int revision) {
    return revisions.basis(day, revision, false, false);
  }

  @Test
  void aMemberWithoutALineRanksBehindEqualPoints() {
    late(Fact.by("cid").at(NOON));
    revisions.amend(day, 1, new ByHand("cid", 5));
    assertThat(basis(2))
        .startsWith(
            new Line(1, 1, "bob", 5, NOON),
            new Line(2, 2, "cid", 5, day.slot().endsAt().minusMillis(1)));
  }

  @Test
  void impossiblePointsAreRefused() {
    assertRefusedByHand(new ByHand("ann", -1), "cannot have -1 points");
    assertRefusedByHand(new ByHand("ann", 1001), "they are from 0 to 1,000");
    assertRefusedByHand(new ByHand("ann", 1), "has 1 point on");
    assertRefusedByHand(new ByHand("anm", 7), "there is no member 'anm'");
  }

  private void assertRefusedByHand(ByHand points, String why) {
    assertThatThrownBy(() -> revisions.amend(day, 1, points))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining(why);
    assertThat(records.number("select count(*) from correction")).isZero();
  }

  @Test
  void aLateEventBeyondTheMostPointsIsRefused() {
    revisions.amend(day, 1, new ByHand("ann", 1000));
    revisions.post(day, 2);
    String id = lateLike();
    assertRefused(() -> accept(id), "ann would have 1,001 points, and the board allows 0 to 1,000");
  }

  @Test
  void anUndoOfMoreThanPointsByHandLeftIsRefused() {
    revisions.amend(day, 1, new ByHand("ann", 0));
    revisions.post(day, 2);
    String undo = late(Fact.by("ann").on("post").at(NOON).undone());
    assertRefused(() -> accept(undo), "ann would have -1 points, and the board allows 0 to 1,000");
  }

  /** The live board held 5 and would refuse 4; the line after the correction holds 3. */
  @Test
  void aLateValueIsComparedWithPointsByHand() {
    Board race =
        world.board(
            Rules.day()
                .with("clock: event")
                .with("scoring: best")
                .with("max-points: 1000")
                .with("actions:\n  run: {}"));
    day = world.open(race);
    Instant time = world.now();
    Fact run = Fact.by("ann").does("run").at(time).to(race);
    world.take(run.with(5));
    assertThat(world.take(run.again().with(4)).reason()).isEqualTo(RefusalReason.NOT_BETTER);
    day = world.settle(day);
    String id = late(run.again().with(4));
    assertRefused(() -> accept(id), "it improves nothing: ann has 5 points");
    revisions.amend(day, 1, new ByHand("ann", 3));
    revisions.post(day, 2);
    accept(id);
    revisions.amend(day, 2);
    assertThat(basis(3)).containsExactly(new Line(1, 1, "ann", 4, time));
    assertThat(ofCorrections(records.verify())).isEmpty();
  }

  @Test
  void aLateEventCountsOnABoardThatIsAtMaxEvents() {
    Board full =
        world.board(
            Rules.day().with("clock: event").with("tiebreak: arrival").with("max-events: 1"));
    day = world.open(full);
    Instant time = world.now();
    Fact like = Fact.by("ann").at(time).to(full);
    world.take(like.again().on("a"));
    assertThat(world.take(like.again().on("b")).reason()).isEqualTo(RefusalReason.MAX_EVENTS);
    day = world.settle(day);
    accept(late(like.again().on("b")));
    revisions.amend(day, 1);
    assertThat(basis(2)).containsExactly(new Line(1, 1, "ann", 2, time));
    assertThat(ofCorrections(records.verify())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update amended_line set points = points + 1 where member = 'ann'",
        "delete from amended_line where member = 'bob'",
        "update amended_line set reached_at = reached_at - interval '1 second'",
        "insert into amended_line select period_id, revision, 'eve', 1, 0, 0, reached_at"
            + " from amended_line where member = 'ann'",
        "update correction set points = points + 1 where kind = 'late-event'",
        "update correction set points = points + 1 where kind = 'points'",
        "update correction set member = 'bob' where kind = 'late-event'",
        "delete from correction where revision = 3 and kind = 'points'",
        "update correction set reason = 'another' where revision = 2",
        "update late_event set quantity = 2",
        "update late_event set verdict = 'dismissed'",
        "delete from late_event"
      })
  void verificationNamesEachTampering(String tampering) {
    accept(lateLike());
    revisions.amend(day, 1, new ByHand("bob", 3));
    revisions.post(day, 2);
    revisions.amend(day, 2);
    assertThat(ofCorrections(records.verify())).isEmpty();
    List<Difference> found = servers.tampered(tampering, () -> ofCorrections(records.verify()));
    assertThat(found).isNotEmpty();
  }
}
