package palmares.operations.batches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.tasks.TaskLeases;
import palmares.period.ImportRuns;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Acts;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Batches: one verb over many periods. */
@WorldTest
class BatchesTest {
  private static final Predicate<Batch.Item> ALL = item -> true;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private Approvals approvals;
  @Autowired private Leases leases;
  @Autowired private Revisions revisions;
  @Autowired private Batches batches;
  @Autowired private Acts acts;
  @Autowired private ImportRuns imports;
  @Autowired private PeriodTimeline timeline;
  @Autowired private BatchRunner runner;
  @Autowired private TaskLeases taskLeases;
  @Autowired private ApiKeys keys;
  @Autowired private AuditLog auditLog;
  @Autowired private TransactionTemplate transaction;

  private List<Period> over(Board board, int days) {
    var periods = new ArrayList<Period>();
    for (int day = 0; day < days; day++) {
      periods.add(world.open(board));
      world.takeAll(Contest.facts(), World.ANYBODY);
      world.pass(Duration.ofDays(1));
    }
    return periods;
  }

  private List<Period> settled(Rules rules, int days) {
    return over(world.board(rules), days).stream().map(world::settle).toList();
  }

  private Exclusion exclude(String member) {
    return exclusions.exclude(
        Terms.always(new MemberId(member), ExclusionLevel.HIDDEN), "cheats", "ann");
  }

  private static TreeSet<Long> one(long id) {
    return new TreeSet<>(Set.of(id));
  }

  private Batch amended(String member) {
    Batch batch = acts.amend(one(exclude(member).id()), "bob", "out");
    return runner.run(batch.id(), ALL).orElseThrow();
  }

  private Batch approve(Batch batch, String digest, String by) {
    return runner.run(acts.approve(batch.id(), digest, by, "fine").id(), ALL).orElseThrow();
  }

  private Batch reject(Batch batch, String digest) {
    return acts.reject(batch.id(), digest, "dan", "wrong");
  }

  private void rejectAmendment(Period period) {
    amendments.reject(
        period.id(), new Amendments.Decision(null, null, "dan", "not this one"), () -> {});
  }

  private List<State> states(Batch batch) {
    return batches.items(batch.id(), null, 0, 100).stream().map(Item::state).toList();
  }

  private static Batch.Counts done(long number) {
    return new Batch.Counts(0, number, 0, 0, 0, 0);
  }

  /** Each period costs more than the budget of its month. */
  private static Rules overTheMonth(String payout) {
    return Contest.rules()
        .with("rewards: [{ rule: each, taking-part: 100 }]")
        .with("payout: { budget: { credits: { month: 100 } }%s }".formatted(payout));
  }

  private Batch closed(Board board) {
    return runner.run(acts.close(range(board), "eve", "late").id(), ALL).orElseThrow();
  }

  private long again(Batch batch) {
    batches.resume(batch.id(), "bob");
    return batch.id();
  }

  private static String others(Item item) {
    return String.valueOf(item.message()).replaceAll(".* the ([0-9,]+) of the month.*", "$1");
  }

  @Test
  void oneApprovalOfWhatWasShownPostsAllOfItOverTheBudgetOfAMonth() {
    Exclusion wrong = exclude("ann");
    Board board = world.board(overTheMonth(""));
    List<Period> days = over(board, 3);
    Batch closed = closed(board);
    assertThat(states(closed)).containsOnly(State.HELD);
    Batch approved = approve(closed, batches.page(closed.id()).digest(), "cid");
    assertThat(approved.counts()).isEqualTo(done(3));
    assertThat(days).allMatch(day -> world.again(day).state() == PeriodState.SETTLED);

    exclusions.lift(wrong.id(), "is innocent", "ann");
    Batch amended = runner.run(acts.amend(one(wrong.id()), "bob", "in").id(), ALL).orElseThrow();
    ApprovalPage shown = batches.page(amended.id());
    assertThat(shown.reasons().keySet())
        .as("each with the others as they were")
        .hasSize(1)
        .allMatch(HoldReason.MonthBudget.class::isInstance);
    assertThat(approve(amended, shown.digest(), "cid").counts()).isEqualTo(done(3));
    assertThat(days).allMatch(day -> world.again(day).revision() == 2);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void whatAnotherApprovalAddsToTheMonthHoldsTheRestOfABatch() {
    Board board = world.board(overTheMonth(""));
    List<Period> days = over(board, 4);
    Batch closed = closed(board);
    Batch later = acts.approve(closed.id(), batches.page(closed.id()).digest(), "cid", "fine");
    // Restarted, the last one is not what the batch was shown; it is paid before the others are.
    approvals.reject(days.get(3).id(), new ApprovalDecision("dan", "no", null));
    approvals.restart(days.get(3).id(), new ApprovalDecision("dan", "again", null));
    world.close(days.get(3));
    var unaware = revisions.find(days.get(3).id(), 1).orElseThrow().digest();
    approvals.approve(days.get(3).id(), new ApprovalDecision("dan", "fine", null, unaware));
    world.close(days.get(3));
    long paid = records.number("select sum(amount) from transfer");
    Batch ran = runner.run(later.id(), ALL).orElseThrow();
    assertThat(states(ran)).containsExactly(State.HELD, State.HELD, State.HELD, State.DONE);
    assertThat(batches.items(ran.id(), State.HELD, 0, 9))
        .extracting(BatchesTest::others)
        .containsOnly("%,d".formatted(paid));
    Batch again = approve(closed, batches.page(closed.id()).digest(), "cid");
    assertThat(again.counts()).isEqualTo(done(3));
    assertThat(records.verify().named()).isEmpty();
  }

  /** Its closing would make what the import still brings late. */
  @Test
  void aPeriodThatAnImportFillsIsNeitherClosedNorRestarted() {
    Board board = world.board(Contest.rules());
    var run = imports.begin("a history", "local:test");
    Instant then = world.now().minus(Duration.ofDays(3));
    Period past = timeline.openForImport(run, board, then).orElseThrow();
    for (var begun :
        List.of(
            acts.close(range(board), "eve", "late"),
            acts.restart(new PeriodRange(board.id(), null, null, "open"), "eve", "late"))) {
      runner.run(begun.id(), ALL);
      assertThat(batches.items(begun.id(), State.REFUSED, 0, 9))
          .singleElement()
          .satisfies(item -> assertThat(text(item)).contains("being filled by an import"));
    }
    List<Fact> facts = Contest.facts().stream().map(fact -> fact.at(then)).toList();
    assertThat(records.words("select verb from audit_entry"))
        .containsExactlyInAnyOrder("close-batch", "restart-batch");
    assertThat(world.take(facts, new EventOrigin.History(run)))
        .noneMatch(outcome -> outcome.kind() == EventOutcome.Kind.LATE);
    imports.end(run, imports.now());
    assertThat(closed(board).counts()).isEqualTo(done(1));
    assertThat(records.paid(past)).isEqualTo(Contest.PAID);
  }

  /** The import was killed, and is run again while the closing drains the journal. */
  @Test
  void aPeriodIsNotSealedUnderAnImportThatBeginsDuringItsClosing() {
    Board board = world.board(Contest.rules());
    Instant then = world.now().minus(Duration.ofDays(3));
    List<Fact> facts = Contest.facts().stream().map(fact -> fact.at(then)).toList();
    Period past =
        timeline.openForImport(imports.begin("a history", "local:test"), board, then).orElseThrow();
    world.pass(Duration.ofMinutes(1));
    var again = imports.begin("a history", "local:test");
    assertThat(world.close(past, step -> world.take(facts, new EventOrigin.History(again))).text())
        .contains("is being filled by an import");
    imports.end(again, imports.now());
    world.settle(past);
    assertThat(records.paid(past)).isEqualTo(Contest.PAID);
  }

  /** The first approver was not shown what the batch of the second one posts before. */
  @Test
  void whoApprovedAPeriodAloneDoesNotApproveItWithTheRestOfABatch() {
    Board board = world.board(overTheMonth(", approval: two-person"));
    List<Period> days = over(board, 2);
    Batch closed = closed(board);
    for (Period day : days) {
      String digest = revisions.find(day.id(), 1).orElseThrow().digest();
      approvals.approve(day.id(), new ApprovalDecision("cid", "fine", null, digest));
    }
    Batch alone = approve(closed, batches.page(closed.id()).digest(), "dan");
    assertThat(states(alone)).containsExactly(State.DONE, State.HELD);
    Batch rest = approve(closed, batches.page(closed.id()).digest(), "cid");
    assertThat(states(rest)).as("one of two").containsExactly(State.HELD);
    assertThat(approve(closed, batches.page(closed.id()).digest(), "dan").counts())
        .isEqualTo(done(1));
  }

  @Test
  void twoPeopleApproveABatchOverTheBudgetOfAMonthOnceEach() {
    Board board = world.board(overTheMonth(", approval: two-person"));
    over(board, 3);
    Batch closed = closed(board);
    String digest = batches.page(closed.id()).digest();
    assertThat(states(approve(closed, digest, "cid"))).containsOnly(State.HELD);
    assertThat(approve(closed, digest, "dan").counts()).isEqualTo(done(3));
    assertThat(records.verify().named()).isEmpty();
  }

  /** The loop of a scheduler takes a batch whose runner has stalled. */
  @Test
  void aRunnerThatHasLostItsBatchLeavesItToTheOther() {
    settled(Contest.rules(), 2);
    Batch batch = acts.amend(one(exclude("ann").id()), "bob", "out");
    int[] asked = {0};
    var lost =
        runner.run(
            batch.id(),
            item -> {
              if (asked[0]++ == 0) {
                world.pass(TaskLeases.LEASE_DURATION);
                int[] others = {0};
                assertThat(runner.run(batch.id(), other -> others[0]++ == 0)).isPresent();
              }
              return true;
            });
    assertThat(lost).isEmpty();
    assertThat(asked[0]).as("it goes on with none").isOne();
    assertThat(states(batches.get(batch.id()))).containsExactly(State.DONE, State.PENDING);
    assertThat(runner.run(batch.id(), ALL).orElseThrow().counts()).isEqualTo(done(2));
  }

  @Test
  void whatAnotherRunnerHasRecordedIsNoFailure() {
    List<Period> days = settled(Contest.rules(), 2);
    Batch batch = acts.amend(one(exclude("ann").id()), "bob", "out");
    servers.sql(
        """
        create function recorded_by_another() returns trigger language plpgsql as
          $$ begin return null; end $$
        """);
    servers.sql(
        """
        create trigger recorded before update on task_item
          for each row when (old.n = 1) execute function recorded_by_another()
        """);
    try {
      Batch ran = runner.run(batch.id(), ALL).orElseThrow();
      assertThat(states(ran)).containsExactly(State.PENDING, State.DONE);
    } finally {
      servers.sql("drop function recorded_by_another cascade");
    }
    assertThat(revisions.find(days.get(0).id(), 2)).as("it is the other's").isEmpty();
  }

  @Test
  void aRunnerKeepsItsBatchWhileAPeriodTakesLong() {
    settled(Contest.rules(), 1);
    Batch batch = acts.amend(one(exclude("ann").id()), "bob", "out");
    taskLeases.beatEvery(Duration.ofMillis(1));
    try {
      runner.run(
          batch.id(),
          item -> {
            for (int i = 0; i < 3; i++) {
              world.pass(TaskLeases.LEASE_DURATION.minusSeconds(1));
              awaitRunnerUntil(world.now().plus(TaskLeases.LEASE_DURATION));
            }
            assertThat(runner.run(batch.id(), ALL)).isEmpty();
            return true;
          });
    } finally {
      taskLeases.beatEvery(TaskLeases.HEARTBEAT_INTERVAL);
    }
    assertThat(batches.get(batch.id()).counts()).isEqualTo(done(1));
  }

  private void awaitRunnerUntil(Instant time) {
    String kept = "select count(*) from task where runner_until >= '%s'".formatted(time);
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (records.number(kept) == 0) {
      assertThat(System.nanoTime()).as("no heartbeat").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /** A batch takes 1,000 exclusions; those of the next batch are frozen by the first one, too. */
  @Test
  void aSecondBatchLeavesWhatTheFirstHasPreparedAsItIs() {
    settled(Contest.rules(), 2);
    TreeSet<Long> first = one(exclude("ann").id());
    TreeSet<Long> second = one(exclude("bob").id());
    Batch one = runner.run(acts.amend(first, "bob", "out").id(), ALL).orElseThrow();
    Batch next = acts.amend(second, "bob", "out");
    Batch two = runner.run(next.id(), ALL).orElseThrow();
    assertThat(states(two)).containsOnly(State.UNCHANGED);
    assertThat(text(batches.items(two.id(), null, 0, 1).get(0)))
        .isEqualTo("revision 2 has these exclusions already, and is not decided yet: approve that");
    Batch late = acts.amend(one(exclude("dan").id()), "bob", "out");
    assertThat(states(runner.run(late.id(), ALL).orElseThrow())).containsOnly(State.REFUSED);
    approve(one, batches.page(one.id()).digest(), "cid");
    assertThatThrownBy(() -> acts.amend(second, "bob", "out"))
        .hasMessageContaining("no settled period would change");
  }

  @Test
  void whatHasChangedSinceItWasShownIsNeitherApprovedNorRejected() {
    List<Period> days = settled(Contest.rules(), 3);
    Batch batch = amended("ann");
    ApprovalPage shown = batches.page(batch.id());
    Period changed = days.get(1);
    rejectAmendment(changed);

    List<ThrowingCallable> decisions =
        List.of(
            () -> acts.approve(batch.id(), shown.digest(), "cid", "fine"),
            () -> reject(batch, shown.digest()));
    for (ThrowingCallable decision : decisions) {
      assertThatThrownBy(decision)
          .isInstanceOf(WrongState.class)
          .hasMessageContaining("batch %d has changed since it was shown", batch.id())
          .hasMessageContaining(batches.page(batch.id()).digest());
    }
    assertThat(world.again(days.get(0)).revision()).isEqualTo(1);
    assertThat(batches.page(batch.id()).periods()).isEqualTo(2);
  }

  @Test
  void whatChangesAfterTheApprovalBeganIsRefusedAndTheOthersArePosted() {
    List<Period> days = settled(Contest.rules(), 3);
    Batch batch = amended("ann");
    Batch approval = acts.approve(batch.id(), batches.page(batch.id()).digest(), "cid", "fine");
    Period changed = days.get(1);
    rejectAmendment(changed);
    amendments.prepare(changed.id(), new AmendmentRequest("dan", "again", null, Map.of()));

    Batch ended = runner.run(approval.id(), ALL).orElseThrow();
    assertThat(states(ended)).containsExactly(State.DONE, State.REFUSED, State.DONE);
    assertThat(world.again(changed).revision()).isEqualTo(1);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aRejectionThatWasBegunIsContinuedByTheSameDigest() {
    Board board = world.board(Contest.rules().with("payout: { approval: required }"));
    List<Period> days = over(board, 3);
    Batch closed = runner.run(acts.close(range(board), "eve", "due").id(), ALL).orElseThrow();
    String digest = batches.page(closed.id()).digest();
    Batch begun = reject(closed, digest);
    assertThat(runner.run(begun.id(), item -> item.n() == 1).orElseThrow().counts().done())
        .isEqualTo(1);
    assertThat(reject(closed, digest).id()).isEqualTo(begun.id());
    assertThatThrownBy(() -> acts.reject(closed.id(), digest, "cid", "another"))
        .hasMessageContaining("has changed since it was shown");

    Period changed = days.get(1);
    approvals.hold(changed.id(), "fay", "doubt");
    Batch ended = runner.run(begun.id(), ALL).orElseThrow();
    assertThat(states(ended)).containsExactly(State.DONE, State.REFUSED, State.DONE);
    assertThat(days.stream().map(day -> world.again(day).state()))
        .containsExactly(PeriodState.REJECTED, PeriodState.HELD, PeriodState.REJECTED);
  }

  @Test
  void twoPeopleWhoHaveNeitherPreparedNorExcludedMustApprove() {
    Board board = world.board(Contest.rules().with("payout: { approval: two-person }"));
    List<Period> days = over(board, 2);
    Batch closed = runner.run(acts.close(range(board), "eve", "by hand").id(), ALL).orElseThrow();
    assertThat(closed.counts()).isEqualTo(new Batch.Counts(0, 0, 0, 2, 0, 0));
    String digest = batches.page(closed.id()).digest();
    assertThat(approve(closed, digest, "eve").counts())
        .isEqualTo(new Batch.Counts(0, 0, 0, 0, 2, 0));
    assertThat(approve(closed, digest, "cid").counts())
        .isEqualTo(new Batch.Counts(0, 0, 0, 2, 0, 0));
    assertThat(approve(closed, digest, "dan").counts()).isEqualTo(done(2));
    assertThat(days).allMatch(day -> world.again(day).state() == PeriodState.SETTLED);

    Batch batch = amended("ann");
    digest = batches.page(batch.id()).digest();
    for (String shaper : List.of("ann", "bob")) {
      assertThat(approve(batch, digest, shaper).counts())
          .as(shaper)
          .isEqualTo(new Batch.Counts(0, 0, 0, 0, 2, 0));
    }
    assertThat(approve(batch, digest, "cid").counts())
        .isEqualTo(new Batch.Counts(0, 0, 0, 2, 0, 0));
    assertThat(world.again(days.get(0)).revision()).isEqualTo(1);
    assertThat(approve(batch, digest, "cid").counts())
        .as("the same person again")
        .isEqualTo(new Batch.Counts(0, 0, 0, 0, 2, 0));
    assertThat(approve(batch, digest, "dan").counts()).isEqualTo(done(2));
    assertThat(world.again(days.get(0)).revision()).isEqualTo(2);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aBatchStopsOnceWhoBeganItMayNotActAnyMore() {
    Board board = world.board(Contest.rules());
    over(board, 10);
    keys.create(new NewKey("night", Set.of(Role.OPERATOR), Set.of(), null), "ann", "closes");
    Batch begun = acts.close(range(board), "key:night", "by hand");
    Batch stopped =
        runner
            .run(
                begun.id(),
                item -> {
                  if (item.n() == 4) {
                    keys.revoke("night", "ann", "lost");
                  }
                  return true;
                })
            .orElseThrow();
    assertThat(stopped.counts()).isEqualTo(new Batch.Counts(7, 3, 0, 0, 0, 0));
    assertThat(stopped.endedAt()).isNotNull();
    assertThat(batches.items(stopped.id(), Batch.State.PENDING, 0, 10))
        .hasSize(7)
        .allMatch(item -> "key:night may not do this any more".equals(text(item)));
    batches.resume(stopped.id(), "bob");
    assertThat(runner.run(stopped.id(), ALL).orElseThrow().counts()).isEqualTo(stopped.counts());
  }

  @Test
  void aBatchThatIsCancelledLeavesTheRestUntilItIsResumed() {
    Board board = world.board(Contest.rules());
    over(board, 4);
    Batch begun = acts.close(range(board), "eve", "by hand");
    Batch cancelled =
        runner
            .run(
                begun.id(),
                item -> {
                  if (item.n() == 2) {
                    batches.cancel(begun.id(), "bob", "wrong month");
                  }
                  return true;
                })
            .orElseThrow();
    assertThat(cancelled.counts()).isEqualTo(new Batch.Counts(3, 1, 0, 0, 0, 0));
    assertThat(cancelled.endedAt()).isNotNull();
    assertThat(batches.items(begun.id(), Batch.State.PENDING, 0, 10))
        .isNotEmpty()
        .allMatch(item -> "bob cancelled the batch: wrong month".equals(text(item)));
    assertThatThrownBy(() -> batches.cancel(begun.id(), "bob", "again"))
        .isInstanceOf(WrongState.class);
    batches.resume(begun.id(), "eve");
    assertThat(runner.run(begun.id(), ALL).orElseThrow().counts()).isEqualTo(done(4));
  }

  private static PeriodRange range(Board board) {
    return new PeriodRange(board.id(), null, null, null);
  }

  @Test
  void laterPeriodsOfABoardWaitForOneThatIsHeldAndOtherBoardsDoNot() {
    List<Period> first = settled(Contest.rules(), 3);
    List<Period> second = settled(Contest.rules(), 2);
    Batch batch = acts.amend(one(exclude("ann").id()), "bob", "out");
    Lease held = leases.take(first.get(1).id(), "somebody else").orElseThrow();

    Batch stopped = runner.run(batch.id(), ALL).orElseThrow();
    assertThat(stopped.endedAt()).isNull();
    assertThat(pending(stopped)).containsExactly(first.get(1).label(), first.get(2).label());

    leases.release(held);
    assertThat(runner.run(batch.id(), ALL).orElseThrow().counts()).isEqualTo(done(5));
    assertThat(second).hasSize(2);
  }

  /** What it has tried before would stay as it was. */
  @Test
  void aBatchThatIsResumedWhileItRunsIsNotOver() {
    settled(Contest.rules(), 2);
    Batch batch = acts.amend(one(exclude("ann").id()), "bob", "out");
    Batch ran =
        runner
            .run(
                batch.id(),
                item -> {
                  if (item.n() == 2) {
                    batches.resume(batch.id(), "eve");
                  }
                  return true;
                })
            .orElseThrow();
    assertThat(ran.counts()).isEqualTo(done(2));
    assertThat(ran.endedAt()).isNull();
    assertThat(runner.run(batch.id(), ALL).orElseThrow().endedAt()).isNotNull();
  }

  private List<String> pending(Batch batch) {
    return batches.items(batch.id(), State.PENDING, 0, 100).stream().map(Item::label).toList();
  }

  @Test
  void aPeriodThatFailsStopsItsBoardUntilTheBatchIsResumed() {
    Board board = world.board(Contest.rules());
    List<Period> days = over(board, 3);
    servers.flush();
    Batch batch = acts.close(range(board), "bob", "after the outage");
    Batch ended = runner.run(batch.id(), ALL).orElseThrow();
    assertThat(states(ended)).containsExactly(State.FAILED, State.PENDING, State.PENDING);
    assertThat(ended.endedAt()).isNotNull();
    assertThat(days).allMatch(day -> !world.again(day).state().isSettled());

    Batch again = runner.run(again(batch), ALL).orElseThrow();
    assertThat(states(again)).containsExactly(State.FAILED, State.PENDING, State.PENDING);
  }

  /** It is accepted as if by a program that evaluates nothing: there is no action to take back. */
  @Test
  void aLateEventThatCannotCountRefusesItsPeriodAndTheLaterOnesAreAmended() {
    Rules rules = Contest.rules().with("clock: event");
    Board board = world.board(rules);
    List<Period> days = new ArrayList<>();
    for (int day = 0; day < 3; day++) {
      days.add(world.open(board));
      Contest.facts().forEach(fact -> world.take(fact.at(world.now())));
      world.pass(Duration.ofDays(1));
    }
    days.forEach(world::settle);
    Fact taken = Fact.by("ann").on("nothing").at(days.get(1).slot().startsAt());
    world.take(taken.undone());
    servers.sql(
        """
        update late_event
        set verdict = 'accepted', decided_by = 'zoe', decided_at = now(), verdict_reason = 'r'
        """);
    Batch ended = amended("bob");
    assertThat(states(ended)).containsExactly(State.DONE, State.REFUSED, State.DONE);
    assertThat(text(batches.items(ended.id(), State.REFUSED, 0, 9).get(0)))
        .contains("was accepted, but cannot count any more", "dismiss it first");
    assertThatThrownBy(() -> batches.resume(ended.id(), "bob"))
        .as("a refused period is not tried again")
        .hasMessageContaining("has nothing left to do");
  }

  @Test
  void aRangeIsClosedInOrderAndOnlyWhatIsDue() {
    Board board = world.board(Contest.rules());
    List<Period> days = over(board, 4);
    Period open = world.open(board);
    var range =
        new PeriodRange(
            board.id(), days.get(1).slot().startsAt(), days.get(3).slot().startsAt(), null);
    Batch batch = runner.run(acts.close(range, "bob", "first").id(), ALL).orElseThrow();
    assertThat(batch.counts()).isEqualTo(done(2));
    assertThat(days.stream().map(day -> world.again(day).state()))
        .containsExactly(
            PeriodState.OPEN, PeriodState.SETTLED, PeriodState.SETTLED, PeriodState.OPEN);
    assertThat(runner.run(acts.close(range(board), "bob", "rest").id(), ALL).orElseThrow())
        .extracting(Batch::counts)
        .isEqualTo(done(2));
    assertThat(world.again(open).state()).isEqualTo(PeriodState.OPEN);
    assertThatThrownBy(() -> acts.close(range(board), "bob", "again"))
        .isInstanceOf(WrongState.class)
        .hasMessage("there is no period to close in: " + board.id());
    assertThatThrownBy(
            () -> acts.close(new PeriodRange(board.id(), null, null, "settled"), "bob", "again"))
        .hasMessageStartingWith("a period that is 'settled' cannot be closed; the states are");
  }

  @Test
  void rejectedClosingsOfARangeAreRestarted() {
    Board board = world.board(Contest.rules().with("payout: { approval: required }"));
    List<Period> days = over(board, 2);
    Batch closed = runner.run(acts.close(range(board), "eve", "due").id(), ALL).orElseThrow();
    Batch rejected =
        runner.run(reject(closed, batches.page(closed.id()).digest()).id(), ALL).orElseThrow();
    assertThat(rejected.counts()).isEqualTo(done(2));
    assertThat(days).allMatch(day -> world.again(day).state() == PeriodState.REJECTED);

    Batch restarted =
        runner.run(acts.restart(range(board), "eve", "right now").id(), ALL).orElseThrow();
    assertThat(restarted.counts()).isEqualTo(new Batch.Counts(0, 0, 0, 2, 0, 0));
    ApprovalPage page = batches.page(restarted.id());
    assertThat(page.sums())
        .singleElement()
        .satisfies(sum -> assertThat(sum.gets()).isEqualByComparingTo("3360"));
    assertThat(approve(restarted, page.digest(), "dan").counts()).isEqualTo(done(2));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void moreThanTenThousandPeriodsAreRefused() {
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.take(Fact.by("ann"));
    servers.sql(
        """
        insert into period (
          board, name, starts_at, ends_at, closes_at, definition_hash, opened_at, expires_at)
        select board, 'old-' || n, starts_at - n * interval '1 day', ends_at - n * interval '1 day',
          closes_at - n * interval '1 day', definition_hash, opened_at, expires_at
        from period, generate_series(1, 10000) as n
        where id = %s
        """
            .formatted(day.id()));
    world.due(day);
    assertThatThrownBy(() -> acts.close(range(board), "bob", "all"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("more than 10,000 periods");
    assertThat(records.number("select count(*) from task where target is not null")).isZero();
    var bounded = new PeriodRange(board.id(), null, day.slot().startsAt(), null);
    assertThat(acts.close(bounded, "bob", "all").counts().pending()).isEqualTo(10_000);
  }

  @Test
  void whatCannotBeginSaysWhy() {
    assertThatThrownBy(() -> acts.amend(one(7), "bob", "out"))
        .hasMessage("there is no exclusion 7");
    assertThatThrownBy(() -> batches.get(7)).hasMessage("there is no batch 7");
    settled(Contest.rules(), 1);
    long stranger = exclude("nobody").id();
    assertThatThrownBy(() -> acts.amend(one(stranger), "bob", "out"))
        .hasMessageStartingWith("no settled period would change for exclusion ");
    assertThatThrownBy(
            () -> acts.restart(new PeriodRange(new BoardId("x"), null, null, null), "bob", "out"))
        .hasMessage("there is no period to restart in: x");
  }

  private static String text(Batch.Item item) {
    return Texts.english(Objects.requireNonNull(item.message()));
  }
}
