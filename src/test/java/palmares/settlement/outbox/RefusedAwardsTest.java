package palmares.settlement.outbox;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.ExclusionLevel;
import palmares.platform.Problem;
import palmares.platform.threads.Spans;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.outbox.SimulatedWallet.Behaviour;
import palmares.settlement.wallet.Receipt;
import palmares.settlement.wallet.Receipt.Result;
import palmares.settlement.wallet.Receipt.Source;
import palmares.settlement.wallet.Receipts;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletFindings.FindingRow;
import palmares.settlement.wallet.WalletFindings.Kind;
import palmares.settlement.wallet.WalletReturns;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An award that the wallet refused is returned by an amendment, exactly once and nothing else. */
@WorldTest
class RefusedAwardsTest {
  private static final String PODIUM = "{ rule: podium, ranks: { 1: 100, 2: 50 } }";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Facts facts;
  @Autowired private Deliveries deliveries;
  @Autowired private Receipts receipts;
  @Autowired private WalletFindings findings;
  @Autowired private WalletReturns returns;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Amendments amendments;
  @Autowired private Clock clock;

  private final SimulatedWallet wallet = new SimulatedWallet(7);
  private Delivery delivery;
  private @Nullable Board board;
  private @Nullable Period day;

  @BeforeEach
  void aWallet() {
    delivery = Outboxes.delivery(50, facts, deliveries, transaction, clock, Spans.none());
    delivery.register(wallet);
  }

  /** Ann is first and bob second; the wallet does this with both awards. */
  private void settle(Behaviour behaviour, String... fields) {
    Rules rules = Rules.day().with("rewards: [" + PODIUM + "]");
    List.of(fields).forEach(rules::with);
    Board made = world.board(rules);
    board = made;
    Period opened = world.open(made);
    day = opened;
    world.take(Fact.by("ann").does("coin").times(9));
    world.take(Fact.by("bob").does("coin").times(5));
    world.settle(opened);
    wallet.become(behaviour);
    deliver();
  }

  private Period day() {
    return requireNonNull(day);
  }

  private void deliver() {
    int batches = 0;
    while (delivery.deliverNext(wallet)) {
      assertThat(batches++).isLessThan(100);
    }
  }

  private List<Exclusion> prepare(Long... ids) {
    return transaction.execute(
        status -> returns.exclude(List.of(ids), 100, "the account is closed", "zoe"));
  }

  private void amend() {
    var request = new AmendmentRequest("zoe", "refused by the wallet", null, Map.of());
    assertThat(amendments.prepare(day().id(), request)).isPresent();
    amendments.approve(day().id(), null, "bob", "right so");
  }

  private List<FindingRow> refused() {
    return findings.list(Kind.REFUSED, false, null, 100);
  }

  private void say(Result result, String member, long amount) {
    String award = "%s/%s/1/%s/podium/credits/award".formatted(day().board(), day().name(), member);
    var receipt =
        result == Result.CREDITED
            ? new Receipt(award, result, amount, null)
            : new Receipt(award, result, null, "account closed");
    assertThat(
            transaction
                .execute(status -> receipts.record(List.of(receipt), Source.CALL, "wallet"))
                .get(0)
                .refusal())
        .isNull();
  }

  @Test
  void aRefusedAwardIsTakenFromTheAccountOnceAndNothingElse() {
    settle(Behaviour.SILENT);
    say(Result.CREDITED, "bob", 50);
    say(Result.REFUSED, "ann", 100);
    List<Exclusion> made = prepare(refused().get(0).id());
    assertThat(made)
        .singleElement()
        .satisfies(
            exclusion -> {
              assertThat(exclusion.terms().level()).isEqualTo(ExclusionLevel.NO_PRIZE);
              assertThat(exclusion.terms().startsAt()).isEqualTo(day().slot().startsAt());
              assertThat(exclusion.terms().endsAt()).isEqualTo(day().slot().endsAt());
            });
    assertThat(records.balance("ann")).as("before the approval").isEqualTo(100);
    assertThatThrownBy(() -> prepare()).as("again").isInstanceOf(WrongState.class);

    amend();
    assertThat(records.balance("ann")).isZero();
    assertThat(records.balance("bob")).isEqualTo(50);
    assertThat(records.words("select member || ' ' || purpose || ' ' || amount from transfer"))
        .containsExactlyInAnyOrder("ann award 100", "bob award 50", "ann return 100");
    assertThat(records.verify().named()).isEmpty();
    findings.closeReturned();
    assertThat(refused()).isEmpty();
    assertThat(prepare()).as("nothing is left").isEmpty();
  }

  @Test
  void theNextPeriodPaysTheMemberAgain() {
    settle(Behaviour.REFUSE);
    assertThat(prepare()).hasSize(2);
    amend();
    assertThat(records.balance("ann")).isZero();
    assertThat(records.balance("bob")).isZero();
    world.now(day().slot().endsAt().plusSeconds(3600));
    Period next = world.open(requireNonNull(board));
    world.take(Fact.by("ann").does("coin").times(2));
    world.settle(next);
    assertThat(records.paid(next)).containsEntry("ann podium", 100L);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aDifferenceIsNotClosedBeforeTheReturnIsPosted() {
    settle(Behaviour.REFUSE);
    prepare();
    findings.closeReturned();
    assertThat(refused()).hasSize(2);
  }

  @Test
  void whatWasAlsoCreditedIsNotReturnedWithIt() {
    settle(Behaviour.REFUSE, "rewards: [" + PODIUM + ", { rule: thanks, taking-part: 5 }]");
    String thanks = "%s/%s/1/ann/thanks/credits/award".formatted(day().board(), day().name());
    transaction.execute(
        status ->
            receipts.record(
                List.of(new Receipt(thanks, Result.CREDITED, 5L, null)), Source.CALL, "wallet"));
    assertThatThrownBy(() -> prepare())
        .hasFieldOrPropertyWithValue("problem", Problem.WRONG_STATE)
        .hasMessageContaining("has not refused the award of ann by thanks");
    assertThat(records.number("select count(*) from exclusion")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "forfeited: moves-up, others move up",
    "owed: debt,          takes nothing from accounts",
    "owed: write-off,     takes nothing from accounts"
  })
  void whereTheReturnWouldDoMoreOrLessItIsRefused(String payout, String message) {
    settle(Behaviour.REFUSE, "payout: { " + payout + " }");
    assertThatThrownBy(() -> prepare()).hasMessageContaining(message);
    assertThat(records.number("select count(*) from exclusion")).isZero();
  }

  @Test
  void whereOthersWouldGetAnotherShareItIsRefused() {
    settle(Behaviour.REFUSE, "rewards: [ { rule: best, top: { 50%: 10 }, of: eligible } ]");
    assertThatThrownBy(() -> prepare())
        .hasMessageContaining("the rule best pays a percent of those who may be paid");
    assertThat(records.number("select count(*) from exclusion")).isZero();
  }

  @Test
  void whereAnAmendmentChangedTheRulesThoseCount() {
    settle(Behaviour.REFUSE);
    Board after =
        world.edit(
            requireNonNull(board),
            Rules.day()
                .with("payout: { forfeited: moves-up }")
                .with("rewards: [ { rule: podium, ranks: { 1: 100, 2: 60 } } ]"));
    var request = new AmendmentRequest("zoe", "more for bob", after, Map.of());
    assertThat(amendments.prepare(day().id(), request)).isPresent();
    amendments.approve(day().id(), null, "bob", "right so");
    deliver();
    assertThatThrownBy(() -> prepare()).hasMessageContaining("others move up");
    assertThat(records.number("select count(*) from exclusion")).isZero();
  }

  @Test
  void allThatWasAwardedIsReturnedAndNoDifferenceIsLeft() {
    settle(Behaviour.REFUSE);
    prepare();
    amend();
    deliver();
    assertThat(
            records.words(
                "select coalesce(sum(case purpose when 'return' then -amount else amount end), 0)"
                    + "::text from transfer"))
        .containsExactly("0");
    assertThat(findings.counts()).hasSize(1);
    findings.closeReturned();
    assertThat(findings.counts()).isEmpty();
  }

  /** The first of two returns left ann 50, and bob got 50 more. */
  @Test
  void whatWasTakenBackInPartsIsTakenBackAsAWhole() {
    settle(Behaviour.REFUSE);
    amendments.prepare(
        day().id(),
        new AmendmentRequest("zoe", "miscounted", null, Map.of(new MemberId("ann"), 3L)));
    amendments.approve(day().id(), null, "bob", "right so");
    deliver();
    findings.closeReturned();
    assertThat(refused()).as("ann keeps a part").hasSize(3);
    assertThat(prepare()).hasSize(2);
    amend();
    deliver();
    assertThat(records.balance("ann")).isZero();
    assertThat(records.balance("bob")).isZero();
    findings.closeReturned();
    assertThat(refused()).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void whereTheMemberWouldLoseItsPromotionItIsRefused() {
    String gold = Rules.day().with("family: { name: league, tier: 1, relegate: 1 }").text();
    String silver =
        Rules.day()
            .with("rewards: [" + PODIUM + "]")
            .with("family: { name: league, tier: 2, promote: 1 }")
            .text();
    Board made = world.boards(List.of(gold, silver)).get(1);
    Period opened = world.open(made);
    day = opened;
    world.take(Fact.by("ann").does("coin").times(9).to(made));
    world.take(Fact.by("bob").does("coin").times(5).to(made));
    world.settle(opened);
    wallet.become(Behaviour.REFUSE);
    deliver();
    assertThatThrownBy(() -> prepare()).hasMessageContaining("ann moves to a higher tier");
    long ofBob =
        refused().stream().filter(row -> "bob".equals(row.member())).findFirst().orElseThrow().id();
    assertThat(prepare(ofBob)).hasSize(1);
    List<String> moves = moves();
    amend();
    assertThat(moves()).isEqualTo(moves);
  }

  private List<String> moves() {
    return records.words(
        """
        select member || ' ' || direction
        from tier_move
        join period on period.id = period_id and period.revision = tier_move.revision
        order by 1
        """);
  }

  @Test
  void whereNoAmendmentIsPossibleItIsRefused() {
    settle(Behaviour.REFUSE);
    servers.sql("update period set state = 'expired', expired_at = now(), archived_at = now()");
    assertThatThrownBy(() -> prepare()).hasMessageContaining("is archived");
    assertThat(records.number("select count(*) from exclusion")).isZero();
  }

  /** One of them makes the exclusions; the other finds them. */
  @Test
  void ofTwoWhoReturnTheSameAtTheSameTimeOneDoes() throws Exception {
    settle(Behaviour.REFUSE);
    ExecutorService both = Executors.newFixedThreadPool(2);
    try {
      List<Future<List<Exclusion>>> calls =
          both.invokeAll(List.<Callable<List<Exclusion>>>of(() -> prepare(), () -> prepare()));
      int made = 0;
      for (Future<List<Exclusion>> call : calls) {
        try {
          made += call.get().size();
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(WrongState.class);
        }
      }
      assertThat(made).isEqualTo(2);
    } finally {
      both.shutdown();
    }
    assertThat(records.number("select count(*) from exclusion")).isEqualTo(2);
  }

  @Test
  void moreThanTheMaximumIsRefused() {
    settle(Behaviour.REFUSE);
    assertThatThrownBy(
            () -> transaction.execute(status -> returns.exclude(List.of(), 1, "closed", "zoe")))
        .hasMessageContaining("2 returns are more than the maximum of 1");
  }
}
