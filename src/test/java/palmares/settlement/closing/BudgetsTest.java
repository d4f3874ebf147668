package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.list;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Next;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Fact;
import palmares.testing.OwnTables;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * No closing or amendment exceeds a budget unless a person has approved the figures, even if
 * several are paid at once.
 */
@WorldTest
class BudgetsTest {
  private static final String MONTH = "budget: { credits: { month: 250 } }";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Closings closings;
  @Autowired private Approvals approvals;
  @Autowired private Amendments amendments;
  @Autowired private Exclusions exclusions;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Revisions revisions;
  @Autowired private TransactionTemplate transaction;

  /** Days that are to pay 100 credits each, closed one after the other. */
  List<Period> days(Board board, int number) {
    var days = new ArrayList<Period>();
    for (int i = 0; i < number; i++) {
      Period day = world.open(board);
      world.take(Fact.by("ann").on("post-" + day.name()));
      world.close(day);
      days.add(world.again(day));
    }
    return days;
  }

  static Rules prizes(String payout) {
    return Rules.day()
        .with("rewards: [{ rule: each, taking-part: 100 }]")
        .with("payout: { " + payout + " }");
  }

  /** The day of 30 November ends on 1 December. */
  @ParameterizedTest
  @ValueSource(strings = {"04:00", "12:00"})
  void aDayThatEndsOnTheFirstIsOfTheMonthOfItsDate(String startsAt) {
    world.now(Instant.parse("2026-11-29T13:00:00Z"));
    Board board =
        world.board(prizes("budget: { credits: { month: 150 } }").with("starts-at: " + startsAt));
    var days = days(board, 3);
    assertThat(days)
        .extracting(day -> day.name().value(), Period::state)
        .containsExactly(
            tuple("2026-11-29", PeriodState.SETTLED),
            tuple("2026-11-30", PeriodState.HELD),
            tuple("2026-12-01", PeriodState.SETTLED));
  }

  private long paid() {
    return records.number("select coalesce(sum(amount), 0) from transfer");
  }

  private Revision revision(Period period, int number) {
    return revisions.find(period.id(), number).orElseThrow();
  }

  private ClosingResult go(Period period) {
    return closings.close(period.id(), ClosingCause.of("test"), step -> {});
  }

  @Test
  void onlyHeldDaysWithinTheMonthsBudgetAreReleased() {
    var days = days(world.board(prizes("approval: required, release-at: '09:00', " + MONTH)), 6);
    world.pass(Duration.ofDays(2));
    assertThat(duePeriods.due()).hasSize(6);
    days.forEach(this::go);
    assertThat(paid()).isEqualTo(200);
    Period third = world.again(days.get(2));
    assertThat(third.state()).isEqualTo(PeriodState.HELD);
    assertThat(revision(third, 1).heldFor())
        .extracting(Texts::english)
        .contains(
            "100 credits and the 200 of the month's other periods are over the month's budget of"
                + " 250");
    assertThat(
            records.words(
                """
                select period from fact
                where type = 'period.held' and data ->> 'releaseAt' is null
                order by id
                """))
        .as("which their first facts did not say")
        .isEqualTo(days.subList(2, 6).stream().map(day -> day.name().value()).toList());
    world.pass(Duration.ofDays(9));
    assertThat(duePeriods.due()).as("no hour releases them").isEmpty();

    assertThatThrownBy(
            () -> approvals.approve(third.id(), new ApprovalDecision("ann", "fine", null)))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("exceeds a budget: 100 credits and the 200")
        .asInstanceOf(type(WrongState.class))
        .extracting(WrongState::next, list(Next.class))
        .containsExactly(
            Next.of("approve", third.board(), third.name())
                .with("expect", revision(third, 1).digest()));
    String seen = revision(third, 1).digest();
    assertThat(approvals.approve(third.id(), new ApprovalDecision("ann", "fine", null, seen)))
        .isEmpty();
    Period fourth = days.get(3);
    String before = revision(fourth, 1).digest();
    assertThat(approvals.approve(fourth.id(), new ApprovalDecision("ann", "fine", null, before)))
        .as("the figures are no longer those that were shown")
        .extracting(Texts::english)
        .containsExactly(
            "100 credits and the 300 of the month's other periods are over the month's budget of"
                + " 250");
    go(third);
    go(fourth);
    assertThat(paid()).isEqualTo(300);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anApprovalIsKeptIfTheMonthCostsLessThanWasShown() {
    Board board = world.board(prizes("budget: { credits: { month: 50 } }"));
    Period first = days(board, 1).get(0);
    approvals.approve(first.id(), new ApprovalDecision("bob", "so", null, digest(first)));
    go(first);
    Period second = days(board, 1).get(0);
    String shown = digest(second);
    assertThat(revision(second, 1).heldFor())
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("the 100 of");
    Instant end = first.slot().endsAt();
    exclusions.exclude(
        new Terms(new MemberId("ann"), ExclusionLevel.NO_PRIZE, null, null, end), "cheats", "zoe");
    amendments.prepare(first.id(), new AmendmentRequest("zoe", "cheats", null, Map.of()));
    amendments.approve(first.id(), 2, "bob", "so");
    assertThat(approvals.approve(second.id(), new ApprovalDecision("bob", "so", null, shown)))
        .as("with the 0 of the month's other periods")
        .isEmpty();
  }

  private String digest(Period period) {
    return revision(period, 1).digest();
  }

  /** One person approves several outcomes, each of which was shown before the others cost. */
  @Test
  void whatIsApprovedTogetherIsNoNews() {
    List<Period> days = days(world.board(prizes("budget: { credits: { month: 50 } }")), 3);
    var shown = days.stream().map(this::digest).toList();
    var together = new HashSet<Integer>();
    for (int i = 0; i < days.size(); i++) {
      Period day = days.get(i);
      var decision = new ApprovalDecision("ann", "all", null, shown.get(i), together, false);
      assertThat(approvals.approve(day.id(), decision)).isEmpty();
      together.add(revisions.outcome(day.id(), Revision.FIRST));
    }
  }

  @Test
  @Tag(OwnTables.TAG)
  void eachOutcomeOfAnAmendedDayCountsOnce() {
    Board board = world.board(prizes("budget: { credits: { month: 450 } }"));
    days(board, 2).forEach(day -> amend(day, "bob"));
    assertThat(paid()).isEqualTo(400);
    assertThat(revision(days(board, 1).get(0), 1).heldFor())
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("the 400 of the month's other periods");
  }

  @Test
  @Tag(OwnTables.TAG)
  void theUsualAmountIsThatOfPresentOutcomes() {
    Board board = world.board(prizes("unusual: 2"));
    List<Period> days = days(board, 3);
    amend(days.get(0), "bob");
    amend(days.get(2), "bob", "cid");
    assertThat(world.close(world.open(board)).text())
        .as("the median of 200, 100 and 300")
        .contains("far from the usual 200");
  }

  /** Gives members points of a settled day. */
  private void amend(Period day, String... members) {
    var change = new HashMap<MemberId, Long>();
    for (String member : members) {
      servers.register(member);
      change.put(new MemberId(member), 7L);
    }
    amendments.prepare(day.id(), new AmendmentRequest("zoe", "forgotten", null, change));
    amendments.approve(day.id(), 2, revision(day, 2).digest(), "bob", "so");
  }

  @Test
  @Tag(OwnTables.TAG)
  void concurrentPaymentsDoNotExceedTheMonthsBudget() throws Exception {
    String release = "approval: required, release-at: '09:00', ";
    var days = days(world.board(prizes(release + MONTH)), 3);
    world.pass(Duration.ofDays(2));
    atOnce("transfer", days, day -> () -> go(day));
    assertThat(paid()).isEqualTo(200);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void concurrentApprovalsDoNotExceedTheMonthsBudget() throws Exception {
    var days = days(world.board(prizes("approval: required, " + MONTH)), 3);
    atOnce(
        "approval",
        days,
        day -> () -> approvals.approve(day.id(), new ApprovalDecision("ann", "fine", null)));
    assertThat(records.number("select count(*) from revision where verdict = 'approved'"))
        .isEqualTo(2);
    days.forEach(this::go);
    assertThat(paid()).isEqualTo(200);
  }

  /** It opened before its board's file had a budget, and locks nobody out but those with one. */
  @Test
  @Tag(OwnTables.TAG)
  void aPaymentUnderOlderRulesThatIsNotCommittedYetCountsForTheMonth() throws Exception {
    String release = "approval: required, release-at: '09:00'";
    Board board = world.board(prizes(release));
    Period former = days(board, 1).get(0);
    String budget = ", budget: { credits: { month: 150 } }";
    Period present = days(world.edit(board, prizes(release + budget)), 1).get(0);
    world.pass(Duration.ofDays(2));
    inTurn("manifest", List.of(former, present), day -> () -> go(day));
    assertThat(paid()).isEqualTo(100);
    assertThat(world.again(present).state()).isEqualTo(PeriodState.HELD);
  }

  /** Each is under way, and blocked by a table or by another, before the next one begins. */
  private void inTurn(String table, List<Period> days, Function<Period, Runnable> act)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(days.size());
    try {
      var all =
          transaction.execute(
              status -> {
                servers.sql("lock table %s in share mode".formatted(table));
                var begun = new ArrayList<CompletableFuture<Void>>();
                for (Period day : days) {
                  begun.add(CompletableFuture.runAsync(act.apply(day), pool));
                  while (records.number("select count(*) from pg_locks where not granted")
                      < begun.size()) {
                    assertThat(Thread.interrupted()).as("a timeout, as nothing waits").isFalse();
                  }
                }
                return CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new));
              });
      all.get(60, java.util.concurrent.TimeUnit.SECONDS);
    } finally {
      pool.shutdownNow();
    }
  }

  /** All of them are under way, and wait for a table or for each other, before the first ends. */
  private void atOnce(String table, List<Period> days, Function<Period, Runnable> act)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(days.size());
    try {
      var all =
          transaction.execute(
              status -> {
                servers.sql("lock table %s in share mode".formatted(table));
                var begun =
                    days.stream()
                        .map(day -> CompletableFuture.runAsync(act.apply(day), pool))
                        .toArray(CompletableFuture[]::new);
                while (records.number("select count(*) from pg_locks where not granted")
                    < days.size()) {
                  assertThat(Thread.interrupted()).as("a timeout, as nothing waits").isFalse();
                }
                return CompletableFuture.allOf(begun);
              });
      all.get(60, java.util.concurrent.TimeUnit.SECONDS);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aLateApprovalCountsForTheMonthThatItsPeriodEndsIn() {
    Board board = world.board(prizes("approval: required, " + MONTH));
    var november = days(board, 3);
    world.now(World.START.plus(Duration.ofDays(20)));
    var december = days(board, 2);
    for (Period day : List.of(november.get(0), november.get(1), december.get(0))) {
      assertThat(approvals.approve(day.id(), new ApprovalDecision("ann", "fine", null))).isEmpty();
    }
    assertThat(approvals.approve(november.get(2).id(), new ApprovalDecision("ann", "fine", null)))
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("the 200 of the month's other periods");
    assertThat(approvals.approve(december.get(1).id(), new ApprovalDecision("ann", "fine", null)))
        .isEmpty();
  }

  @Test
  void aDayThatEndsAtMidnightOfTheFirstCountsForTheMonthBefore() {
    Board board = world.board(prizes(MONTH));
    world.now(Instant.parse("2026-11-28T10:00:00Z"));
    List<Period> november = days(board, 3);
    assertThat(november)
        .extracting(Period::state)
        .containsExactly(PeriodState.SETTLED, PeriodState.SETTLED, PeriodState.HELD);
    Period last = november.get(2);
    approvals.approve(last.id(), new ApprovalDecision("bob", "so", null, digest(last)));
    assertThat(days(board, 2)).extracting(Period::state).containsOnly(PeriodState.SETTLED);
  }

  /** Few of its days have a period, as those of seasons. */
  @Test
  void theFirstDayOfAMonthCountsForItsLast() {
    Board board = world.board(prizes(MONTH));
    for (String day : List.of("2026-11-01", "2026-11-05")) {
      world.now(Instant.parse(day + "T10:00:00Z"));
      days(board, 1);
    }
    world.now(Instant.parse("2026-11-30T10:00:00Z"));
    assertThat(revision(days(board, 1).get(0), 1).heldFor())
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("the 200 of the month's other periods");
  }

  @Test
  void theLastDaysOfAMonthCountForItsFirst() {
    Board board = world.board(prizes("approval: required, " + MONTH));
    var days = new ArrayList<Period>();
    for (String day : List.of("2026-11-01", "2026-11-28", "2026-11-29")) {
      world.now(Instant.parse(day + "T10:00:00Z"));
      days.addAll(days(board, 1));
    }
    for (Period last : days.subList(1, 3)) {
      assertThat(approvals.approve(last.id(), new ApprovalDecision("ann", "fine", null))).isEmpty();
    }
    assertThat(approvals.approve(days.get(0).id(), new ApprovalDecision("ann", "fine", null)))
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("the 200 of the month's other periods");
  }

  /** The first began more than a month before the end of the second. */
  @Test
  void aLongSeasonCountsForTheMonthThatItEndsIn() {
    Rules rules =
        prizes("budget: { credits: { month: 150 } }")
            .with("period: seasons")
            .with(
                """
                seasons:
                  - { name: long, from: 2026-10-01, to: 2026-11-05 }
                  - { name: short, from: 2026-11-06, to: 2026-11-20 }
                """);
    world.now(Instant.parse("2026-10-15T10:00:00Z"));
    world.open(world.board(Rules.day()));
    assertThat(days(world.board(rules), 2))
        .extracting(Period::state)
        .containsExactly(PeriodState.SETTLED, PeriodState.HELD);
  }

  @Test
  void neitherOtherBoardsNorOtherCurrenciesTakeFromABudget() {
    String both =
        "rewards: [{ rule: each, taking-part: 100 }, "
            + "{ rule: gems, taking-part: 1000, currency: gems }]";
    Board other = world.board(prizes("approval: none").with(both));
    String budget = "budget: { credits: { month: 300 } }";
    Board board = world.board(prizes("approval: required, " + budget).with(both));
    for (Period day : days(other, 3)) {
      assertThat(day.state()).isEqualTo(PeriodState.SETTLED);
      Period own = world.period(board, day.name().value());
      world.close(own);
      assertThat(approvals.approve(own.id(), new ApprovalDecision("ann", "fine", null))).isEmpty();
      if (records.number("select count(*) from revision where verdict = 'approved'") == 4) {
        assertThat(go(own).outcome()).as("the first is posted").isEqualTo(Status.SETTLED);
      }
    }
  }

  @Test
  @Tag(OwnTables.TAG)
  void aRejectedAmendmentTakesNothingFromTheBudget() {
    Board board = world.board(prizes(MONTH));
    Period day = days(board, 1).get(0);
    servers.register("bob");
    for (long points : List.of(7, 8)) {
      var change = Map.of(new MemberId("bob"), points);
      amendments.prepare(day.id(), new AmendmentRequest("zoe", "forgotten", null, change));
      var decision = new Amendments.Decision(null, null, "bob", "so");
      if (points == 7) {
        amendments.reject(day.id(), decision, () -> {});
      } else {
        amendments.approve(day.id(), decision, approved -> {});
      }
    }
    assertThat(paid()).as("of ann and bob").isEqualTo(200);
    assertThat(revision(days(board, 1).get(0), 1).heldFor())
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("the 200 of the month's other periods");
  }

  @Test
  void anAmendmentThatCostsLessExceedsNoBudget() {
    Board board = world.board(prizes("budget: { credits: { period: 50 } }"));
    Period day = world.open(board);
    world.take(List.of(Fact.by("ann").on("x"), Fact.by("bob").on("x")));
    world.close(day);
    approvals.approve(day.id(), new ApprovalDecision("bob", "so", null, digest(day)));
    go(day);
    assertThat(paid()).isEqualTo(200);
    exclusions.exclude(
        new Terms(new MemberId("ann"), ExclusionLevel.NO_PRIZE, null, null, null), "cheats", "zoe");

    amendments.prepare(day.id(), new AmendmentRequest("zoe", "cheats", null, Map.of()));

    assertThat(revision(day, 2).heldFor()).isEmpty();
  }

  @Test
  @Tag(OwnTables.TAG)
  void aDecisionOnTiesThatExceedsTheBudgetNeedsTheDigest() {
    Board board =
        world.board(
            Rules.day()
                .with("ranks: competition")
                .with("rewards: [{ rule: podium, ranks: { 1: 100 }, ties: hold }]")
                .with("payout: { budget: { credits: { period: 100 } } }"));
    Period day = world.open(board);
    world.take(List.of(Fact.by("m1").on("x"), Fact.by("m2").on("x"), Fact.by("m3").on("x")));
    world.close(day);
    assertThat(approvals.approve(day.id(), new ApprovalDecision("ann", "each", Ties.EACH)))
        .extracting(Texts::english)
        .containsExactly("300 credits are over the period's budget of 100");
    assertThatThrownBy(
            () -> approvals.approve(day.id(), new ApprovalDecision("ann", "each", Ties.EACH)))
        .hasMessageContaining("exceeds a budget");
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(paid()).isZero();
    String seen = revision(day, 1).digest();
    assertThat(approvals.approve(day.id(), new ApprovalDecision("ann", "each", Ties.EACH, seen)))
        .isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day).values()).containsExactly(100L, 100L, 100L);
    assertThat(records.verify().named()).isEmpty();
  }

  /** ann is paid by rank; what she loses is written off, so that the month costs both prizes. */
  @Test
  @Tag(OwnTables.TAG)
  void anAmendmentCountsWithWhatMembersKeep() {
    Board board =
        world.board(
            Rules.day()
                .with("rewards: [{ rule: first, ranks: { 1: 100 } }]")
                .with("payout: { owed: write-off, " + MONTH + " }"));
    Period day = world.open(board);
    world.take(List.of(Fact.by("ann").on("x"), Fact.by("ann").on("y"), Fact.by("bob").on("x")));
    world.settle(day);
    days(board, 1);
    assertThat(paid()).isEqualTo(200);
    var points = Map.of(new MemberId("bob"), 9L);
    amendments.prepare(day.id(), new AmendmentRequest("zoe", "miscounted", null, points));
    String over =
        "200 credits and the 100 of the month's other periods are over the month's budget of 250";
    assertThat(revision(day, 2).heldFor()).extracting(Texts::english).containsExactly(over);
    assertThatThrownBy(() -> amendments.approve(day.id(), 2, "ann", "fine"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("exceeds a budget: " + over);
    assertThat(world.again(day).revision()).isEqualTo(1);
    String seen = revision(day, 2).digest();
    assertThat(amendments.approve(day.id(), 2, seen, "ann", "fine").heldFor()).isEmpty();
    assertThat(records.verify().named()).isEmpty();

    Period next = days(board, 1).get(0);
    assertThat(revision(next, 1).heldFor())
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("100 credits and the 300 of the month's other periods");
  }
}
