package palmares.settlement.outbox;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.report.LedgerReport;
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.Statements.Account;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.threads.Spans;
import palmares.rules.board.MemberId;
import palmares.settlement.outbox.SimulatedWallet.Behaviour;
import palmares.settlement.wallet.Receipt;
import palmares.settlement.wallet.Receipt.Result;
import palmares.settlement.wallet.Receipt.Source;
import palmares.settlement.wallet.Receipts;
import palmares.settlement.wallet.Receipts.Recorded;
import palmares.settlement.wallet.Resend;
import palmares.settlement.wallet.WalletComparisons;
import palmares.settlement.wallet.WalletComparisons.Compared;
import palmares.settlement.wallet.WalletComparisons.Scope;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletFindings.FindingRow;
import palmares.settlement.wallet.WalletFindings.Kind;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An award is followed into the wallet, and each difference is found by name, and none more. */
@WorldTest
class WalletTest {
  private static final int MEMBERS = Integer.getInteger("tests.wallet", 150);
  private static final String NO_CREDITS = "id,amount\n";
  private static final String BLOCKED_BY =
      "select count(*) from pg_locks where not granted and %d = any(pg_blocking_pids(pid))";
  private static final long DAY = Duration.ofDays(1).toMillis();

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Facts facts;
  @Autowired private Deliveries deliveries;
  @Autowired private Receipts receipts;
  @Autowired private WalletComparisons comparisons;
  @Autowired private WalletFindings findings;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private LedgerReport ledger;
  @Autowired private MonthReport months;
  @Autowired private Clock clock;

  private final SimulatedWallet wallet = new SimulatedWallet(7);
  private Delivery delivery;

  @BeforeEach
  void aWallet() {
    delivery = Outboxes.delivery(50, facts, deliveries, transaction, clock, Spans.none());
    delivery.register(wallet);
  }

  @Test
  void theComparisonFindsEachDifferenceAndNoneMore() {
    settleMany();
    deliver();
    wallet.invent("shop/voucher-1");
    assertThat(kinds())
        .as("what is known before the list")
        .containsExactlyInAnyOrderEntriesOf(Map.of(Kind.REFUSED, count(Behaviour.REFUSE)));

    world.pass(Duration.ofMillis(DAY + 1));
    Compared compared = compare(wallet.list());

    assertThat(compared.lines()).isEqualTo(wallet.lines());
    assertThat(compared.awards()).isEqualTo(MEMBERS - count(Behaviour.REFUSE));
    assertThat(compared.confirmed())
        .as("of which it had not said so")
        .isEqualTo(count(Behaviour.SILENT));
    assertThat(found(Kind.MISSING)).isEqualTo(wallet.awards(Behaviour.LOSE, Behaviour.LIE));
    assertThat(found(Kind.TWICE)).isEqualTo(wallet.awards(Behaviour.DOUBLE));
    assertThat(found(Kind.AMOUNT)).isEqualTo(wallet.awards(Behaviour.OTHER_AMOUNT));
    assertThat(found(Kind.CURRENCY)).isEqualTo(wallet.awards(Behaviour.OTHER_CURRENCY));
    assertThat(found(Kind.REFUSED)).isEqualTo(wallet.awards(Behaviour.REFUSE));
    assertThat(found(Kind.UNAWARDED)).containsExactly("shop/voucher-1");
    assertThat(all()).extracting(FindingRow::kind).doesNotContain(Kind.UNCONFIRMED, Kind.ANSWER);

    assertThat(compare(wallet.list()).found()).as("again").isEqualTo(compared.found());
    assertThat(all())
        .as("each is open once")
        .hasSize(
            compared.found().values().stream().mapToInt(Math::toIntExact).sum()
                + (int) count(Behaviour.REFUSE));
  }

  @Test
  void whatIsMissingOrRefusedIsSentAgainUnderTheSameIdAndIsThenGone() {
    settleMany();
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    compare(wallet.list());
    List<String> lost = wallet.awards(Behaviour.LOSE, Behaviour.LIE, Behaviour.REFUSE);
    wallet.become(Behaviour.CREDIT);

    List<FindingRow> again = transaction.execute(status -> findings.resend(List.of(), null, "zoe"));
    assertThat(again).extracting(FindingRow::award).containsExactlyInAnyOrderElementsOf(lost);
    List<FindingRow> more = transaction.execute(status -> findings.resend(List.of(), null, "zoe"));
    assertThat(more).as("sent again once at a time").isEmpty();
    deliver();
    assertThat(records.number("select count(*) from resend where sent_at is null")).isZero();
    assertThat(found(Kind.REFUSED)).as("credited now").isEmpty();
    compare(wallet.list());
    assertThat(found(Kind.MISSING)).isEmpty();
    assertThat(kinds()).doesNotContainKeys(Kind.MISSING, Kind.REFUSED, Kind.UNCONFIRMED);
  }

  @Test
  void whatTheWalletDoesNotSayInTimeIsFoundAndWhatAPersonAcceptsStaysClosed() {
    settleMany();
    deliver();
    findings.findUnconfirmed();
    assertThat(found(Kind.UNCONFIRMED)).as("it has a day").isEmpty();
    world.pass(Duration.ofMillis(DAY + 1));
    findings.findUnconfirmed();
    assertThat(found(Kind.UNCONFIRMED)).isEqualTo(wallet.awards(Behaviour.SILENT, Behaviour.LOSE));

    accept(Kind.UNCONFIRMED, "paid by hand");
    findings.findUnconfirmed();
    assertThat(found(Kind.UNCONFIRMED)).isEmpty();
    compare(wallet.list());
    assertThat(found(Kind.MISSING)).as("accepted").isEqualTo(wallet.awards(Behaviour.LIE));
    assertThat(found(Kind.CREDITED)).as("paid twice").isEqualTo(wallet.awards(Behaviour.SILENT));
    accept(Kind.TWICE, "a gift");
    compare(wallet.list());
    assertThat(found(Kind.TWICE)).isEmpty();
  }

  @Test
  void whatAPersonAcceptsIsNotSentAgain() {
    wallet.become(Behaviour.LOSE);
    Period day = settle();
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    findings.findUnconfirmed();
    compare(NO_CREDITS);
    assertThat(all()).extracting(FindingRow::resendAskedAt).containsOnlyNulls();
    assertThat(resend()).contains(award(day, "ann"));
    assertThat(all()).extracting(FindingRow::resendAskedAt).containsOnly(world.now());
    accept(Kind.MISSING, "paid by the bank");
    assertThat(found(Kind.UNCONFIRMED)).as("of the same awards").isEmpty();
    assertThat(record(refused(award(day, "ann"), "closed"))).isNull();
    assertThat(found(Kind.REFUSED)).containsExactly(award(day, "ann"));
    assertThat(resend()).isEmpty();
    wallet.become(Behaviour.CREDIT);
    deliver();
    assertThat(wallet.lines()).isZero();
    assertThat(records.number("select count(*) from resend")).isZero();
  }

  /** A person accepts awards while a batch has them. */
  @Test
  void whatIsBeingSentAgainIsNotAcceptedBeforeTheWalletHasAnswered() {
    wallet.become(Behaviour.LOSE);
    settle();
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    compare(NO_CREDITS);
    List<String> missing = found(Kind.MISSING);
    resend();
    CompletableFuture<Void> accepting =
        transaction.execute(
            status -> {
              List<Resend> batch = deliveries.resends(50);
              String blocked = BLOCKED_BY.formatted(records.number("select pg_backend_pid()"));
              var begun =
                  CompletableFuture.runAsync(() -> accept(Kind.MISSING, "paid by the bank"));
              await().until(() -> begun.isDone() || records.number(blocked) > 0);
              deliveries.resent(batch);
              return begun;
            });
    assertThatThrownBy(accepting::join)
        .hasMessageContaining("has just been sent to the wallet again");
    assertThat(found(Kind.MISSING)).isEqualTo(missing).isNotEmpty();
    accept(Kind.MISSING, "the wallet still does not have them");
    assertThat(found(Kind.MISSING)).isEmpty();
  }

  /** Ann gets 30 for a point, 100 for ten and 150 for twenty; each time she has other points. */
  @ParameterizedTest
  @CsvSource({"1, 10 1 10 1", "1, 10 20 1", "1 3, 10 1 10", "'', 10 0"})
  void whatWasAwardedLastIsTakenBackFirst(String left, String points) {
    wallet.become(Behaviour.LOSE);
    Period day =
        world.open(
            world.board(
                Rules.day()
                    .with("rewards: [ { rule: steps, points: { 1: 30, 10: 100, 20: 150 } } ]")));
    List<Long> each = Stream.of(points.split(" ")).map(Long::valueOf).toList();
    world.take(Fact.by("ann").does("coin").times(each.get(0).intValue()));
    world.settle(day);
    for (long next : each.subList(1, each.size())) {
      correct(day, Map.of(new MemberId("ann"), next));
    }
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    compare(NO_CREDITS);
    assertThat(resend())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(left.split(" "))
                .filter(revision -> !revision.isEmpty())
                .map(
                    "%s/%s/%%s/ann/steps/credits/award".formatted(day.board(), day.name())
                        ::formatted)
                .toList());
  }

  private void correct(Period day, Map<MemberId, Long> points) {
    assertThat(
            amendments.prepare(day.id(), new AmendmentRequest("zoe", "miscounted", null, points)))
        .isPresent();
    amendments.approve(day.id(), null, "bob", "right so");
  }

  private void accept(Kind kind, String reason) {
    transaction.execute(status -> findings.accept(List.of(), kind, "zoe", reason));
  }

  @Test
  void aReceiptIsStoredOnceAndOneThatIsWrongChangesNothing() {
    Period day = settle();
    wallet.become(Behaviour.CREDIT);
    String ann = award(day, "ann");
    assertThat(record(credited(ann, 1000))).isNull();
    assertThat(record(credited("award.paid:" + ann, 1000))).as("a repeat").isNull();
    assertThat(records.number("select count(*) from receipt")).isOne();

    assertThat(record(credited(award(day, "nobody"), 1))).isEqualTo(Problem.UNKNOWN_OBJECT);
    assertThat(record(credited("no/id", 1))).isEqualTo(Problem.UNKNOWN_OBJECT);
    assertThat(record(credited(award(day, "bob"), 301))).isEqualTo(Problem.INVALID_FIELD);
    assertThat(record(new Receipt(award(day, "bob"), Result.CREDITED, null, null)))
        .isEqualTo(Problem.INVALID_FIELD);
    assertThat(record(refused(ann, "too late"))).isEqualTo(Problem.WRONG_STATE);
    assertThat(record(refused(award(day, "bob"), " "))).isEqualTo(Problem.INVALID_FIELD);
    assertThat(records.number("select count(*) from receipt")).isOne();

    assertThat(record(refused(award(day, "bob"), "closed"))).isNull();
    assertThat(found(Kind.REFUSED)).containsExactly(award(day, "bob"));
    assertThat(record(credited(award(day, "bob"), 300))).as("reopened").isNull();
    assertThat(found(Kind.REFUSED)).isEmpty();
    assertThat(
            records.words("select n || ' ' || result from receipt where member = 'bob' order by n"))
        .containsExactly("1 refused", "2 credited");
  }

  @Test
  void aCreditAfterTheReturnWasDeliveredIsRefused() {
    wallet.become(Behaviour.SILENT);
    Period day = settle();
    takeBack(day, "ann");
    assertThat(record(credited(award(day, "cid"), 300))).as("of another").isNull();
    deliver();
    assertThat(record(credited(award(day, "ann"), 1000))).isEqualTo(Problem.WRONG_STATE);
  }

  @Test
  void aReturnIsConfirmedOnceToo() {
    wallet.become(Behaviour.CREDIT);
    wallet.becomeSilentOnReturns();
    Period day = settle();
    deliver();
    takeBack(day, "ann");
    deliver();
    String back = returned(day, "ann");
    assertThat(record(new Receipt(back, Result.CREDITED, 1000L, null)))
        .isEqualTo(Problem.INVALID_FIELD);
    assertThat(record(new Receipt(award(day, "bob"), Result.RETURNED, 300L, null)))
        .isEqualTo(Problem.INVALID_FIELD);
    assertThat(record(new Receipt(back, Result.RETURNED, 999L, null)))
        .isEqualTo(Problem.INVALID_FIELD);
    assertThat(record(new Receipt(returned(day, "bob"), Result.RETURNED, 300L, null)))
        .isEqualTo(Problem.UNKNOWN_OBJECT);
    assertThat(record(refused(back, "spent"))).isNull();
    assertThat(found(Kind.REFUSED)).containsExactly(back);
    assertThat(record(new Receipt("award.returned:" + back, Result.RETURNED, 1000L, null)))
        .isNull();
    assertThat(record(new Receipt(back, Result.RETURNED, 1000L, null))).as("a repeat").isNull();
    assertThat(record(refused(back, "spent"))).isEqualTo(Problem.WRONG_STATE);
    assertThat(found(Kind.REFUSED)).isEmpty();
    assertThat(records.words("select result from receipt where member = 'ann' order by at, n"))
        .contains("credited", "refused", "returned");
  }

  @Test
  void aReturnThatIsNotConfirmedInTimeIsFoundAndSentAgain() {
    wallet.become(Behaviour.CREDIT);
    wallet.becomeSilentOnReturns();
    Period day = settle();
    deliver();
    takeBack(day, "ann");
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    findings.findUnconfirmed();
    assertThat(found(Kind.UNCONFIRMED)).contains(returned(day, "ann"));
    compare(wallet.list() + returned(day, "ann") + ",1000,credits\n");
    assertThat(found(Kind.UNAWARDED)).as("no credit").containsExactly(returned(day, "ann"));
    wallet.becomeHonestOnReturns();
    assertThat(resend()).contains(returned(day, "ann"));
    deliver();
    assertThat(found(Kind.UNCONFIRMED)).isEmpty();
  }

  @Test
  void aListOfCreditsLacksNoReturn() {
    wallet.become(Behaviour.CREDIT);
    Period day = settle();
    deliver();
    takeBack(day, "ann");
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    assertThat(compare(wallet.list()).found()).isEmpty();
    assertThat(compare(wallet.list()).awards())
        .isEqualTo(records.number("select count(*) from transfer where purpose = 'award'"));
  }

  private static String returned(Period day, String member) {
    return "%s/%s/2/%s/podium/credits/return".formatted(day.board(), day.name(), member);
  }

  /** Before it was taken back somebody asked for it, and afterwards again. */
  @Test
  void anAwardThatWasTakenBackIsNotSentAgain() {
    wallet.become(Behaviour.LOSE);
    Period day = settle();
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    compare(NO_CREDITS);
    assertThat(resend()).contains(award(day, "ann"), award(day, "bob"));
    takeBack(day, "ann");
    wallet.become(Behaviour.CREDIT);
    deliver();
    assertThat(wallet.list()).contains(award(day, "bob")).doesNotContain(award(day, "ann"));
    assertThat(records.number("select count(*) from resend where sent_at is null")).isZero();
    assertThat(found(Kind.MISSING)).as("for a person").contains(award(day, "ann"));
    assertThat(resend()).doesNotContain(award(day, "ann"));
  }

  @Test
  void aStatementAndAMonthSayWhatAListSaysAlthoughTheWalletHadConfirmedIt() {
    wallet.become(Behaviour.CREDIT);
    Period day = settle();
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    String whole = wallet.list();
    assertThat(received()).hasSize(6).allMatch(said -> said.endsWith(" credited"));
    assertThat(receivedInTheMonth()).isEqualByComparingTo("1680");

    String ann = award(day, "ann") + ",1000,credits\n";
    String bob = award(day, "bob") + ",300,credits\n";
    String cid = award(day, "cid") + ",300,credits\n";
    String invite = award(day, "cid").replace("podium", "each-invite") + ",20,";
    compare(
        whole
            .replace(ann, "")
            .replace(bob, bob + bob)
            .replace(cid, cid.replace("300", "200"))
            .replace(invite + "credits", invite + "gems"));
    assertThat(received())
        .containsExactlyInAnyOrder(
            "ann podium missing",
            "ann each-invite credited",
            "bob podium twice",
            "bob each-invite credited",
            "cid podium amount",
            "cid each-invite currency");
    assertThat(receivedInTheMonth()).as("without what is missing").isEqualByComparingTo("680");

    compare(whole);
    assertThat(received()).hasSize(6).allMatch(said -> said.endsWith(" credited"));
    assertThat(receivedInTheMonth()).isEqualByComparingTo("1680");
  }

  @Test
  void aMonthCountsWhatWasCreditedAfterAPersonHadPaidElsewhere() {
    wallet.become(Behaviour.CREDIT);
    Period day = settle();
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    String whole = wallet.list();
    compare(whole.replace(award(day, "ann") + ",1000,credits\n", ""));
    accept(Kind.MISSING, "paid by the bank");
    assertThat(receivedInTheMonth()).isEqualByComparingTo("680");
    compare(whole);
    assertThat(found(Kind.CREDITED)).containsExactly(award(day, "ann"));
    assertThat(receivedInTheMonth()).isEqualByComparingTo("1680");
  }

  private List<String> received() {
    var received = new ArrayList<String>();
    for (String member : List.of("ann", "bob", "cid")) {
      ledger.statement(
          new Account(member, "member", null),
          0,
          line ->
              received.add(
                  "%s %s %s"
                      .formatted(
                          member,
                          line.entry().rule(),
                          requireNonNull(line.entry().received()).word())));
    }
    return received;
  }

  private @Nullable BigDecimal receivedInTheMonth() {
    return months
        .sums(new Month(YearMonth.from(world.now().atZone(ZoneOffset.UTC)), ZoneOffset.UTC))
        .get(0)
        .received();
  }

  /** A receiver may drop a batch whose id it has had. */
  @Test
  void awardsThatAreSentAgainAreABatchWithAnotherIdEachTime() {
    wallet.become(Behaviour.LOSE);
    settle();
    deliver();
    world.pass(Duration.ofMillis(DAY + 1));
    compare(NO_CREDITS);
    for (int times = 0; times < 2; times++) {
      assertThat(resend()).isNotEmpty();
      deliver();
    }
    assertThat(wallet.batches()).hasSizeGreaterThan(2).doesNotHaveDuplicates();
  }

  @Test
  void anAnswerWithNamesThatCannotBeStoredStopsNoDelivery() {
    String wide =
        new Random(1)
            .ints(480, 0x4e00, 0x9fff)
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    List<Receipt> said =
        List.of(
            credited("b/p/1/" + wide + "/r/c/award", 1),
            credited("half \ud800", 1),
            credited("half \ud801", 1));
    transaction.executeWithoutResult(
        status -> receipts.recordAnswer(said, null, "facts_1", "wallet"));
    assertThat(found(Kind.ANSWER)).hasSize(2).contains("half ?");
  }

  @Test
  void amountsThatNoAccountHoldsAndTwoFaultsOfACreditAreFoundOnce() {
    Period day = settle();
    String list =
        "id,amount,currency\n"
            + "shop,9223372036854775807,\n".repeat(2)
            + (award(day, "ann") + ",1000,gems\n").repeat(2);
    assertThat(compare(list).found())
        .isEqualTo(Map.of(Kind.UNAWARDED, 1L, Kind.TWICE, 1L, Kind.CURRENCY, 1L));
    assertThat(all())
        .filteredOn(row -> row.kind() == Kind.UNAWARDED)
        .extracting(FindingRow::received)
        .containsExactly(Long.MAX_VALUE);
  }

  @Test
  void theDatabaseRefusesWhatTheProgramMustNotWrite() {
    Period day = settle();
    record(credited(award(day, "ann"), 1000));
    String copy =
        "insert into receipt select outcome, rule, member, %s, %s, '%s', %s, source, by, at"
            + " from receipt";
    for (String sql :
        List.of(
            copy.formatted("n + 1", "amount", "credited", "null"),
            copy.formatted("n + 1", "amount", "refused", "'no'"),
            copy.replace("member,", "'bob',").formatted("1", "amount", "credited", "null"),
            copy.replace("member,", "'kim',").formatted("1", "amount", "credited", "null"),
            copy.formatted("n + 1", "amount", "returned", "null"),
            copy.replace("member,", "'cid',").formatted("1", "300", "returned", "null"),
            "update receipt set amount = 1",
            "delete from receipt")) {
      assertThatThrownBy(() -> servers.sql(sql))
          .as(sql)
          .isInstanceOf(DataIntegrityViolationException.class);
    }
    assertThat(records.number("select count(*) from receipt")).isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                    | the list is empty
          id,amount                             | may be cut off
          id,amount\\na,1\\nb,1                   | may be cut off
          id,amount\\na,1\\nb\\n                  | line 3: 1 cell instead of 2
          id,sum\\na,1\\n                         | no column 'amount'
          id,amount\\na,1.5\\n                    | line 2: '1.5' is no whole amount
          id,amount\\na,-5\\n                     | '-5' is no whole amount above 0
          id,amount\\n,5\\n                       | the id is missing
          {"id":"a","amount":1}\\n{"id":"b","am\\n | line 2: this is neither CSV nor NDJSON
          {"id":"a","amount":"1"}\\n             | is no whole amount
          """)
  void aListThatIsNotWholeIsRefused(String list, String complaint) {
    assertThatThrownBy(() -> compare(list.replace("\\n", "\n")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(complaint);
    assertThat(records.number("select count(*) from wallet_comparison")).isZero();
  }

  @Test
  void aListWithFewerLinesThanItsSenderCountedIsRefused() {
    assertThatThrownBy(
            () ->
                transaction.execute(
                    status ->
                        comparisons.compare("id,amount\na,1\n", new Scope(null, null, 2L), "zoe")))
        .hasMessageContaining("1 line instead of 2");
  }

  @Test
  void anAnswerIsReadAndWhatIsWrongInItIsReported() throws Exception {
    try (var receiver = new Receiver()) {
      Period day = world.open(world.board(Contest.rules()));
      world.take(Contest.facts());
      var settings =
          new WebhookSettings(
              receiver.url(),
              List.of(Receiver.SECRET),
              List.of("localhost"),
              false,
              List.of("*"),
              true,
              null,
              Duration.ofSeconds(5),
              Duration.ofSeconds(10));
      var webhook = new WebhookTarget("wallet", settings, clock, Spans.none());
      delivery.register(webhook);
      receiver.answers(
          """
          {"outcomes": [
            {"id": "award.paid:%s", "outcome": "credited", "amount": 1000},
            {"id": "award.paid:%s", "outcome": "refused", "reason": "closed"},
            {"id": "award.paid:%s", "outcome": "credited", "amount": 3},
            {"id": "mine", "outcome": "credited", "amount": 3},
            {"id": "%1$s", "outcome": "credited", "amount": 1000},
            {"id": "nul\\u0000%4$s", "outcome": "refused", "reason": "a\\u0000b"},
            {"id": "award.paid:%1$s", "outcome": "maybe"}]}
          """
              .formatted(
                  award(day, "ann"), award(day, "bob"), award(day, "cid"), "x".repeat(3000)));
      world.settle(day);
      while (delivery.deliverNext(webhook)) {
        assertThat(receiver.posts()).hasSizeLessThan(20);
      }
      assertThat(records.words("select member || ' ' || result from receipt order by member"))
          .containsExactly("ann credited", "bob refused");
      assertThat(found(Kind.ANSWER))
          .contains("mine", award(day, "cid"))
          .anyMatch(award -> award.startsWith("facts_"));
      assertThat(found(Kind.REFUSED)).containsExactly(award(day, "bob"));

      receiver.answers(exchange -> 204);
      world.settle(world.open(world.board(Contest.rules())));
      while (delivery.deliverNext(webhook)) {
        assertThat(receiver.posts()).hasSizeLessThan(20);
      }
    }
  }

  private static String award(Period day, String member) {
    return "%s/%s/1/%s/podium/credits/award".formatted(day.board(), day.name(), member);
  }

  private static Receipt credited(String award, long amount) {
    return new Receipt(award, Result.CREDITED, amount, null);
  }

  private static Receipt refused(String award, String reason) {
    return new Receipt(award, Result.REFUSED, null, reason);
  }

  /** Returns why it was refused; null if it was not. */
  private @Nullable Problem record(Receipt receipt) {
    List<Recorded> done =
        transaction.execute(status -> receipts.record(List.of(receipt), Source.CALL, "shop"));
    Refusal refusal = done.get(0).refusal();
    return refusal == null ? null : refusal.problem();
  }

  private Compared compare(String list) {
    return transaction.execute(
        status -> comparisons.compare(list, new Scope(null, null, null), "zoe"));
  }

  private List<FindingRow> all() {
    return findings.list(null, false, null, 100_000);
  }

  private List<String> found(Kind kind) {
    return all().stream()
        .filter(row -> row.kind() == kind)
        .map(FindingRow::award)
        .sorted()
        .toList();
  }

  private Map<Kind, Long> kinds() {
    var kinds = new EnumMap<Kind, Long>(Kind.class);
    findings.counts().forEach(open -> kinds.put(open.kind(), open.findings()));
    return kinds;
  }

  private long count(Behaviour behaviour) {
    return wallet.awards(behaviour).size();
  }

  private List<String> resend() {
    List<FindingRow> again = transaction.execute(status -> findings.resend(List.of(), null, "zoe"));
    return again.stream().map(FindingRow::award).toList();
  }

  private void takeBack(Period day, String member) {
    exclusions.exclude(Terms.always(new MemberId(member), ExclusionLevel.HIDDEN), "cheats", "zoe");
    assertThat(amendments.prepare(day.id(), new AmendmentRequest("zoe", "cheats", null, Map.of())))
        .isPresent();
    amendments.approve(day.id(), null, "bob", "right so");
  }

  private Period settle() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    return day;
  }

  /** Each member has one award. */
  private void settleMany() {
    Rules rules = Rules.day().with("rewards: [ { rule: thanks, per: like, credits: 5 } ]");
    Period day = world.open(world.board(rules));
    List<Fact> likes = new ArrayList<>();
    IntStream.range(0, MEMBERS).forEach(i -> likes.add(Fact.by("member/" + i).on("post")));
    world.take(likes);
    world.settle(day);
  }

  private void deliver() {
    int batches = 0;
    while (delivery.deliverNext(wallet)) {
      assertThat(batches++).isLessThan(100_000);
    }
    List<Receipt> late = wallet.delayed();
    transaction.executeWithoutResult(
        status ->
            assertThat(receipts.record(late, Source.CALL, "wallet"))
                .allMatch(said -> said.refusal() == null));
  }
}
