package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.domain.Range;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.inbox.Inbox;
import palmares.operations.inbox.InboxItem;
import palmares.operations.inbox.InboxItem.Kind;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.Spans;
import palmares.rules.board.MemberId;
import palmares.settlement.outbox.Deliveries.DeliveryAttempt;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.outbox.Deliveries.Redelivery;
import palmares.settlement.wallet.AwardKey;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.json.JsonMapper;

/** Facts are delivered at least once, in order, to each target independently. */
@WorldTest
class OutboxTest {
  /** The transfers that a contest pays, and the fact that it is settled. */
  private static final int PARTS = Contest.PAID.size() + 1;

  private static final List<String> MONEY = List.of("period.settled", "period.amended", "award.*");

  private static final String STREAM = "palmares:facts";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Outbox outbox;
  @Autowired private Facts facts;
  @Autowired private Deliveries deliveries;
  @Autowired private Inbox inbox;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Clock clock;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private RedisClient redisClient;

  private Receiver receiver;
  private WebhookTarget webhook;
  private Delivery delivery;

  @BeforeEach
  void aReceiver() throws Exception {
    receiver = new Receiver();
    webhook = webhook(receiver.url());
    delivery = delivery(500);
    delivery.register(webhook);
  }

  @AfterEach
  void stop() {
    receiver.close();
  }

  @Test
  void aSettledPeriodAndItsTransfersAreDeliveredOnceAndSigned() {
    Period day = settle();
    assertThat(delivery.deliverNext(webhook)).isTrue();
    assertThat(delivery.deliverNext(webhook)).isFalse();

    Receiver.Post post = receiver.posts().get(0);
    assertThat(receiver.posts()).hasSize(1);
    assertThat(post.genuine()).isTrue();
    assertThat(post.timestamp()).isEqualTo("" + clock.instant().getEpochSecond());
    assertThat(post.ids())
        .hasSize(PARTS)
        .doesNotHaveDuplicates()
        .startsWith("period.settled:%s/%s/1".formatted(day.board(), day.name()))
        .contains("award.paid:%s/%s/1/ann/podium/credits/award".formatted(day.board(), day.name()));
    var settled = post.facts().get(0);
    assertThat(settled.get("data").get("transfers").asInt()).isEqualTo(Contest.PAID.size());
    assertThat(
            records.words(
                "select manifest_hash from manifest_link where n = ? and hash = ?",
                settled.get("data").get("link").asLong(),
                settled.get("data").get("linkHash").asString()))
        .as("an anchor that each receiver has")
        .containsExactly(settled.get("data").get("manifest").asString());
    assertThat(settled.get("data").has("auditLink")).as("no person has acted").isFalse();
    assertThat(settled.get("data").get("sums").get("award").get("credits").asLong())
        .isEqualTo(Contest.PAID.values().stream().mapToLong(Long::longValue).sum());
    assertThat(post.facts().stream().skip(1))
        .isNotEmpty()
        .allMatch(
            fact ->
                fact.get("id")
                    .asString()
                    .equals(
                        fact.get("type").asString()
                            + ":"
                            + fact.get("data").get("transfer").asString()));
    assertThat(
            post.facts().stream()
                .skip(1)
                .map(fact -> fact.get("data"))
                .map(data -> data.get("member").asString() + " " + data.get("rule").asString())
                .toList())
        .containsExactlyInAnyOrderElementsOf(Contest.PAID.keySet());
  }

  /** The ids of the transfers of each member. */
  private static Map<String, Set<String>> members(Receiver.Post post) {
    return post.facts().stream()
        .filter(fact -> fact.get("data").has("transfer"))
        .collect(
            Collectors.groupingBy(
                fact -> fact.get("data").get("member").asString(),
                Collectors.mapping(fact -> fact.get("id").asString(), Collectors.toSet())));
  }

  @Test
  void everyAttemptIsListedAndTheLatestAreKept() {
    settle();
    receiver.answers(500);
    world.pass(Duration.ofSeconds(1));
    assertThat(delivery.deliverNext(webhook)).isFalse();
    receiver.answers(410);
    world.pass(Duration.ofSeconds(60));
    assertThat(delivery.deliverNext(webhook)).isFalse();
    transaction.executeWithoutResult(status -> deliveries.retry(null));
    receiver.answers(204);
    assertThat(delivery.deliverNext(webhook)).isTrue();

    List<DeliveryAttempt> attempts = deliveries.attempts(null, false, null, 10);
    assertThat(attempts)
        .extracting(attempt -> attempt.outcome() + " " + attempt.answer())
        .containsExactly("delivered 204", "parked 410", "failed 500");
    assertThat(attempts).extracting(DeliveryAttempt::facts).containsOnly(PARTS);
    assertThat(attempts)
        .extracting(DeliveryAttempt::delivery)
        .containsOnly(receiver.posts().get(0).id());
    assertThat(text(attempts.get(2).error())).contains("500");
    assertThat(deliveries.attempts("webhook", true, attempts.get(1).id(), 10))
        .extracting(DeliveryAttempt::outcome)
        .containsExactly("failed");

    servers.sql(
        """
        insert into delivery_attempt (target, started_at, took_ms, batch, facts)
        select 'webhook', now(), 1, 'later', 1 from generate_series(1, 1200)
        """);
    deliveries.prune();
    assertThat(records.number("select count(*) from delivery_attempt where failure is null"))
        .isEqualTo(1_000);
    assertThat(records.number("select count(*) from delivery_attempt where failure is not null"))
        .as("failed attempts, which many deliveries do not displace")
        .isEqualTo(2);
  }

  @Test
  void theTransfersThemselvesAreTheOutbox() {
    settle();
    assertThat(records.number("select count(*) from fact")).isOne();
  }

  @Test
  void anAmendmentIsDeliveredWithItsReturnsAndAwards() {
    Period day = settle();
    drain(delivery);
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "cheats", "zoe");
    assertThat(
            amendments.prepare(
                day.id(), new AmendmentRequest("zoe", "ann cheated", null, Map.of())))
        .isPresent();
    assertThat(delivery.deliverNext(webhook)).as("nothing is paid yet").isFalse();

    amendments.approve(day.id(), null, "bob", "right so");
    drain(delivery);
    Receiver.Post post = receiver.posts().get(1);
    assertThat(post.ids().get(0))
        .isEqualTo("period.amended:%s/%s/2".formatted(day.board(), day.name()));
    assertThat(
            post.facts().stream()
                .filter(fact -> fact.get("type").asString().equals("award.returned"))
                .map(fact -> fact.get("data"))
                .mapToLong(data -> data.get("amount").asLong())
                .sum())
        .as("what ann had got")
        .isEqualTo(1040);
    assertThat(post.facts())
        .anyMatch(fact -> fact.get("type").asString().equals("award.paid"))
        .allMatch(fact -> fact.get("revision").asInt() == 2);
  }

  @Test
  void whatIsRolledBackIsNeverDelivered() {
    Period day = settle();
    drain(delivery);
    transaction.executeWithoutResult(
        status -> {
          outbox.amended(day, 2);
          status.setRollbackOnly();
        });
    assertThat(delivery.deliverNext(webhook)).isFalse();
    assertThatThrownBy(() -> outbox.amended(day, 2))
        .isInstanceOf(IllegalTransactionStateException.class);
  }

  @Test
  void aFactThatCommitsLateIsDelivered() throws Exception {
    Period first = settle();
    Period second = settle();
    servers.unguarded(() -> servers.sql("delete from fact"));
    var begun = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var slow =
        CompletableFuture.runAsync(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      outbox.settled(first);
                      begun.countDown();
                      await(go);
                    }));
    await(begun);
    transaction.executeWithoutResult(status -> outbox.settled(second));
    drain(delivery);
    go.countDown();
    slow.get(20, TimeUnit.SECONDS);
    drain(delivery);
    assertThat(receiver.ids().stream().filter(id -> id.startsWith("period.")))
        .containsExactly(
            "period.settled:%s/%s/1".formatted(second.board(), second.name()),
            "period.settled:%s/%s/1".formatted(first.board(), first.name()));
  }

  @Test
  void batchesOfAnySizeDeliverAllInOrder() {
    settle();
    settle();
    drain(delivery(500));
    List<String> whole = receiver.ids();
    assertThat(whole).hasSize(2 * PARTS).doesNotHaveDuplicates();
    for (int batch = 1; batch <= PARTS + 1; batch++) {
      int before = receiver.ids().size();
      deliveries.redeliver(null, World.START);
      drain(delivery(batch));
      assertThat(receiver.ids().stream().skip(before)).as("by %d", batch).isEqualTo(whole);
    }
  }

  @Test
  void transfersAreDeliveredInTheOrderOfMemberRuleAndPurpose() {
    settle();
    Delivery small = delivery(4);
    drain(small);
    assertThat(receiver.posts().stream().map(post -> post.ids().size())).containsExactly(4, 3);
    assertThat(
            receiver.posts().stream()
                .flatMap(post -> post.facts().stream())
                .skip(1)
                .map(fact -> fact.get("data").get("member").asString()))
        .containsExactly("ann", "ann", "bob", "bob", "cid", "cid");
    assertThat(deliveries.all().get(0).delivered()).isEqualTo(PARTS);
    assertThat(deliveries.all().get(0).waiting()).isZero();
  }

  @Test
  void aMissingTransferStopsTheDelivery() {
    settle();
    settle();
    drain(delivery(3), 1);
    servers.unguarded(
        () ->
            servers.sql(
                """
                delete from payment
                where member = 'cid'
                  and outcome = (select id from revision order by period_id limit 1)
                """));
    assertThatThrownBy(() -> drain(delivery(50)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("of 4 transfers of");
  }

  /** Members' ids may hold nearly anything. */
  @Test
  void noTwoTransfersHaveTheSameKey() {
    assertThat(
            List.of(
                AwardKey.join("day", "ann", "a/b", "c"),
                AwardKey.join("day", "ann/a", "b", "c"),
                AwardKey.join("day", "ann", "a%2Fb", "c"),
                AwardKey.join("day", "ann", "a", "b/c"),
                AwardKey.join("day", "ann", "a b", "c"),
                AwardKey.join("day", "ann", "a%20b", "c"),
                AwardKey.join("day", "ann", "é", "c"),
                AwardKey.join("day", "ann", "%C3%A9", "c")))
        .doesNotHaveDuplicates()
        .contains("day/ann/a%2Fb/c", "day/ann/%C3%A9/c")
        .allMatch(key -> key.matches("[!-~]+"));
  }

  @Test
  void aFailingTargetIsRetriedWithGrowingDelaysAndThenGetsAll() {
    settle();
    receiver.answers(503);
    Duration[] delays = {Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20)};
    for (int i = 0; i < delays.length; i++) {
      assertThat(delivery.deliverNext(webhook)).isFalse();
      DeliveryStatus status = deliveries.all().get(0);
      assertThat(status.failures()).isEqualTo(i + 1);
      assertThat(text(status.failure())).isEqualTo("it answered 503");
      assertThat(status.retryAt()).isEqualTo(world.now().plus(delays[i]));
      assertThat(status.waiting()).isEqualTo(PARTS);

      world.now(world.now().plus(delays[i]).minusMillis(1));
      assertThat(delivery.deliverNext(webhook)).isFalse();
      assertThat(receiver.posts()).hasSize(i + 1);
      world.now(world.now().plusMillis(1));
    }
    receiver.answers(200);
    assertThat(delivery.deliverNext(webhook)).isTrue();
    assertThat(receiver.posts())
        .extracting(Receiver.Post::id)
        .containsOnly(receiver.posts().get(0).id());
    assertThat(deliveries.all().get(0).failures()).isZero();
  }

  @Test
  void aProcessThatDiesAfterSendingSendsTheSameBatchAgain() {
    settle();
    DeliveryTarget dying =
        new DeliveryTarget() {
          @Override
          public String name() {
            return webhook.name();
          }

          @Override
          public String address() {
            return webhook.address();
          }

          @Override
          public Subscription facts() {
            return webhook.facts();
          }

          @Override
          public Answer send(FactBatch batch) {
            webhook.send(batch);
            throw new IllegalStateException("killed");
          }
        };
    assertThatThrownBy(() -> delivery.deliverNext(dying)).hasMessage("killed");
    settle(); // must not join the batch whose result is unknown
    drain(delivery(50));
    assertThat(receiver.posts()).hasSize(3);
    assertThat(receiver.posts().get(1).id()).isEqualTo(receiver.posts().get(0).id());
    assertThat(receiver.posts().get(1).body()).isEqualTo(receiver.posts().get(0).body());
    assertThat(receiver.posts().get(2).ids())
        .doesNotContainAnyElementsOf(receiver.posts().get(1).ids());
  }

  @Test
  void oneProcessAtATimeDeliversToATarget() throws Exception {
    settle();
    var asked = new CountDownLatch(1);
    var answers = new CountDownLatch(1);
    receiver.answers(
        exchange -> {
          asked.countDown();
          await(answers);
          return 204;
        });
    var first = CompletableFuture.supplyAsync(() -> delivery.deliverNext(webhook));
    await(asked);
    assertThat(delivery(500).deliverNext(webhook)).isFalse();
    answers.countDown();
    assertThat(first.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(receiver.posts()).hasSize(1);
  }

  @Test
  void aTargetThatDoesNotAnswerDelaysNoOther() throws Exception {
    var redis =
        new RedisStreamTarget(redisClient, new RedisStreamTarget.Settings(STREAM, MONEY, 1000));
    delivery.register(redis);
    settle();
    var asked = new CountDownLatch(1);
    var answers = new CountDownLatch(1);
    receiver.answers(
        exchange -> {
          asked.countDown();
          await(answers);
          return 204;
        });
    var slow = CompletableFuture.supplyAsync(() -> delivery.deliverNext(webhook));
    await(asked);
    assertThat(delivery.deliverNext(redis)).isTrue();
    answers.countDown();
    assertThat(slow.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(streamed("id")).isEqualTo(receiver.ids());
    assertThat(streamed("type")).hasSize(PARTS).contains("period.settled", "award.paid");
    assertThat(JsonMapper.shared().readTree(streamed("fact").get(0)))
        .isEqualTo(receiver.posts().get(0).facts().get(0));
  }

  @Test
  void eachRoundDeliversTheBacklog() {
    settle();
    var loop = new DeliveryLoops.DeliveryLoop(webhook, delivery(2));
    loop.round(() -> true);
    settle();
    loop.round(() -> true);
    loop.round(() -> true);
    assertThat(receiver.ids()).hasSize(2 * PARTS).doesNotHaveDuplicates();
  }

  @Test
  void aTargetThatFailsForMinutesIsInTheInbox() {
    settle();
    receiver.answers(503);
    delivery.deliverNext(webhook);
    Instant down = world.now();
    world.pass(Duration.ofMinutes(4));
    assertThat(inInbox()).as("it may be a restart").isEmpty();
    world.pass(Duration.ofMinutes(1));
    delivery.deliverNext(webhook);
    InboxItem item = inInbox().get(0);
    assertThat(item.since()).isEqualTo(down);
    assertThat(Texts.english(item.detail()))
        .isEqualTo(
            "deliveries to this target fail: %d facts are not delivered, and it is retried; the"
                + " last error: it answered 503",
            PARTS);
    receiver.answers(200);
    deliveries.retry(item.object());
    assertThat(delivery.deliverNext(webhook)).isTrue();
    assertThat(inInbox()).isEmpty();
  }

  private static String text(@Nullable Sentence failure) {
    return Texts.english(Objects.requireNonNull(failure));
  }

  private List<InboxItem> inInbox() {
    return inbox.items(null).stream().filter(item -> item.kind() == Kind.DELIVERY).toList();
  }

  @Test
  void aTargetThatIsGoneIsParkedUntilAnOperatorRetriesIt() {
    settle();
    receiver.answers(410);
    delivery.deliverNext(webhook);
    assertThat(deliveries.all().get(0).parkedAt()).isEqualTo(world.now());
    world.pass(Duration.ofDays(30));
    assertThat(delivery.deliverNext(webhook)).isFalse();
    assertThat(receiver.posts()).hasSize(1);

    receiver.answers(200);
    assertThat(deliveries.retry(null)).hasSize(1);
    assertThat(delivery.deliverNext(webhook)).isTrue();
  }

  @Test
  void aTargetThatFailsForDaysIsParked() {
    settle();
    receiver.answers(500);
    delivery.deliverNext(webhook);
    world.pass(Duration.ofDays(3));
    delivery.deliverNext(webhook);
    assertThat(deliveries.all().get(0).parkedAt()).isEqualTo(world.now());
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    settle();
    try (var elsewhere = new Receiver()) {
      receiver.answers(
          exchange -> {
            exchange.getResponseHeaders().add("location", elsewhere.url().toString());
            return 307;
          });
      delivery.deliverNext(webhook);
      assertThat(elsewhere.posts()).isEmpty();
      assertThat(text(deliveries.all().get(0).failure())).contains("redirects are not followed");
    }
  }

  @Test
  void aRefusedConnectionIsReportedInWords() throws Exception {
    settle();
    URI closed;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = URI.create("http://localhost:%d/".formatted(socket.getLocalPort()));
    }
    assertThat(delivery.deliverNext(webhook(closed))).isFalse();
    assertThat(text(deliveries.all().get(0).failure()))
        .isEqualTo("no connection: the host refused it");
  }

  @Test
  void aMissingAnswerTimesOut() {
    settle();
    receiver.answers(
        exchange -> {
          await(new CountDownLatch(1));
          return 204;
        });
    var impatient =
        new WebhookTarget(
            "webhook",
            new WebhookSettings(
                receiver.url(),
                List.of(Receiver.SECRET),
                List.of("localhost"),
                false,
                MONEY,
                false,
                null,
                Duration.ofSeconds(5),
                Duration.ofMillis(200)),
            clock,
            Spans.none());
    assertThat(delivery.deliverNext(impatient)).isFalse();
    assertThat(deliveries.all().get(0).failures()).isOne();
  }

  @Test
  void aNewTargetGetsFactsFromNowOnUnlessEarlierOnesAreRedelivered() {
    settle();
    drain(delivery);
    Instant later = world.now();
    Period second = settle();
    world.pass(Duration.ofMinutes(3));
    deliveries.forget(webhook.name());
    delivery.register(webhook);
    assertThat(delivery.deliverNext(webhook)).isFalse();

    assertThat(deliveries.redeliver(null, later.plusMillis(1))).hasSize(1);
    drain(delivery);
    assertThat(receiver.posts()).hasSize(2);
    assertThat(receiver.posts().get(1).ids().get(0)).contains(second.board().value());
  }

  @Test
  void deliveringAgainSkipsNothingThatWasNeverDelivered() {
    Period first = settle();
    receiver.answers(500);
    world.pass(Duration.ofSeconds(1));
    assertThat(delivery.deliverNext(webhook)).isFalse();
    world.pass(Duration.ofHours(2));
    Instant from = world.now();
    Period second = settle();
    receiver.answers(204);
    deliveries.retry(webhook.name());
    assertThat(deliveries.redeliver(webhook.name(), from))
        .singleElement()
        .matches(Redelivery::hasBacklog);
    drain(delivery);
    assertThat(receiver.posts()).hasSize(3);
    assertThat(receiver.posts().get(1).id())
        .as("the batch that failed")
        .isEqualTo(receiver.posts().get(0).id());
    assertThat(receiver.posts().get(1).ids())
        .hasSize(PARTS)
        .allMatch(id -> id.contains(first.board().value()));
    assertThat(receiver.posts().get(2).ids())
        .hasSize(PARTS)
        .allMatch(id -> id.contains(second.board().value()));
  }

  @Test
  void aRevisionThatIsPartlyDeliveredIsDeliveredAgainFromItsBeginning() {
    records.number("select nextval('fact_number')"); // Numbers may have gaps.
    settle();
    drain(delivery(3), 1);
    assertThat(deliveries.redeliver(webhook.name(), World.START))
        .singleElement()
        .matches(target -> !target.hasBacklog());
    drain(delivery);
    assertThat(receiver.posts().get(1).ids())
        .hasSize(PARTS)
        .startsWith(receiver.posts().get(0).ids().toArray(String[]::new));
  }

  @Test
  void aTargetIsNotForgottenWhileAServerHasItConfigured() {
    var loop = new DeliveryLoops.DeliveryLoop(webhook, delivery);
    loop.round(() -> true);
    Period day = settle();
    for (int minute = 0; minute < 5; minute++) {
      world.pass(Duration.ofMinutes(1));
      loop.round(() -> false);
    }
    assertThatThrownBy(() -> deliveries.forget(webhook.name()))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is configured on a running server");
    loop.round(() -> true);
    assertThat(receiver.ids()).hasSize(PARTS).allMatch(id -> id.contains(day.board().value()));

    world.pass(Duration.ofMinutes(3));
    assertThat(deliveries.forget(webhook.name())).as("no server has it").isPresent();
    loop.round(() -> true);
    Period later = settle();
    loop.round(() -> true);
    assertThat(receiver.ids().stream().skip(PARTS))
        .as("the server was only slow")
        .hasSize(PARTS)
        .allMatch(id -> id.contains(later.board().value()));
  }

  /** The database is restored to the time before a delivery, and other facts get its numbers. */
  @Test
  void aBatchIsNamedByItsFactsNotByTheirNumbers() {
    long position = records.number("select fact from outbox_target");
    settle();
    drain(delivery);
    long number = facts.last();
    servers.sql("delete from fact");
    servers.sql("update outbox_target set fact = ?", position);
    settle();
    facts.number();
    servers.sql("update fact set n = ?", number);
    drain(delivery);
    assertThat(receiver.posts()).hasSize(2);
    assertThat(receiver.posts().get(1).ids())
        .hasSameSizeAs(receiver.posts().get(0).ids())
        .doesNotContainAnyElementsOf(receiver.posts().get(0).ids());
    assertThat(receiver.posts().get(1).id()).isNotEqualTo(receiver.posts().get(0).id());
  }

  /** A reader of the stream would take a later fact for the end of the earlier ones. */
  @Test
  void nothingIsAppendedBehindAnEntryThatFails() {
    assertThatThrownBy(
            () ->
                redisClient.append(
                    STREAM, 100, List.of(Map.of("id", "1"), Map.of(), Map.of("id", "3"))))
        .isInstanceOf(RedisUnavailable.class);
    assertThat(streamed("id")).containsExactly("1");
  }

  @Test
  void factsThatAllTargetsHaveArePrunedAfterTheirRetention() {
    settle();
    world.pass(Duration.ofDays(91));
    deliveries.prune();
    assertThat(records.number("select count(*) from fact")).isOne();
    drain(delivery);
    deliveries.prune();
    assertThat(records.number("select count(*) from fact")).as("until a digest").isOne();
    digested();
    deliveries.prune();
    assertThat(records.number("select count(*) from fact")).isZero();
    Period next = settle();
    drain(delivery);
    assertThat(receiver.posts().get(1).ids().get(0)).contains(next.board().value());
  }

  @Test
  void factsWithoutATargetArePrunedAfterTheirRetention() {
    world.pass(Duration.ofMinutes(3));
    deliveries.forget(webhook.name());
    settle();
    facts.number();
    digested();
    world.pass(Duration.ofDays(89));
    deliveries.prune();
    assertThat(records.number("select count(*) from fact")).isOne();
    world.pass(Duration.ofDays(2));
    deliveries.prune();
    assertThat(records.number("select count(*) from fact")).isZero();
  }

  @Test
  void factsAboutRanksArePrunedAfterAWeekOnceAllTargetsHaveThem() {
    storeFactsAboutRanks(2_500);
    world.pass(Duration.ofDays(8));
    deliveries.prune();
    assertThat(records.number("select count(*) from fact")).as("not delivered").isEqualTo(2501);
    servers.sql("update outbox_target set fact = (select max(n) from fact)");
    world.pass(Duration.ofDays(-2));
    deliveries.prune();
    assertThat(records.number("select count(*) from fact")).as("of a week").isEqualTo(2501);
    world.pass(Duration.ofDays(2));
    deliveries.prune();
    assertThat(records.words("select type from fact")).containsExactly("period.settled");
  }

  private void storeFactsAboutRanks(int count) {
    Period day = settle();
    servers.sql(
        """
        insert into fact (type, subject, at, board, period, data)
        select 'rank.entered', 'r' || n, ?::timestamptz, ?, ?,
          '{"member": "ann", "top": 1}'::json
        from generate_series(1, ?) n
        """,
        world.now().toString(),
        day.board().value(),
        day.name().value(),
        count);
    facts.number();
    digested();
    servers.sql("update outbox_target set facts = facts || '{rank.entered}'");
  }

  /** What is pruned is neither of the batch that it is sent again, nor anything but ranks. */
  @Test
  void aParkedTargetKeepsFactsAboutRanksForAWeekAtMost() {
    webhook = webhook(receiver.url(), List.of("period.settled", "rank.entered"));
    storeFactsAboutRanks(2_500);
    receiver.answers(410);
    delivery.deliverNext(webhook);
    assertThat(deliveries.all().get(0).parkedAt()).isEqualTo(world.now());
    world.pass(Duration.ofDays(8));
    deliveries.prune();
    assertThat(records.words("select type from fact order by id"))
        .hasSize(500)
        .startsWith("period.settled", "rank.entered");
    receiver.answers(200);
    deliveries.retry(null);
    drain(delivery);
    assertThat(receiver.posts().get(1).ids()).isEqualTo(receiver.posts().get(0).ids());
    assertThat(deliveries.all().get(0).waiting()).isZero();
  }

  /** A digest has covered all facts. */
  private void digested() {
    servers.sql(
        """
        insert into digest (day, since, until, fact, by)
        values ('2026-11-20', now() - interval '1 day', now(), ?, 'test')
        """,
        facts.last());
  }

  private List<String> streamed(String field) {
    return servers.redis(
        connection ->
            connection.streamCommands().xRange(STREAM.getBytes(UTF_8), Range.unbounded()).stream()
                .flatMap(entry -> entry.getValue().entrySet().stream())
                .filter(entry -> new String(entry.getKey(), UTF_8).equals(field))
                .map(entry -> new String(entry.getValue(), UTF_8))
                .toList());
  }

  private Period settle() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    return world.settle(day);
  }

  private void drain(Delivery by) {
    while (by.deliverNext(webhook)) {
      assertThat(receiver.posts()).hasSizeLessThan(100);
    }
  }

  private void drain(Delivery by, int batches) {
    for (int i = 0; i < batches; i++) {
      assertThat(by.deliverNext(webhook)).isTrue();
    }
  }

  private Delivery delivery(int batchSize) {
    return Outboxes.delivery(batchSize, facts, deliveries, transaction, clock, Spans.none());
  }

  private WebhookTarget webhook(URI url) {
    return webhook(url, MONEY);
  }

  private WebhookTarget webhook(URI url, List<String> types) {
    return new WebhookTarget(
        "webhook",
        new WebhookSettings(
            url,
            List.of(Receiver.SECRET),
            List.of("localhost"),
            false,
            types,
            false,
            null,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10)),
        clock,
        Spans.none());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
