package palmares.live.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static palmares.live.member.InviteBoard.named;
import static palmares.live.member.InviteBoard.withNumber;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.journal.Journal;
import palmares.live.member.Members.Registered;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.JournalDump;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A registration creates one member and credits one inviter, exactly once. */
@WorldTest
class RegistrationLawsTest {
  private static final int CALLERS = 16;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Members members;
  @Autowired private TransactionTemplate transaction;

  private Board board;
  private Period week;
  private InviteCode code;

  @BeforeEach
  void createAnInviteBoardAndAnInviter() {
    board = world.board(InviteBoard.rules());
    week = world.open(board);
    code = members.register(named("ann", null)).profile().inviteCode();
  }

  @Test
  void aRepeatedRegistrationCreditsTheInviterOnce() {
    Registered first = members.register(withNumber("1", code));
    Registered again = members.register(withNumber("1", code));
    assertThat(first.isNew()).isTrue();
    assertThat(again.isNew()).isFalse();
    assertThat(again.profile()).isEqualTo(first.profile());
    assertThat(records.points(week, "ann")).isEqualTo(100);
    assertThat(members.find(first.profile().id()).orElseThrow().inviter()).hasToString("ann");
  }

  /** As after a failover to a standby that lagged. */
  @Test
  void aRegistrationThatPostgresForgotCreditsTheInviterOnceWhenItIsRepeated() {
    Registered first = registerAndForget();

    Registered again = members.register(withNumber("1", code));

    assertThat(again.isNew()).isTrue();
    assertThat(again.profile().id()).isEqualTo(first.profile().id());
    assertThat(records.points(week, "ann")).isEqualTo(100);
    world.settle(week);
    assertThat(records.points(week, "ann")).isEqualTo(100);
    assertThat(records.verify().named()).isEmpty();
  }

  /** Its credit is in the journal of the week that has ended. */
  @Test
  void aRegistrationThatPostgresForgotCreditsTheInviterOnceWhenItIsRepeatedInTheNextWeek() {
    registerAndForget();
    journal.drain(week);
    world.now(week.slot().endsAt());
    assertThat(members.register(withNumber("1", code)).isNew()).isTrue();
    members.register(withNumber("2", code));
    assertThat(records.points(week, "ann")).isEqualTo(100);
    Period next = world.period(board, "2026-W48");
    assertThat(records.points(next, "ann")).as("of the second").isEqualTo(100);
    world.settle(week);
    world.settle(next);
    assertThat(records.verify().named()).isEmpty();
  }

  private Registered registerAndForget() {
    var before = JournalDump.of(records, week);
    Registered first = members.register(withNumber("1", code));
    before.restore(servers);
    servers.unguarded(
        () -> {
          servers.sql("delete from invite");
          servers.sql("delete from member where id <> 'ann'");
        });
    return first;
  }

  /** An open day on which zoe, who has not registered, would get a prize. */
  private Period dayForRegistered() {
    Period day =
        world.open(
            world.board(
                Rules.day()
                    .with("rewards: [{ rule: each, taking-part: 100 }]")
                    .with("payout: { eligible: registered }")));
    world.takeAll(List.of(Fact.by("zoe").on("x")), World.ANYBODY);
    return day;
  }

  @Test
  void aRegistrationByAClockThatLagsIsLaterThanTheRankingThatDidNotSeeIt() {
    Period day = dayForRegistered();
    world.settle(day);
    world.now(day.slot().endsAt().minusSeconds(5));
    Registered late = members.register(named("zoe", null));
    assertThat(late.profile().registeredAt()).isAfterOrEqualTo(day.slot().endsAt());
    assertThat(members.register(named("zoe", null)).profile()).isEqualTo(late.profile());
    assertThat(records.paid(day)).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aRegistrationAtTheEndOfAPeriodIsOfTheNext() {
    Period day = dayForRegistered();
    world.now(day.slot().endsAt());
    assertThat(members.register(named("zoe", null)).profile().registeredAt())
        .isEqualTo(day.slot().endsAt());
    world.settle(day);
    assertThat(records.paid(day)).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aRankingWaitsForARegistrationThatBeganBeforeTheEnd() {
    Period day = dayForRegistered();
    CompletableFuture<Period> settling =
        transaction.execute(
            status -> {
              members.register(named("zoe", null));
              var begun = CompletableFuture.supplyAsync(() -> world.settle(day));
              while (!begun.isDone()
                  && records.number(
                          "select count(*) from pg_locks"
                              + " where locktype = 'advisory' and not granted")
                      == 0) {
                Thread.onSpinWait();
              }
              return begun;
            });
    assertThat(settling.join().state().isSettled()).isTrue();
    assertThat(records.paid(day).values()).containsExactly(100L);
    assertThat(records.verify().named()).isEmpty();
  }

  /** The locks are of the session, and would outlast its transaction in the pool. */
  @Test
  void aFreezeThatIsCancelledWhileItWaitsLeavesNoLock() {
    String locks = "select count(*) from pg_locks where locktype = 'advisory' and granted";
    transaction.executeWithoutResult(
        status -> {
          members.register(named("zoe", null));
          long before = records.number(locks);
          var cancelled = CompletableFuture.runAsync(this::freezeForAMoment);
          assertThatThrownBy(cancelled::join).hasStackTraceContaining("canceling statement");
          assertThat(records.number(locks)).isEqualTo(before);
        });
    assertThat(records.words("select begin_freeze(now())::text")).hasSize(1);
    assertThat(records.number(locks)).isZero();
  }

  private void freezeForAMoment() {
    transaction.executeWithoutResult(
        status -> {
          records.words("select set_config('statement_timeout', '50', true)");
          records.words("select begin_freeze(now())::text");
        });
  }

  /** What is proved and paid does not change; a keyed hash of the external id is all that stays. */
  @Test
  void aForgottenMemberKeepsItsLinesAndNoProfile() {
    members.register(withNumber("1", code));
    world.settle(week);
    Map<String, Long> paid = records.paid(week);
    assertThat(forget("ann")).isTrue();
    assertThat(forget("ann")).as("repeated").isFalse();
    assertThat(
            records.words(
                """
                select concat_ws(' ', id, external_mask, nickname, invite_code, digest)
                from member where forgotten_at is not null
                """))
        .containsExactly("ann");
    assertThat(records.words("select by || ' ' || member from audit_entry where verb = 'forget'"))
        .containsExactly("boss ann");
    assertThat(members.find(new MemberId("ann"))).isEmpty();
    assertThat(members.search("ann", null, 10)).isEmpty();
    assertThat(records.paid(week)).isEqualTo(paid);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aForgottenMembersNumberIdAndCodeRegisterNobody() {
    Registration again = named("ann", null);
    forget("ann");
    assertRefused(again, Problem.ALREADY_REGISTERED);
    assertRefused(
        new Registration(again.externalId(), "other", null, null), Problem.ALREADY_REGISTERED);
    assertRefused(
        new Registration(new ExternalId("+8613700000000"), "nick", null, new MemberId("ann")),
        Problem.MEMBER_TAKEN);
    assertRefused(withNumber("2", code), Problem.UNKNOWN_CODE);
    assertThat(records.number("select count(*) from member")).isOne();
  }

  @Test
  void nobodyIsForgottenWhoHasNotRegistered() {
    assertThatThrownBy(() -> forget("zoe"))
        .isInstanceOfSatisfying(
            Refusal.class,
            refused -> assertThat(refused.problem()).isEqualTo(Problem.UNKNOWN_MEMBER));
    assertThat(records.number("select count(*) from audit_entry where verb = 'forget'")).isZero();
  }

  private void assertRefused(Registration registration, Problem reason) {
    assertThatThrownBy(() -> members.register(registration))
        .isInstanceOfSatisfying(
            Refusal.class, refused -> assertThat(refused.problem()).isEqualTo(reason));
  }

  private boolean forget(String member) {
    return transaction.execute(status -> members.forget(new MemberId(member), "request 7", "boss"));
  }

  /** Sends four copies of each registration concurrently, as phones with a bad connection do. */
  @Test
  void concurrentRegistrationsWithMemberIdsGetTheSameProfiles() throws Exception {
    int phones = 60;
    int copies = 4;
    var start = new CyclicBarrier(phones * copies);
    var calls = new ArrayList<Callable<Registered>>();
    for (int n = 0; n < phones * copies; n++) {
      String member = "phone" + n / copies;
      calls.add(
          () -> {
            start.await();
            return members.register(named(member, code));
          });
    }
    List<Registered> answers = all(calls);
    for (int from = 0; from < answers.size(); from += copies) {
      List<Registered> ofPhone = answers.subList(from, from + copies);
      assertThat(ofPhone).filteredOn(Registered::isNew).hasSize(1);
      assertThat(ofPhone).extracting(Registered::profile).containsOnly(ofPhone.get(0).profile());
    }
    assertThat(records.points(week, "ann")).isEqualTo(100L * phones);
  }

  @Test
  void oneOfTwoConcurrentRegistrationsGetsTheMemberId() throws Exception {
    var start = new CyclicBarrier(2);
    var calls = new ArrayList<Callable<String>>();
    for (int n = 0; n < 2; n++) {
      var registration =
          new Registration(new ExternalId("+8613900000" + n), "nick", null, new MemberId("wanted"));
      calls.add(
          () -> {
            start.await();
            try {
              return "new " + members.register(registration).isNew();
            } catch (Refusal refused) {
              return refused.problem().name();
            }
          });
    }
    assertThat(all(calls)).containsExactlyInAnyOrder("new true", "MEMBER_TAKEN");
  }

  @RepeatedTest(3)
  void concurrentCopiesCreateOneMemberAndOneCreditEach() throws Exception {
    int newcomers = 20;
    var calls = new ArrayList<Callable<List<Registered>>>();
    var start = new CyclicBarrier(CALLERS);
    for (int i = 0; i < CALLERS; i++) {
      int shift = i;
      calls.add(
          () -> {
            start.await();
            var answers = new ArrayList<Registered>();
            for (int n = 0; n < newcomers; n++) {
              answers.add(members.register(withNumber("" + (n + shift) % newcomers, code)));
            }
            return answers;
          });
    }
    List<Registered> answers = all(calls).stream().flatMap(List::stream).toList();
    assertThat(answers.stream().filter(Registered::isNew)).hasSize(newcomers);
    assertThat(answers.stream().map(answer -> answer.profile().id()).distinct()).hasSize(newcomers);
    assertThat(records.number("select count(*) from invite")).isEqualTo(newcomers);
    assertThat(records.points(week, "ann")).isEqualTo(100L * newcomers);
    world.settle(week);
    assertThat(records.verify().clean()).isTrue();
  }

  private static <T> List<T> all(List<Callable<T>> calls) throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(calls.size());
    try {
      var answers = new ArrayList<T>();
      for (Future<T> call : callers.invokeAll(calls)) {
        answers.add(call.get());
      }
      return answers;
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  void memberAndCreditAreCommittedTogether() {
    servers.sql("alter table committed_event add constraint no_more check (n < 0) not valid");
    try {
      assertThat(failure(() -> members.register(withNumber("1", code)))).isNotNull();
    } finally {
      servers.sql("alter table committed_event drop constraint no_more");
    }
    assertThat(records.number("select count(*) from member")).as("ann alone").isEqualTo(1);
    assertThat(records.number("select count(*) from invite")).isZero();
    assertThat(members.register(withNumber("1", code)).isNew()).isTrue();
    assertThat(records.points(week, "ann")).isEqualTo(100);
  }

  private static RuntimeException failure(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("did not fail");
  }

  @Test
  void everyBoardThatCountsInvitesIsCredited() {
    Board levels = world.board(Rules.of("month").with("actions: { invite: 3, like: 1 }"));
    Board others = world.board(Rules.day().with("actions: { like: 1 }"));
    members.register(withNumber("1", code));
    assertThat(records.points(world.open(levels), "ann")).isEqualTo(3);
    assertThat(records.points(week, "ann")).isEqualTo(100);
    assertThat(records.live(world.open(others))).isEmpty();
    world.take(Fact.by("ann").to(levels));
    assertThat(records.points(world.open(levels), "ann")).isEqualTo(4);
    world.settle(world.open(levels));
    assertThat(records.verify().clean()).isTrue();
  }

  @Test
  void aRegistrationAfterTheEndOfTheWeekCountsForTheNext() {
    members.register(withNumber("1", code));
    world.now(week.slot().endsAt());
    members.register(withNumber("2", code));
    members.register(withNumber("1", code));
    assertThat(records.points(week, "ann")).isEqualTo(100);
    assertThat(records.points(world.period(board, "2026-W48"), "ann")).isEqualTo(100);
  }

  @Test
  void generatedCodesThatAreTakenAreNotReused() {
    var before = ReflectionTestUtils.getField(members, "random");
    try {
      ReflectionTestUtils.setField(members, "random", new Random(7));
      var first = members.register(named("bob", null)).profile();
      ReflectionTestUtils.setField(members, "random", new Random(7));
      var second = members.register(named("cid", null)).profile();
      assertThat(second.inviteCode()).isNotEqualTo(first.inviteCode());
    } finally {
      ReflectionTestUtils.setField(members, "random", Objects.requireNonNull(before));
    }
  }
}
