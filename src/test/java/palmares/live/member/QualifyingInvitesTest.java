package palmares.live.member;

import static org.assertj.core.api.Assertions.assertThat;
import static palmares.live.member.InviteBoard.named;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.util.ReflectionTestUtils;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.RefusalReason;
import palmares.live.journal.Journal;
import palmares.live.relay.RelayAttempts;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An inviter is credited once the invited member has done enough in time. */
@WorldTest
class QualifyingInvitesTest {
  private static final String QUALIFIES = "qualifies: { action: purchase, board: %s, within: 3d }";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Members members;
  @Autowired private Qualifications qualifications;
  @Autowired private RelayAttempts attempts;
  @Autowired private LateEventDecisions decisions;
  @Autowired private QualifyingInvites list;
  @Autowired private DataSource dataSource;

  private Board shop;
  private Board board;
  private Period week;
  private Period month;
  private InviteCode code;

  @BeforeEach
  void createAShopAndABoardOnWhichInvitesQualify() {
    shop = world.board(shop());
    board = world.board(invites(QUALIFIES.formatted(shop.id())));
    week = world.open(board);
    month = world.open(shop);
    code = members.register(named("ann", null)).profile().inviteCode();
  }

  private static Rules shop() {
    return Rules.of("month").with("actions: { purchase: { points: 1, undo: true }, view: 1 }");
  }

  private static Rules invites(String qualifies) {
    return Rules.of("week")
        .with("durability: committed")
        .with("actions: { invite: { points: 100, undo: true } }")
        .with("invites: { action: invite, %s }".formatted(qualifies))
        .with("rewards: [{ rule: each-invite, per: invite, credits: 20 }]");
  }

  private static Fact purchase(String member, String order) {
    return Fact.by(member).does("purchase").on(order);
  }

  private void judge() {
    journal.drain(month);
    while (qualifications.judge(null)) {}
  }

  private void assertVerified() {
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aRegistrationAloneCreditsNobody() {
    members.register(named("bob", code));
    judge();
    assertThat(records.live(week)).isEmpty();
    assertThat(records.number("select count(*) from invite_due")).isZero();
    world.settle(week);
    assertThat(records.paid(week)).isEmpty();
    assertVerified();
  }

  @Test
  void theFirstPurchaseCreditsTheInviterOnce() {
    members.register(named("bob", code));
    world.take(purchase("bob", "order-1"));
    judge();
    world.take(purchase("bob", "order-2"));
    judge();
    assertThat(records.points(week, "ann")).isEqualTo(100);
    world.settle(week);
    assertThat(records.paid(week))
        .containsExactlyInAnyOrderEntriesOf(Map.of("ann each-invite", 20L));
    assertVerified();
  }

  @Test
  void anotherActionOrMemberDoesNotQualify() {
    members.register(named("bob", code));
    world.take(Fact.by("bob").does("view"));
    world.take(purchase("zoe", "order-1"));
    judge();
    assertThat(records.live(week)).isEmpty();
  }

  @Test
  void aPurchaseBeforeTheRegistrationDoesNotQualify() {
    world.take(purchase("bob", "order-1"));
    world.pass(Duration.ofSeconds(1));
    members.register(named("bob", code));
    judge();
    assertThat(records.live(week)).isEmpty();
    world.settle(week);
    assertVerified();
  }

  @Test
  void aPurchaseAtTheDeadlineDoesNotQualifyAndOneBeforeDoes() {
    members.register(named("bob", code));
    members.register(named("cid", code));
    world.pass(Duration.ofDays(3).minusMillis(1));
    world.take(purchase("bob", "order-1"));
    world.pass(Duration.ofMillis(1));
    world.take(purchase("cid", "order-2"));
    judge();
    assertThat(records.words("select newcomer from invite_credit where counted_at is not null"))
        .containsExactly("bob");
  }

  @Test
  void aCreditCountsInThePeriodOfThePurchase() {
    members.register(named("bob", code));
    world.now(week.slot().endsAt());
    Period next = world.open(board);
    world.take(purchase("bob", "order-1"));
    judge();
    assertThat(records.live(week)).isEmpty();
    assertThat(records.points(next, "ann")).isEqualTo(100);
    world.settle(week);
    world.settle(next);
    assertVerified();
  }

  @Test
  void aCreditCountsInThePeriodOfTheRegistrationIfTheFileSaysSo() {
    Board other =
        world.board(invites(QUALIFIES.formatted(shop.id()) + ", counted-in: registration"));
    Period first = world.open(other);
    members.register(named("bob", code));
    world.now(week.slot().endsAt());
    world.take(purchase("bob", "order-1"));
    judge();
    assertThat(records.points(first, "ann")).as("within the grace").isEqualTo(100);
    world.settle(first);
    assertThat(records.paid(first)).containsKey("ann each-invite");
    assertVerified();
  }

  /** The journal of the shop is drained before the board is sealed. */
  @Test
  void aPurchaseThatNobodyHasJudgedIsJudgedBeforeTheSeal() {
    members.register(named("bob", code));
    world.take(purchase("bob", "order-1"));
    world.settle(week);
    assertThat(records.paid(week)).containsKey("ann each-invite");
    assertVerified();
  }

  /** Its last events are drained by its own closing, which may not have come so far. */
  @Test
  void aPurchaseInASealedPeriodIsJudgedBeforeItIsDrained() {
    members.register(named("bob", code));
    world.take(purchase("bob", "order-1"));
    servers.unguarded(
        () ->
            servers.sql(
                """
                update period
                set state = 'sealed', sealed_at = opened_at, sealed_members = 1, sealed_points = 1,
                  sealed_events = 1
                where id = ?
                """,
                month.id().value()));
    world.settle(week);
    assertThat(records.paid(week)).containsKey("ann each-invite");
  }

  @Test
  void anActionThatIsNotRelayedYetIsJudgedBeforeTheSeal() {
    Board own =
        world.board(
            invites("qualifies: { action: order, within: 3d }")
                .with("actions: { invite: { points: 100, undo: true }, order: 1 }"));
    Period first = world.open(own);
    members.register(named("bob", code));
    servers.reachingOnly(month, () -> world.take(Fact.by("bob").does("order")));
    ReflectionTestUtils.setField(attempts, "pausedUntilNanos", System.nanoTime());
    assertThat(
            records.number(
                "select count(*) from relay left join relay_position using (period_id)"
                    + " where committed > coalesce(relayed, 0)"))
        .isOne();
    world.settle(first);
    assertThat(records.paid(first)).containsKey("ann each-invite");
    assertVerified();
  }

  /** Who was marked again is judged again, before anybody takes the board for complete. */
  @Test
  void whoIsMarkedWhileItIsJudgedIsJudgedAgain() throws SQLException {
    members.register(named("bob", code));
    world.take(purchase("bob", "order-1"));
    journal.drain(month);
    try (Connection drain = dataSource.getConnection()) {
      drain.setAutoCommit(false);
      drain.createStatement().execute("update invite_due set mark = default");
      var judging =
          CompletableFuture.runAsync(
              () -> {
                while (qualifications.judge(board.id())) {}
              });
      awaitLock(judging);
      drain.commit();
      judging.join();
    }
    assertThat(records.points(week, "ann")).isEqualTo(100);
  }

  private void awaitLock(CompletableFuture<Void> judging) {
    while (!judging.isDone()
        && records.number(
                """
                select count(*) from pg_stat_activity
                where wait_event_type = 'Lock' and query like '%from invite_due%for update%'
                """)
            == 0) {
      Thread.onSpinWait();
    }
  }

  /** A drain that had begun before the registration does not see that it qualifies the invite. */
  @Test
  void anActionThatMarkedNobodyIsJudgedBeforeTheSealAlthoughItsPeriodIsSettled() {
    Board daily = world.board(Rules.day().with("actions: { order: 1 }"));
    Board own =
        world.board(
            invites("qualifies: { action: order, board: %s, within: 3d }".formatted(daily.id())));
    Period day = world.open(daily);
    Period first = world.open(own);
    members.register(named("bob", code));
    world.take(Fact.by("bob").does("order"));
    world.settle(day);
    servers.sql("delete from invite_due");
    world.settle(first);
    assertThat(records.paid(first)).containsKey("ann each-invite");
    assertVerified();
  }

  @Test
  void aPurchaseThatIsUndoneTakesTheCreditBack() {
    members.register(named("bob", code));
    Fact order = purchase("bob", "order-1");
    world.take(order);
    judge();
    world.take(order.undone());
    judge();
    assertThat(records.points(week, "ann")).isZero();
    world.take(purchase("bob", "order-2"));
    judge();
    assertThat(records.points(week, "ann")).as("qualified again").isEqualTo(100);
    world.settle(week);
    assertVerified();
  }

  @Test
  void aCreditStaysAsLongAsAnotherPurchaseQualifies() {
    members.register(named("bob", code));
    Fact order = purchase("bob", "order-1");
    world.take(order);
    judge();
    world.pass(Duration.ofHours(1));
    world.take(purchase("bob", "order-2"));
    world.take(order.undone());
    judge();
    assertThat(records.points(week, "ann")).isEqualTo(100);
    world.settle(week);
    assertVerified();
  }

  /** Both are late events: a person decides, and an amendment counts what was accepted. */
  @Test
  void whatQualifiesOrIsUndoneAfterTheSettlementIsALateEvent() {
    Board other =
        world.board(invites(QUALIFIES.formatted(shop.id()) + ", counted-in: registration"));
    Period first = world.open(other);
    members.register(named("bob", code));
    members.register(named("cid", code));
    Fact order = purchase("bob", "order-1");
    world.take(order);
    Period settled = world.settle(first);
    assertThat(records.paid(first)).containsEntry("ann each-invite", 20L);
    world.take(order.undone());
    world.take(purchase("cid", "order-2"));
    judge();
    assertThat(
            records.words(
                "select subject || ' ' || undo from late_event where board = '%s' order by 1"
                    .formatted(other.id())))
        .containsExactly("bob true", "cid false");
    assertThat(listed(other, false)).containsExactly("bob credited", "cid late");
    decisions.decide(settled, List.of(), new Choice(Verdict.ACCEPTED, "kim", "as it was", false));
    assertThat(listed(other, false)).containsExactly("bob reversed", "cid credited");
    assertThat(records.paid(first)).containsEntry("ann each-invite", 20L);
    assertVerified();
  }

  @Test
  void theRequiredNumberIsThatOfQuantities() {
    Board counting =
        world.board(
            Rules.day().with("actions: { coin: { points: 1, max-quantity: 9, once-per: event } }"));
    Board other =
        world.board(
            invites(
                "qualifies: { action: coin, board: %s, at-least: 5 }".formatted(counting.id())));
    Period first = world.open(other);
    Period day = world.open(counting);
    members.register(named("bob", code));
    world.take(Fact.by("bob").does("coin").times(4));
    journal.drain(day);
    judge();
    assertThat(records.live(first)).isEmpty();
    world.take(Fact.by("bob").does("coin"));
    journal.drain(day);
    judge();
    assertThat(records.points(first, "ann")).isEqualTo(100);
  }

  @Test
  void anInviteOfTheBoardIsNotTakenFromCallers() {
    EventOutcome outcome = world.take(Fact.by("ann").does("invite").on("bob").to(board));
    assertThat(outcome.reason()).isEqualTo(RefusalReason.DERIVED_ACTION);
    assertThat(records.live(week)).isEmpty();
  }

  @Test
  void aBoardWithoutAConditionStillCountsTheRegistration() {
    Board plain = world.board(InviteBoard.rules());
    members.register(named("bob", code));
    assertThat(records.points(world.open(plain), "ann")).isEqualTo(100);
    assertThat(records.live(week)).isEmpty();
  }

  @Test
  void theLimitOfTheActionIsThatOfTheInviter() {
    Board capped =
        world.board(
            invites(QUALIFIES.formatted(shop.id()))
                .with("actions: { invite: { points: 100, undo: true, max-per-period: 1 } }"));
    Period first = world.open(capped);
    for (String member : List.of("bob", "cid")) {
      members.register(named(member, code));
      world.take(purchase(member, "order of " + member));
      judge();
    }
    assertThat(records.points(first, "ann")).isEqualTo(100);
    assertThat(listed(capped, false)).containsExactly("bob credited", "cid capped");
    world.settle(first);
    assertThat(listed(capped, false)).containsExactly("bob credited", "cid capped");
    assertVerified();
  }

  /** Credits of one invite have ids that are numbered. */
  @Test
  void aSecondCreditOfAnInviteIsListedByItsOwnOutcome() {
    Board capped =
        world.board(
            invites(QUALIFIES.formatted(shop.id()))
                .with("actions: { invite: { points: 100, undo: true, max-per-period: 1 } }"));
    world.open(capped);
    members.register(named("bob", code));
    members.register(named("cid", code));
    Fact order = purchase("bob", "order-1");
    world.take(order);
    judge();
    world.take(order.undone());
    judge();
    world.take(purchase("cid", "order-2"));
    judge();
    world.take(purchase("bob", "order-3"));
    judge();
    assertThat(
            records.words(
                "select newcomer || credits from invite_credit where board = '%s'"
                    .formatted(capped.id())))
        .containsExactlyInAnyOrder("bob2", "cid1");
    assertThat(listed(capped, false)).containsExactly("bob capped", "cid credited");
  }

  @Test
  void aVerificationNamesACreditThatNothingQualifiesAndOneThatIsMissing() {
    members.register(named("bob", code));
    members.register(named("cid", code));
    world.take(purchase("bob", "order-1"));
    world.settle(week);
    assertVerified();
    servers.unguarded(
        () -> {
          servers.sql("update invite set inviter = 'cid' where newcomer = 'bob'");
          servers.sql("update invite_credit set deadline = deadline + interval '1 day'");
        });
    assertThat(records.verify().named())
        .extracting(difference -> difference.toString())
        .anySatisfy(said -> assertThat(said).contains("invite-credit").contains("bob"))
        .anySatisfy(said -> assertThat(said).contains("invite-terms").contains("cid"));
  }

  @Test
  void theListSaysWhatBecameOfEachInvite() {
    members.register(named("bob", code));
    members.register(named("cid", code));
    world.take(purchase("bob", "order-1"));
    judge();
    assertThat(listed(board, false)).containsExactly("bob credited", "cid pending");
    assertThat(listed(board, true)).containsExactly("cid pending");
    world.pass(Duration.ofDays(3));
    assertThat(listed(board, false)).containsExactly("bob credited", "cid lapsed");
  }

  private List<String> listed(Board invites, boolean pending) {
    return list.list(invites.id(), new MemberId("ann"), pending, null, 10).stream()
        .map(entry -> entry.member() + " " + entry.state().word())
        .toList();
  }
}
