package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.MINUTES;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.operations.inbox.Inbox;
import palmares.operations.inbox.InboxItem;
import palmares.period.Period;
import palmares.platform.text.Commands;
import palmares.platform.threads.Spans;
import palmares.settlement.dailydigest.Digest;
import palmares.settlement.outbox.SimulatedWallet.Behaviour;
import palmares.settlement.outbox.WebhookSettings.ListSettings;
import palmares.settlement.wallet.WalletComparisons;
import palmares.settlement.wallet.WalletComparisons.Scope;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletFindings.FindingRow;
import palmares.settlement.wallet.WalletFindings.Kind;
import palmares.settlement.wallet.WalletSettings;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The list that a wallet offers is compared with the awards once a night. */
@WorldTest
class NightlyComparisonTest {
  private static final Duration MARGIN = Duration.ofMinutes(5);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Facts facts;
  @Autowired private Deliveries deliveries;
  @Autowired private WalletComparisons comparisons;
  @Autowired private WalletFindings findings;
  @Autowired private WalletSettings settings;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Inbox inbox;
  @Autowired private Digest digest;
  @Autowired private Clock clock;

  /** A time that the wallet was asked for. */
  private record Asked(Instant from, Instant to) {
    Duration time() {
      return Duration.between(from, to).minus(MARGIN.multipliedBy(2));
    }
  }

  private final SimulatedWallet wallet = new SimulatedWallet(7);
  private final List<Asked> asked = new ArrayList<>();
  private Duration longest = Duration.ofDays(2);
  private int status = 200;
  private int pages;
  private int stopsAt;
  private final AtomicLong nanos = new AtomicLong();
  private Duration each = Duration.ZERO;
  private @Nullable Instant spoilt;
  private @Nullable String hidden;

  /** An award of which the first list of a night has all credits, and the next ones have one. */
  private @Nullable String onlyOnce;

  private final Map<String, Instant> gotAt = new TreeMap<>();
  private HttpServer server;
  private Delivery delivery;
  private NightlyComparison comparison;

  @BeforeEach
  void aWalletWithAList() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    delivery = Outboxes.delivery(50, facts, deliveries, transaction, clock, Spans.none());
    delivery.register(wallet);
    comparison = comparison(new ListSettings(URI.create(url("/credits")), null));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  private NightlyComparison comparison(@Nullable ListSettings list) {
    return new NightlyComparison(
        new WalletPages(
            new Webhooks(null, Map.of("wallet", Receiver.wallet(url("/facts"), list))),
            () -> 0L,
            3),
        comparisons,
        findings,
        settings,
        transaction,
        clock,
        nanos::get);
  }

  /** A list of a longer time than the wallet likes has more pages than are read. */
  private void answer(HttpExchange exchange) throws IOException {
    var query = UriComponentsBuilder.fromUri(exchange.getRequestURI()).build().getQueryParams();
    var time =
        new Asked(Instant.parse(query.getFirst("from")), Instant.parse(query.getFirst("to")));
    boolean isFirst = query.getFirst("cursor") == null;
    if (isFirst) {
      asked.add(time);
    }
    nanos.addAndGet(each.toNanos());
    if (asked.size() == stopsAt) {
      comparison.stop();
    }
    boolean isEndless = time.time().compareTo(longest) > 0;
    String credits = isFirst ? credits(time) : "";
    String cursor = isEndless ? "\"%s\"".formatted(++pages) : "null";
    byte[] body = "{\"credits\":[%s],\"cursor\":%s}".formatted(credits, cursor).getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** The credits of the awards that the wallet got in a time; a wrong one if it is spoilt. */
  private String credits(Asked time) {
    Stream<String> lines =
        wallet
            .list()
            .lines()
            .skip(1)
            .filter(
                line -> {
                  Instant at = requireNonNull(gotAt.get(line.split(",")[0]));
                  return !at.isBefore(time.from()) && at.isBefore(time.to());
                });
    lines = lines.filter(line -> hidden == null || !line.startsWith(hidden));
    if (asked.size() > 1) {
      var once = new HashSet<String>();
      lines =
          lines.filter(line -> onlyOnce == null || !line.startsWith(onlyOnce) || once.add(line));
    }
    boolean isSpoilt =
        spoilt != null && !spoilt.isBefore(time.from()) && spoilt.isBefore(time.to());
    return Stream.concat(lines, isSpoilt ? Stream.of("x,0,credits") : Stream.of())
        .map(line -> line.split(","))
        .map(
            cells ->
                "{\"id\":\"%s\",\"amount\":%s,\"currency\":\"%s\"}".formatted((Object[]) cells))
        .collect(Collectors.joining(","));
  }

  @Test
  void itFindsWhatTheListShowsAndConfirmsWhatTheWalletDidNotSay() {
    wallet.become(Behaviour.SILENT);
    settle();
    wallet.become(Behaviour.DOUBLE);
    settle();
    world.pass(Duration.ofHours(25));
    comparison.run();
    assertThat(found(Kind.TWICE)).isEqualTo(wallet.awards(Behaviour.DOUBLE)).isNotEmpty();
    assertThat(found(Kind.UNCONFIRMED)).as("the list has them").isEmpty();
    assertThat(
            records.words("select distinct source || ' ' || by from receipt where by <> 'wallet'"))
        .containsExactly("list palmares");
    assertThat(comparisons.failing()).isEmpty();
  }

  @Test
  void eachDayOfTheTimeBeforeIsAskedForOnceAndThenTheLastWeekAgain() {
    comparison.run();
    assertThat(asked).hasSize(40).allMatch(each -> each.time().equals(Duration.ofDays(1)));
    assertThat(asked.get(39).to().minus(MARGIN))
        .isEqualTo(clock.instant().minus(settings.confirmWithin()).truncatedTo(MINUTES));
    IntStream.range(1, 40)
        .forEach(
            day ->
                assertThat(asked.get(day).from())
                    .isEqualTo(asked.get(day - 1).to().minus(MARGIN.multipliedBy(2))));
    asked.clear();
    world.pass(Duration.ofDays(1));
    comparison.run();
    assertThat(asked).hasSize(7);
    assertThat(asked)
        .as("what is new is first")
        .isSortedAccordingTo(comparing(Asked::to).reversed());
    asked.clear();
    world.pass(Duration.ofDays(12));
    comparison.run();
    assertThat(asked).as("of a server that was off").hasSize(12);
  }

  @Test
  void whatIsCreditedAgainDaysLaterIsFound() {
    wallet.become(Behaviour.CREDIT);
    Period day = settle();
    world.pass(Duration.ofHours(25));
    comparison.run();
    assertThat(findings.counts()).isEmpty();
    wallet.become(Behaviour.DOUBLE);
    String ann = "%s/%s/1/ann/podium/credits/award".formatted(day.board(), day.name());
    wallet.credit(ann, 1000, "credits");
    world.pass(Duration.ofDays(5));
    comparison.run();
    assertThat(found(Kind.TWICE)).containsExactly(ann);
  }

  /**
   * The wallet got the first awards of the outcome in one list's time, and the last in another's.
   */
  @Test
  void awardsThatArriveOverSeveralListsAreNotMissing() {
    delivery = Outboxes.delivery(2, facts, deliveries, transaction, clock, Spans.none());
    wallet.become(Behaviour.CREDIT);
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    assertThat(deliver()).isTrue();
    assertThat(deliver()).isTrue();
    assertThat(gotAt).isNotEmpty();
    world.pass(Duration.ofHours(1));
    while (deliver()) {}
    world.pass(Duration.ofHours(23).plusMinutes(30));
    comparison.run();
    for (int night = 0; night < 9; night++) {
      world.pass(Duration.ofDays(1));
      comparison.run();
      assertThat(findings.counts()).as("night %s", night).isEmpty();
    }
    assertThat(comparisons.failing()).isEmpty();
  }

  @Test
  void whatIsSentAgainIsMissingOnceOnly() {
    wallet.become(Behaviour.LOSE);
    settle();
    world.pass(Duration.ofHours(25));
    comparison.run();
    assertThat(found(Kind.MISSING)).isEqualTo(wallet.awards(Behaviour.LOSE)).isNotEmpty();
    transaction.execute(status -> findings.resend(List.of(), Kind.MISSING, "zoe"));
    wallet.become(Behaviour.CREDIT);
    while (deliver()) {}
    assertThat(findings.counts()).isEmpty();
    for (int night = 0; night < 9; night++) {
      world.pass(Duration.ofDays(1));
      comparison.run();
      assertThat(findings.counts()).as("night %s", night).isEmpty();
    }
  }

  @Test
  void aNightThatTakesTooLongEndsAndTheNextOneGoesOn() {
    wallet.become(Behaviour.LOSE);
    settle();
    world.pass(Duration.ofHours(25));
    each = Duration.ofSeconds(29);
    comparison.run();
    assertThat(asked).hasSizeBetween(20, 22);
    assertThat(comparisons.failing())
        .hasValueSatisfying(
            failing -> {
              assertThat(failing.since()).isEqualTo(asked.get(asked.size() - 1).to().minus(MARGIN));
              assertThat(failing.until()).isEqualTo(clock.instant().minus(Duration.ofDays(1)));
              assertThat(failing.failure().toString()).contains("long-night");
            });
    assertThat(found(Kind.MISSING)).as("not seen yet").isEmpty();
    Instant reached = asked.get(asked.size() - 1).to();
    asked.clear();
    world.pass(Duration.ofDays(1));
    comparison.run();
    assertThat(asked.get(0).from().plus(MARGIN.multipliedBy(2))).isEqualTo(reached);
    assertThat(comparisons.failing()).isEmpty();
    assertThat(found(Kind.MISSING)).isEqualTo(wallet.awards(Behaviour.LOSE));
  }

  /**
   * The first awards of an outcome came before the night's new lists, and the last ones in these.
   */
  @Test
  void nightsThatAllTakeTooLongFindWhatArrivedOverTwoOfThem() {
    wallet.become(Behaviour.LOSE);
    settleAndDeliverTwo();
    world.pass(Duration.ofHours(25));
    comparison.run();
    while (deliver()) {}
    world.pass(Duration.ofHours(25));
    each = Duration.ofMinutes(6);
    comparison.run();
    world.pass(Duration.ofDays(1));
    comparison.run();
    assertThat(found(Kind.MISSING)).isEqualTo(wallet.awards(Behaviour.LOSE)).isNotEmpty();
  }

  /** Looking back to the posting alone takes a night then. */
  @Test
  void nightsThatAreTooShortToLookBackGoOn() {
    wallet.become(Behaviour.SILENT);
    settleAndDeliverTwo();
    for (int night = 0; night < 4; night++) {
      world.pass(Duration.ofHours(25));
      comparison.run();
    }
    while (deliver()) {}
    world.pass(Duration.ofHours(25));
    each = Duration.ofMinutes(6);
    comparison.run();
    comparison.run();
    assertThat(comparisons.comparedUntil())
        .hasValue(clock.instant().minus(Duration.ofDays(1)).truncatedTo(MINUTES));
  }

  /** A credit that came again only where the next list begins is no other difference there. */
  @Test
  void whatOneListOfANightFoundAnotherDoesNotClose() {
    wallet.become(Behaviour.CREDIT);
    Period day = settle();
    world.pass(Duration.ofHours(25));
    comparison.run();
    String ann = "%s/%s/1/ann/podium/credits/award".formatted(day.board(), day.name());
    wallet.become(Behaviour.DOUBLE);
    wallet.credit(ann, 1000, "credits");
    Instant edge = clock.instant().minus(Duration.ofDays(1)).truncatedTo(MINUTES);
    gotAt.put(ann, edge.minus(Duration.ofMinutes(2)));
    onlyOnce = ann;
    asked.clear();
    world.pass(Duration.ofDays(1));
    comparison.run();
    assertThat(found(Kind.TWICE)).containsExactly(ann);
    assertThat(records.number("select count(*) from wallet_finding")).isEqualTo(1);
  }

  /** The list that has what was sent again is not read, and the one of its first delivery is. */
  @Test
  void whatWasSentAgainInATimeThatIsNotReadIsNotMissing() {
    wallet.become(Behaviour.LOSE);
    settle();
    world.pass(Duration.ofHours(25));
    comparison.run();
    assertThat(found(Kind.MISSING)).isNotEmpty();
    world.pass(Duration.ofDays(2));
    transaction.execute(status -> findings.resend(List.of(), Kind.MISSING, "zoe"));
    wallet.become(Behaviour.CREDIT);
    while (deliver()) {}
    spoilt = clock.instant();
    world.pass(Duration.ofHours(36));
    comparison.run();
    assertThat(comparisons.failing()).isPresent();
    assertThat(findings.counts()).isEmpty();
  }

  /** The wallet had said so before, and a list lacked it, so that a person has paid elsewhere. */
  @Test
  void aCreditAfterAPersonHasPaidElsewhereIsFound() {
    wallet.become(Behaviour.CREDIT);
    Period day = settle();
    hidden = "%s/%s/1/ann/podium/credits/award".formatted(day.board(), day.name());
    world.pass(Duration.ofHours(25));
    comparison.run();
    assertThat(found(Kind.MISSING)).containsExactly(hidden);
    transaction.execute(
        status -> findings.accept(List.of(), Kind.MISSING, "zoe", "paid by the bank"));
    String ann = requireNonNull(hidden);
    hidden = null;
    world.pass(Duration.ofDays(1));
    comparison.run();
    assertThat(found(Kind.CREDITED)).containsExactly(ann);
    transaction.execute(status -> findings.accept(List.of(), Kind.CREDITED, "zoe", "taken back"));
    world.pass(Duration.ofDays(1));
    comparison.run();
    assertThat(findings.counts()).isEmpty();
  }

  @Test
  void aDayThatCannotBeComparedKeepsNoOtherFromIt() {
    wallet.become(Behaviour.DOUBLE);
    settle();
    List<String> twice = wallet.awards(Behaviour.DOUBLE);
    world.pass(Duration.ofHours(25));
    comparison.run();
    world.pass(Duration.ofDays(3));
    wallet.become(Behaviour.LOSE);
    asked.clear();
    settle();
    world.pass(Duration.ofHours(25));
    spoilt = clock.instant().minus(Duration.ofHours(24 + 60));
    comparison.run();
    assertThat(found(Kind.TWICE)).isEqualTo(twice);
    assertThat(found(Kind.MISSING)).isEqualTo(wallet.awards(Behaviour.LOSE)).isNotEmpty();
    WalletComparisons.Failing failing = comparisons.failing().orElseThrow();
    assertThat(spoilt).isBetween(failing.since(), failing.until());
    assertThat(Duration.between(failing.since(), failing.until())).isEqualTo(Duration.ofDays(1));

    String list = "id,amount\n";
    transaction.executeWithoutResult(
        status ->
            comparisons.compare(list, new Scope(failing.since(), failing.until(), null), "zoe"));
    assertThat(comparisons.failing()).as("somebody has compared it").isEmpty();
  }

  @Test
  void aWalletThatDoesNotAnswerIsInTheInboxAndInTheDigestUntilItDoes() {
    wallet.become(Behaviour.SILENT);
    settle();
    world.pass(Duration.ofHours(25));
    Instant first = clock.instant();
    status = 500;
    comparison.run();
    assertThat(asked).as("it is not asked for each day").hasSize(3);
    assertThat(found(Kind.UNCONFIRMED)).as("without a list").isNotEmpty();
    world.pass(Duration.ofDays(3));
    comparison.run();
    assertThat(comparisons.failing())
        .hasValueSatisfying(
            failing -> {
              assertThat(failing.at()).isEqualTo(first);
              assertThat(failing.failure().toString()).contains("500");
            });
    assertThat(list())
        .singleElement()
        .asString()
        .startsWith("palmares reconcile --fetch --from 2026-");
    digest.writeIfDue();
    assertThat(
            records.words(
                "select data -> 'walletFailure' ->> 'text' from fact where type = 'digest'"))
        .singleElement()
        .asString()
        .startsWith("page 1 of the wallet's list was not read");

    status = 200;
    asked.clear();
    comparison.run();
    assertThat(asked).as("what it has not compared").hasSize(40);
    assertThat(comparisons.failing()).isEmpty();
    assertThat(list()).isEmpty();
    assertThat(found(Kind.UNCONFIRMED)).isEmpty();
  }

  @Test
  void aDayThatIsTooLongIsReadByHalves() {
    settle();
    comparison.run();
    asked.clear();
    longest = Duration.ofHours(7);
    world.pass(Duration.ofDays(1));
    comparison.run();
    assertThat(comparisons.failing()).isEmpty();
    assertThat(asked.stream().filter(each -> each.time().compareTo(longest) <= 0))
        .hasSize(7 * 4)
        .allMatch(each -> each.time().equals(Duration.ofHours(6)));

    longest = Duration.ofMinutes(10);
    asked.clear();
    comparison.run();
    assertThat(comparisons.failing())
        .hasValueSatisfying(
            failing -> assertThat(failing.failure().toString()).contains("too-many-pages"));
    assertThat(asked).as("each part").hasSize(7 * 31);
  }

  /** As one that dies between two lists: nothing says that the night was whole. */
  @Test
  void whatANightThatStopsHasFoundIsFoundOnceByTheNextOne() {
    wallet.become(Behaviour.DOUBLE);
    settle();
    world.pass(Duration.ofHours(25));
    stopsAt = 40;
    comparison.run();
    assertThat(asked).hasSize(40);
    assertThat(comparisons.comparedUntil()).isEmpty();
    stopsAt = 0;
    comparison = comparison(new ListSettings(URI.create(url("/credits")), null));
    comparison.run();
    assertThat(found(Kind.TWICE)).isEqualTo(wallet.awards(Behaviour.DOUBLE)).isNotEmpty();
    assertThat(records.number("select count(*) from wallet_finding"))
        .isEqualTo(found(Kind.TWICE).size());
    assertThat(comparisons.comparedUntil()).isPresent();
  }

  @Test
  void aWalletWithoutAListIsNotAsked() {
    settle();
    world.pass(Duration.ofHours(25));
    comparison(null).run();
    assertThat(asked).isEmpty();
    assertThat(records.number("select count(*) from wallet_comparison")).isZero();
  }

  private List<String> list() {
    return inbox.items(null).stream()
        .filter(item -> item.kind() == InboxItem.Kind.WALLET_LIST)
        .flatMap(item -> item.next().stream())
        .map(Commands::of)
        .toList();
  }

  private List<String> found(Kind kind) {
    return findings.list(kind, false, null, 1_000).stream()
        .map(FindingRow::award)
        .sorted()
        .toList();
  }

  private void settleAndDeliverTwo() {
    delivery = Outboxes.delivery(2, facts, deliveries, transaction, clock, Spans.none());
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    deliver();
  }

  private Period settle() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    while (deliver()) {
      assertThat(asked).isEmpty();
    }
    return day;
  }

  /** Delivers a batch, whose awards the wallet has got now. */
  private boolean deliver() {
    boolean isMore = delivery.deliverNext(wallet);
    wallet
        .list()
        .lines()
        .skip(1)
        .forEach(line -> gotAt.putIfAbsent(line.split(",")[0], clock.instant()));
    return isMore;
  }
}
