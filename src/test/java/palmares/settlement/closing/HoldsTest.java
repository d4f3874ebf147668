package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.list;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Next;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.verification.Findings;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What a person must look at is not paid before the person has, and then once. */
@WorldTest
class HoldsTest {
  private static final ApprovalDecision YES = new ApprovalDecision("ann", "looked at it", null);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Closings closings;
  @Autowired private Approvals approvals;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Servers servers;
  @Autowired private Revisions revisions;
  @Autowired private PeriodTimeline timeline;
  @Autowired private Exclusions exclusions;
  @Autowired private TransactionTemplate transaction;

  private Period played(Board board, int members) {
    Period period = world.open(board);
    for (int i = 1; i <= members; i++) {
      world.take(Fact.by("m" + i).on("post-" + period.name()));
    }
    return period;
  }

  private static Rules prizes(String payout) {
    return Rules.day().with("rewards: [{ rule: each, taking-part: 100 }]").with(payout);
  }

  private ApprovalDecision seen(String by, Period period) {
    return new ApprovalDecision(by, "looked at it", null, digest(period));
  }

  private ClosingResult go(Period period) {
    return closings.close(period.id(), new ClosingCause("test", "bob"), step -> {});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payout: { approval: required }",
        "payout: { approval: required, unusual: 9 }",
        "payout: { budget: { credits: { period: 299 } } }",
        "payout: { budget: { credits: { month: 299 } } }"
      })
  void aHeldPeriodIsPaidOnceAfterItsApproval(String payout) {
    Period day = played(world.board(prizes(payout)), 3);
    assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(world.again(day).state()).isEqualTo(PeriodState.HELD);
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(duePeriods.due()).isEmpty();
    assertThat(records.paid(day)).isEmpty();

    approvals.approve(day.id(), seen("ann", day));
    assertThat(duePeriods.due()).as("if nobody goes on with it").containsExactly(day.id());
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day)).hasSize(3);
    assertThatThrownBy(() -> approvals.approve(day.id(), YES))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("approved by ann");
    assertThat(records.paid(day)).hasSize(3);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.words("select by || ' ' || verb from audit_entry"))
        .containsExactly("ann approve");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payout: { budget: { credits: { period: 300, month: 300 } } }",
        "payout: { unusual: 2 }"
      })
  void aPeriodWithinItsBoundsIsPaidAtOnce(String payout) {
    Period day = played(world.board(prizes(payout)), 3);
    assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.words("select decided_by from revision"))
        .containsExactly("the board's rules");
  }

  /** Its board's file may get another calendar, which moves and renames the period. */
  @Test
  void aHoldOfAComingPeriodStaysAndVerifiesIfThePeriodIsRenamed() {
    Board board = world.board(prizes("payout: { match: all }"));
    played(board, 1);
    timeline.prepare(board);
    Period coming = world.period(board, "2026-11-21");
    approvals.hold(coming.id(), "ann", "a promotion");
    timeline.prepare(world.edit(board, Rules.of("week")));
    Period week = world.again(coming);
    assertThat(week.name().value()).isEqualTo("2026-W47");
    world.now(week.slot().startsAt());
    world.take(Fact.by("m1").on("a"));
    assertThat(world.close(week).outcome()).isEqualTo(ClosingResult.Status.HELD);
    approvals.approve(week.id(), seen("bob", week));
    world.settle(week);
    assertThat(records.verify().named()).isEmpty();
  }

  /** A later period may get the name that a held one has given up. */
  @Test
  void aPeriodThatTakesTheNameOfARenamedOneIsNotHeldAndVerifies() {
    Rules rules = prizes("payout: { match: all }").with("period: seasons");
    Board board =
        world.board(
            rules.with(
                """
                seasons:
                  - { name: autumn, from: 2026-11-01, to: 2026-11-20 }
                  - { name: winter, from: 2026-11-21, to: 2026-11-22 }
                """));
    played(board, 1);
    timeline.prepare(board);
    Period held = world.period(board, "winter");
    approvals.hold(held.id(), "ann", "a promotion");
    board =
        world.edit(
            board,
            rules.with(
                """
                seasons:
                  - { name: autumn, from: 2026-11-01, to: 2026-11-20 }
                  - { name: advent, from: 2026-11-21, to: 2026-11-22 }
                  - { name: winter, from: 2026-11-23, to: 2026-11-24 }
                """));
    timeline.prepare(board);
    Period advent = world.again(held);
    assertThat(advent.name().value()).isEqualTo("advent");
    world.now(advent.slot().endsAt());
    Period winter = played(board, 1);
    assertThat(winter.name().value()).isEqualTo("winter");
    assertThat(world.close(winter).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(world.close(advent).outcome()).isEqualTo(ClosingResult.Status.HELD);
    approvals.approve(advent.id(), seen("bob", advent));
    world.settle(advent);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theMonthsBudgetIncludesItsOtherPeriods() {
    Board board = world.board(prizes("payout: { budget: { credits: { month: 500 } } }"));
    assertThat(world.close(played(board, 3)).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(world.close(played(board, 2)).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    ClosingResult third = world.close(played(board, 1));
    assertThat(third.outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(third.text())
        .contains("100 credits and the 500 of the month's other periods are over");
  }

  @Test
  void anUnusualAmountIsHeld() {
    Board board = world.board(prizes("payout: { unusual: 3 }"));
    for (int i = 0; i < 3; i++) {
      assertThat(world.close(played(board, 2)).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    }
    assertThat(world.close(played(board, 5)).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(world.close(played(board, 6)).text()).contains("far from the usual 200");
    assertThat(world.close(played(board, 0)).text()).contains("far from the usual 200");
  }

  /** Closes a day for each number of members, who are paid 100 credits each. */
  private void pay(Board board, int... members) {
    for (int each : members) {
      assertThat(world.close(played(board, each)).outcome())
          .isEqualTo(ClosingResult.Status.SETTLED);
    }
  }

  @Test
  void theUsualAmountIsTheMedianOfTheLastTenSettledPeriods() {
    Board board = world.board(prizes("payout: { match: all }"));
    pay(board, 1, 6, 2);
    board = world.edit(board, prizes("payout: { unusual: 4 }"));
    assertThat(world.close(played(board, 9)).text()).contains("far from the usual 200");
    board = world.edit(board, prizes("payout: { match: all }"));
    pay(board, 1, 1, 1, 1, 2, 4, 5, 5, 5, 5);
    board = world.edit(board, prizes("payout: { unusual: 4 }"));
    assertThat(world.close(played(board, 13)).text()).contains("far from the usual 300");
  }

  @Test
  void heldPeriodsLaterPeriodsAndOtherBoardsSayNothingOfWhatIsUsual() {
    Board other = world.board(prizes("payout: { unusual: 3 }"));
    pay(other, 9, 9, 9);
    Board board = world.board(prizes("payout: { unusual: 3 }"));
    Period first = played(board, 1);
    world.now(first.slot().endsAt());
    pay(board, 4, 4, 4);
    for (int i = 0; i < 4; i++) {
      assertThat(world.close(played(board, 13)).text()).contains("far from the usual 400");
    }
    assertThat(world.close(first).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
  }

  /** As if a fault of the closing had not seen the bound. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "budget: { credits: { period: 200 } } | 600 credits are over the period's budget of 200",
        "budget: { credits: { month: 700 } }  | 1,200 credits are over the month's budget of 700",
        "unusual: 3                           | 600 credits are far from the usual 200"
      })
  void aClosingThatPassedABoundWithoutAPersonIsFound(String payout, String bound) {
    Board board = world.board(prizes("payout: { " + payout + " }"));
    for (int i = 0; i < 3; i++) {
      assertThat(world.close(played(board, 2)).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    }
    Period day = played(board, 6);
    assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    approvals.approve(day.id(), seen("ann", day));
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
    Findings findings =
        servers.tampered(
            "update revision set decided_by = 'the board''s rules' where decided_by = 'ann'",
            records::verify);
    assertThat(findings.named())
        .extracting(difference -> Texts.english(difference.said()))
        .contains(
            "unequal: %s: approval of revision 1: derived a person's: %s, stored the board's rules"
                .formatted(day.label(), bound));
  }

  /** A double holds no odd number of this size. */
  @Test
  void theUsualAmountIsExactAboveTheWholeNumbersOfADouble() {
    Rules rules =
        Rules.day()
            .with("rewards: [{ rule: first, ranks: { 1: 9007199254740991, 2: 2 } }]")
            .with("payout: { unusual: 2 }");
    Board board = world.board(rules);
    for (int i = 0; i < 3; i++) {
      assertThat(world.close(played(board, 2)).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    }
    assertThat(world.close(played(board, 0)).text())
        .contains("far from the usual 9,007,199,254,740,993");
  }

  /** Nothing before was paid in it: any sum is far from none. */
  @Test
  void aCurrencyThatWasNeverPaidIsUnusual() {
    Board board = world.board(Rules.day());
    for (int i = 0; i < 3; i++) {
      assertThat(world.close(played(board, 2)).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    }
    board = world.edit(board, prizes("payout: { unusual: 3 }"));
    assertThat(world.close(played(board, 2)).text())
        .contains("200 credits are far from the usual 0");
  }

  @Test
  void aHeldPeriodIsReleasedAtTheTimeOfItsBoard() {
    Period day =
        played(world.board(prizes("payout: { approval: required, release-at: '09:00' }")), 3);
    assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    var nine = world.again(day).slot().endsAt().plus(Duration.ofHours(9));
    world.now(nine.minusMillis(1));
    assertThat(duePeriods.due()).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    world.now(nine);
    assertThat(duePeriods.due()).containsExactly(day.id());
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day)).hasSize(3);
  }

  @Test
  void aFactSaysThatAPersonHoldsWhatWouldHaveBeenReleased() {
    Period day =
        played(world.board(prizes("payout: { approval: required, release-at: '09:00' }")), 3);
    world.close(day);
    approvals.hold(day.id(), "ann", "a doubt");
    var nine = world.again(day).slot().endsAt().plus(Duration.ofHours(9));
    assertThat(
            records.words(
                """
                select coalesce(data ->> 'releaseAt', 'by a person alone') from fact
                where type = 'period.held'
                order by id
                """))
        .containsExactly(nine.toString(), "by a person alone");
    world.now(nine);
    assertThat(duePeriods.due()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "approval: required | decided_by = 'the board''s rules'",
        "approval: required | decided_by = 'zoe', prepared_by = 'zoe'",
        "approval: required | decided_by = 'an earlier version', prepared_by = 'an earlier"
            + " version'",
        "approval: two-person | decided_by = prepared_by",
        "approval: required | decided_by = 'the board''s rules', release_at = prepared_at",
        "approval: required, release-at: '09:00' | decided_by = 'the board''s rules'",
        "approval: two-person | prepared_by = decided_by",
        "approval: two-person | prepared_by = 'zoe'"
      })
  void verificationNamesAPostingWithoutARequiredApproval(String payout, String tampering) {
    Period day = played(world.board(prizes("payout: { " + payout + " }")), 1);
    world.due(day);
    go(day);
    approvals.approve(day.id(), YES);
    if (payout.contains("two-person")) {
      approvals.approve(day.id(), new ApprovalDecision("zoe", "seen", null));
    }
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.verify().named()).isEmpty();
    assertThat(servers.tampered("update revision set " + tampering, records::verify).named())
        .extracting(found -> Texts.english(found.what()))
        .containsAnyOf("approval of revision 1", "posting of revision 1");
  }

  @Test
  void aRestartRanksARejectedPeriodAgain() {
    Period day = played(world.board(prizes("payout: { approval: required }")), 2);
    world.close(day);
    for (String shown : List.of("00000000", Revision.NOTHING_SHOWN)) {
      var unseen = new ApprovalDecision("ann", "no", null, shown);
      assertThatThrownBy(() -> approvals.reject(day.id(), unseen))
          .isInstanceOfSatisfying(
              WrongState.class,
              refusal ->
                  assertThat(refusal.next())
                      .contains(
                          Next.of("reject", day.board(), day.name()).with("expect", digest(day))));
    }
    approvals.reject(day.id(), new ApprovalDecision("ann", "no", null, digest(day)));
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThatThrownBy(() -> approvals.approve(day.id(), YES)).isInstanceOf(WrongState.class);
    world.pass(Duration.ofDays(3));
    assertThat(duePeriods.due()).doesNotContain(day.id());
    assertThat(records.paid(day)).isEmpty();

    String looked = digest(day);
    world.pass(Duration.ofSeconds(1));
    approvals.restart(day.id(), new ApprovalDecision("ann", "again", null));
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThatThrownBy(() -> approvals.approve(day.id(), YES))
        .hasMessageContaining("it was computed again. Look at it again");
    assertThatThrownBy(
            () -> approvals.approve(day.id(), new ApprovalDecision("ann", "seen", null, looked)))
        .isInstanceOf(WrongState.class);
    approvals.approve(day.id(), new ApprovalDecision("ann", "seen", null, digest(day)));
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day)).hasSize(2);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.words("select verb from audit_entry order by id"))
        .containsExactly("reject", "restart", "approve");
  }

  @ParameterizedTest
  @ValueSource(strings = {"held", "rejected", "approved"})
  void aVerdictThatCannotCommitLeavesNoTrace(String state) {
    Period day = played(world.board(prizes("payout: { approval: required }")), 2);
    servers.sql(
        """
        create or replace function outage() returns trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    if (!state.equals("held")) {
      world.close(day);
    }
    servers.sql(
        """
        create trigger outage after update of state on period
        for each row when (new.state = '%s') execute function outage()
        """
            .formatted(state));
    switch (state) {
      case "held" -> assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.FAILED);
      case "rejected" ->
          assertThatThrownBy(() -> approvals.reject(day.id(), YES))
              .hasMessageContaining("no room on the disk");
      default ->
          assertThatThrownBy(() -> approvals.approve(day.id(), YES))
              .hasMessageContaining("no room on the disk");
    }
    servers.sql("drop trigger outage on period");
    assertThat(records.number("select count(*) from audit_entry")).isZero();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    approvals.approve(day.id(), YES);
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day)).hasSize(2);
    assertThat(records.verify().named()).isEmpty();
  }

  private String digest(Period period) {
    return revisions.find(period.id(), 1).orElseThrow().digest();
  }

  @Test
  void aTieThatIsLeftToAPersonIsHeldForADecision() {
    Board board =
        world.board(
            Rules.day()
                .with("ranks: competition")
                .with("rewards: [{ rule: podium, ranks: { 1: 100, 2: 50 }, ties: hold }]")
                .with("payout: { release-at: '09:00' }"));
    Period day = played(board, 2);
    assertThat(world.close(day).text()).contains("2 members share rank 1, whose 150 credits");
    world.pass(Duration.ofDays(2));
    assertThat(duePeriods.due()).as("a tie never releases itself").doesNotContain(day.id());
    assertThatThrownBy(() -> approvals.approve(day.id(), YES))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("choose how they are paid");
    approvals.approve(day.id(), new ApprovalDecision("ann", "first come", Ties.ORDER));
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day).values()).containsExactlyInAnyOrder(100L, 50L);
    assertThat(records.verify().named()).isEmpty();
  }

  private Exclusion exclude(String member, ExclusionLevel level) {
    return exclusions.exclude(Terms.always(new MemberId(member), level), "cheats", "zoe");
  }

  private List<String> reasons(Period period) {
    return revisions.find(period.id(), 1).orElseThrow().heldFor().stream()
        .map(Texts::english)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"made", "lifted"})
  void aClosingIsNotReleasedByTimeAfterAnExclusionOfOneOfItsLines(String change) {
    Exclusion former = exclude("m2", ExclusionLevel.NO_PRIZE);
    Period day =
        played(world.board(prizes("payout: { approval: required, release-at: '09:00' }")), 3);
    assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    Instant nine = world.again(day).slot().endsAt().plus(Duration.ofHours(9));
    if (change.equals("made")) {
      exclude("m1", ExclusionLevel.HIDDEN);
    } else {
      exclusions.lift(former.id(), "innocent", "zoe");
    }
    world.now(nine);
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(records.paid(day)).isEmpty();
    assertThat(reasons(day))
        .contains(
            change.equals("made")
                ? "m1 is hidden by an exclusion that was made after the ranking"
                : "m2 is ranked as no prize by an exclusion that was lifted after the ranking");
    assertThat(duePeriods.due()).as("a person must decide").isEmpty();
  }

  @Test
  void anApprovalIsRefusedUntilExclusionsAreAcceptedThatThePersonWasShown() {
    Period day = played(world.board(prizes("payout: { approval: required }")), 3);
    world.close(day);
    ApprovalDecision before = seen("ann", day);
    exclude("m1", ExclusionLevel.HIDDEN);
    exclude("elsewhere", ExclusionLevel.HIDDEN);
    String reason = "m1 is hidden by an exclusion that was made after the ranking";
    assertThat(approvals.approve(day.id(), accepting(before)))
        .as("nobody accepts what nobody was shown")
        .extracting(Texts::english)
        .containsExactly(reason);
    assertThatThrownBy(() -> approvals.approve(day.id(), seen("ann", day)))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining(reason)
        .asInstanceOf(type(WrongState.class))
        .extracting(WrongState::next, list(Next.class))
        .contains(
            Next.of("approve", day.board(), day.name())
                .with("expect", digest(day))
                .with("acceptExclusions", true));
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(records.number("select count(*) from audit_entry where verb like 'a%'")).isZero();

    assertThat(approvals.approve(day.id(), accepting(seen("ann", day)))).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day)).hasSize(3);
    assertThat(
            records.words(
                """
                select concat_ws(' ', verb, member, details->>'before', details->>'level')
                from audit_entry
                where by = 'ann'
                """))
        .containsExactlyInAnyOrder("accept-exclusion m1 hidden", "approve");
    assertThat(records.verify().named()).isEmpty();
  }

  /** Of one person's four clicks at once, none pays what another's exclusion has changed. */
  @Test
  void fourApprovalsDuringAnExclusionWaitForIt() throws Exception {
    Period day = played(world.board(prizes("payout: { approval: required }")), 3);
    world.close(day);
    ApprovalDecision before = accepting(seen("ann", day));
    var approvers = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<String>>> clicks =
          transaction.execute(
              status -> {
                exclude("m1", ExclusionLevel.HIDDEN);
                var begun =
                    IntStream.range(0, 4)
                        .mapToObj(n -> approvers.submit(() -> tried(day, before)))
                        .toList();
                while (records.number("select count(*) from pg_locks where not granted") == 0
                    && !begun.stream().allMatch(Future::isDone)) {
                  Thread.onSpinWait();
                }
                return begun;
              });
      for (Future<List<String>> click : clicks) {
        assertThat(click.get(60, TimeUnit.SECONDS)).isNotEmpty();
      }
    } finally {
      approvers.shutdownNow();
    }
    assertThat(world.again(day).state()).isEqualTo(PeriodState.HELD);
    assertThat(records.paid(day)).isEmpty();
  }

  private List<String> tried(Period day, ApprovalDecision decision) {
    try {
      return approvals.approve(day.id(), decision).stream().map(Texts::english).toList();
    } catch (WrongState | PeriodBusy refused) {
      return List.of(String.valueOf(refused.getMessage()));
    }
  }

  private static ApprovalDecision accepting(ApprovalDecision decision) {
    return new ApprovalDecision(
        decision.by(), decision.reason(), decision.ties(), decision.expect(), Set.of(), true);
  }

  @Test
  void aRestartRanksWithTheExclusionsThatWereMadeSince() {
    Period day = played(world.board(prizes("payout: { approval: required }")), 3);
    world.close(day);
    exclude("m1", ExclusionLevel.HIDDEN);
    approvals.reject(day.id(), seen("ann", day));
    approvals.restart(day.id(), new ApprovalDecision("ann", "again", null));
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(reasons(day)).containsExactly("the board asks for approval");
    assertThat(approvals.approve(day.id(), seen("ann", day))).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day)).hasSize(2);
  }

  /** The process died after it had ranked, and another one goes on later. */
  @Test
  void aClosingThatNeedsNobodyIsHeldIfAnExclusionWasMadeBeforeItPaid() {
    Period day = played(world.board(prizes("payout: { match: all }")), 3);
    world.close(
        day,
        step -> {
          if (step.equals("pay")) {
            exclude("m1", ExclusionLevel.NO_PRIZE);
          }
        });
    assertThat(world.again(day).state()).isEqualTo(PeriodState.HELD);
    assertThat(records.paid(day)).isEmpty();
    assertThat(approvals.approve(day.id(), accepting(seen("ann", day)))).isEmpty();
    assertThat(go(day).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.paid(day)).hasSize(3);
  }

  @Test
  void theSweepSaysAndTakesBackThatExclusionsHaveChanged() {
    Period day =
        played(world.board(prizes("payout: { approval: required, release-at: '09:00' }")), 30);
    world.close(day);
    String shown = digest(day);
    Instant nine = revisions.find(day.id(), 1).orElseThrow().releaseAt();
    List<Exclusion> made =
        IntStream.rangeClosed(1, 22)
            .mapToObj(n -> exclude("m" + n, ExclusionLevel.UNRANKED))
            .toList();
    approvals.updateExclusionReasons();
    assertThat(reasons(day))
        .hasSize(22)
        .contains(
            "m1 is unranked by an exclusion that was made after the ranking",
            "exclusions of further members have changed after the ranking: 2");
    assertThat(revisions.find(day.id(), 1).orElseThrow().releaseAt()).isNull();
    made.forEach(exclusion -> exclusions.lift(exclusion.id(), "innocent", "zoe"));
    approvals.updateExclusionReasons();
    assertThat(digest(day)).isEqualTo(shown);
    assertThat(revisions.find(day.id(), 1).orElseThrow().releaseAt()).isEqualTo(nine);
    assertThat(records.number("select count(*) from fact where type = 'period.held'")).isEqualTo(3);
    approvals.updateExclusionReasons();
    assertThat(records.number("select count(*) from fact where type = 'period.held'")).isEqualTo(3);
  }
}
