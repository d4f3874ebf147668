package palmares.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.client.Event;
import palmares.client.PalmaresClient;
import palmares.client.RetryPolicy;
import palmares.testing.Gateway;
import palmares.testing.Gateway.Behaviour;
import shop.SharedServer;
import shop.Shop;

/** The outbox and the inbox of a shop on H2, against a server of the product. */
@Timeout(120)
class StarterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static int databases;

  private Gateway gateway;
  private ConfigurableApplicationContext context;
  private PalmaresOutbox outbox;
  private JdbcClient jdbc;
  private TransactionTemplate transaction;
  private String id;

  @BeforeEach
  void startShop() throws Exception {
    gateway = new Gateway(SharedServer.get().palmares().url());
    context = shop();
    outbox = context.getBean(PalmaresOutbox.class);
    jdbc = context.getBean(JdbcClient.class);
    transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    id = "t" + ++databases;
  }

  @AfterEach
  void stopShop() {
    if (context != null) {
      context.close();
    }
    if (gateway != null) {
      gateway.close();
    }
  }

  /** Returns the URL of an empty database of that name. */
  String database(String name) throws Exception {
    return "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(name);
  }

  private ConfigurableApplicationContext shop(String... settings) throws Exception {
    return new SpringApplicationBuilder(Shop.class)
        .initializers(
            starting ->
                starting.getBeanFactory().registerSingleton("meters", new SimpleMeterRegistry()))
        .properties(
            "server.port=0",
            "spring.main.banner-mode=off",
            "spring.datasource.url=" + database("shop" + databases),
            "palmares.client.outbox.initialize-schema=always",
            "spring.sql.init.mode=always",
            "spring.sql.init.schema-locations=classpath:shop.sql",
            "palmares.client.url=" + gateway.url(),
            "palmares.client.key=" + SharedServer.get().palmares().key(),
            "palmares.client.webhook.secrets[0]=" + SharedServer.SECRET,
            "palmares.client.outbox.poll-interval=20ms",
            "shop.token=" + SharedServer.TOKEN)
        .properties(settings)
        .run();
  }

  private Event coin(String suffix) {
    return Event.of(id + suffix, id, "coin").on(suffix).only("coins");
  }

  private long points() throws Exception {
    return context.getBean(PalmaresClient.class).top("coins", "current", 100).lines().stream()
        .filter(line -> line.member().equals(id))
        .mapToLong(line -> line.points())
        .sum();
  }

  private void awaitSent() {
    await().atMost(PATIENCE).until(() -> outbox.waiting() == 0);
  }

  @Test
  void anEventIsSentIfAndOnlyIfItsTransactionCommits() throws Exception {
    transaction.executeWithoutResult(
        status -> {
          outbox.send(coin("rolled-back"));
          status.setRollbackOnly();
        });
    transaction.executeWithoutResult(status -> outbox.send(coin("committed").times(5)));
    awaitSent();
    assertThat(points()).isEqualTo(5);
    assertThatThrownBy(() -> outbox.send(coin("alone")))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining(id + "alone");
    assertThat(outbox.waiting()).isZero();
  }

  @Test
  void anEventWhoseAnswerIsLostCountsOnceAndTheOthersFollow() throws Exception {
    gateway.next(Behaviour.LOSE_ANSWER, Behaviour.DROP_ANSWER);
    transaction.executeWithoutResult(status -> outbox.send(coin("1")));
    transaction.executeWithoutResult(status -> outbox.send(coin("2")));
    awaitSent();
    assertThat(points()).isEqualTo(2);
    assertThat(outbox.refusedCount()).isZero();
  }

  @Test
  void aRefusedEventIsKeptAsideAndStopsNoOther() throws Exception {
    Event unknown = Event.of(id + "dance", id, "dance");
    transaction.executeWithoutResult(
        status -> {
          outbox.send(coin("1"));
          outbox.send(unknown);
          outbox.send(coin("2"));
        });
    awaitSent();
    assertThat(points()).isEqualTo(2);
    assertThat(outbox.refused(10))
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.id()).isEqualTo(unknown.id());
              assertThat(Event.parse(refused.event())).isEqualTo(unknown);
              assertThat(refused.reason()).isEqualTo("unknown-action");
            });
    var health = context.getBean("palmaresHealthIndicator", HealthIndicator.class).health();
    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails()).containsEntry("refused", 1L);
    MeterRegistry meters = context.getBean(MeterRegistry.class);
    assertThat(meters.get("palmares.client.events").tag("outcome", "refused").counter().count())
        .isOne();

    assertThatThrownBy(() -> outbox.retry(unknown.id()))
        .isInstanceOf(IllegalTransactionStateException.class);
    assertThat(transaction.<Boolean>execute(status -> outbox.retry(unknown.id()))).isTrue();
    awaitSent();
    assertThat(outbox.refusedCount()).as("the repeat of a refusal").isOne();
    assertThat(outbox.discard(unknown.id())).isTrue();
    assertThat(outbox.refusedCount()).isZero();
  }

  @Test
  void healthIsDownOnceTheOldestEventIsOverdue() throws Exception {
    gateway.next(Behaviour.BUSY);
    gateway.hold();
    jdbc.sql("insert into palmares_outbox (event, stored_at) values (?, ?)")
        .params(coin("1").toJson(), Instant.now().minus(Duration.ofMinutes(11)).toEpochMilli())
        .update();
    gateway.awaitHeld();
    var health = context.getBean("palmaresHealthIndicator", HealthIndicator.class);
    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    gateway.release();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(health.health().getDetails()).containsKey("lastFailure"));
  }

  /** Somebody's script has written it, or a version that knows more. */
  @Test
  void aRowThatIsNoEventIsKeptAsideAndStopsNoOther() throws Exception {
    List<String> rows =
        List.of(
            "{}",
            "no JSON",
            coin("0").toJson().replace("\"id\"", "\"occurredAt\":\"noon\",\"id\""));
    transaction.executeWithoutResult(
        status -> {
          outbox.send(coin("1"));
          rows.forEach(
              row ->
                  jdbc.sql("insert into palmares_outbox (event, stored_at) values (?, 0)")
                      .param(row)
                      .update());
          outbox.send(coin("2"));
        });
    awaitSent();
    assertThat(points()).isEqualTo(2);
    assertThat(outbox.refused(10))
        .extracting(PalmaresOutbox.Refused::event)
        .containsExactlyInAnyOrderElementsOf(rows);
    assertThat(outbox.refused(10))
        .allMatch(refused -> refused.reason().equals("unreadable"))
        .extracting(PalmaresOutbox.Refused::detail)
        .anyMatch(detail -> detail.contains("the field 'id' is missing"));
    String first = outbox.refused(10).get(0).id();
    assertThat(transaction.<Boolean>execute(status -> outbox.retry(first))).isTrue();
    awaitSent();
    assertThat(outbox.refusedCount()).isEqualTo(3);
    outbox.refused(10).forEach(refused -> assertThat(outbox.discard(refused.id())).isTrue());
    assertThat(outbox.refusedCount()).isZero();
  }

  /** No table has room for its id, and the reason of a row may quote what no text may have. */
  @Test
  void whatCannotBeKeptAsItIsStopsNoOther() throws Exception {
    Event tooLong = Event.of("x".repeat(200), id, "coin").only("coins");
    String unprintable =
        coin("0")
            .toJson()
            .replace("\"id\"", "\"quantity\":\"%s\\u0000\",\"id\"")
            .formatted("9".repeat(70_000));
    transaction.executeWithoutResult(
        status -> {
          outbox.send(tooLong);
          jdbc.sql("insert into palmares_outbox (event, stored_at) values (?, 0)")
              .param(unprintable)
              .update();
          outbox.send(coin("1"));
        });
    awaitSent();
    assertThat(points()).isOne();
    assertThat(outbox.refused(10))
        .allMatch(refused -> refused.id().startsWith("row "))
        .allMatch(refused -> String.valueOf(refused.detail()).length() < 2_000)
        .noneMatch(refused -> String.valueOf(refused.detail()).contains("\0"))
        .extracting(PalmaresOutbox.Refused::event)
        .containsExactlyInAnyOrder(tooLong.toJson(), unprintable);
  }

  /** If a sender skipped what another has, it would send later events before earlier ones. */
  @Test
  void oneProcessAtATimeSendsWhatIsInTheOutbox() throws Exception {
    gateway.hold();
    transaction.executeWithoutResult(status -> outbox.send(coin("1")));
    gateway.awaitHeld();
    transaction.executeWithoutResult(status -> outbox.send(coin("2")));
    var other =
        new OutboxSender(
            outbox,
            PalmaresClient.to(gateway.url()).retries(RetryPolicy.NONE).build(),
            transaction,
            new PalmaresProperties.Outbox(
                true, null, 10, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO),
            outcome -> {});
    assertThat(other.sendNext()).isFalse();
    assertThat(gateway.requests()).as("only that of the first").hasSize(1);
    assertThat(outbox.waiting()).isEqualTo(2);
    gateway.release();
    awaitSent();
    assertThat(points()).isEqualTo(2);
  }

  @Test
  void aFactIsHandledOnceAndARefusalUntilItIsNoMore() throws Exception {
    String facts = facts(award("ann", 1000), award("bob", 300));
    jdbc.sql("insert into shop_closed_account values ('bob')").update();
    HttpResponse<String> first = deliver(facts, Instant.now(), SharedServer.SECRET);
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body())
        .contains("\"credited\"", "1000", "\"refused\"", "the account is closed");
    HttpResponse<String> repeat = deliver(facts, Instant.now(), SharedServer.SECRET);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(credits()).containsExactly("ann 1000");

    jdbc.sql("delete from shop_closed_account").update();
    for (int times = 0; times < 2; times++) {
      assertThat(deliver(facts, Instant.now(), SharedServer.SECRET).body())
          .as("once bob's account is open")
          .doesNotContain("refused");
    }
    assertThat(credits()).containsExactly("ann 1000", "bob 300");
  }

  @Test
  void aRefusedAwardThatWasTakenBackStaysRefused() throws Exception {
    jdbc.sql("insert into shop_closed_account values ('bob')").update();
    String award = facts(award("bob", 300));
    assertThat(deliver(award, Instant.now(), SharedServer.SECRET).body()).contains("refused");
    String returned =
        award
            .replace("award.paid", "award.returned")
            .replace("/1/bob", "/2/bob")
            .replace("/award\"", "/return\"");
    assertThat(deliver(returned, Instant.now(), SharedServer.SECRET).body()).contains("returned");
    jdbc.sql("delete from shop_closed_account").update();
    assertThat(deliver(award, Instant.now(), SharedServer.SECRET).body()).contains("refused");
    assertThat(credits()).isEmpty();
  }

  @Test
  void aReturnIsTakenOnceAndARefusedOneAgainUntilItIs() throws Exception {
    String award = facts(award("ann", 1000));
    deliver(award, Instant.now(), SharedServer.SECRET);
    jdbc.sql("update shop_wallet set balance = 0").update();
    String returned =
        award
            .replace("award.paid", "award.returned")
            .replace("/1/ann", "/2/ann")
            .replace("/award\"", "/return\"");
    assertThat(deliver(returned, Instant.now(), SharedServer.SECRET).body())
        .contains("refused", "the credits are spent");
    jdbc.sql("update shop_wallet set balance = 1500").update();
    for (int times = 0; times < 2; times++) {
      assertThat(deliver(returned, Instant.now(), SharedServer.SECRET).body())
          .contains("\"returned\"", "1000");
    }
    assertThat(jdbc.sql("select balance from shop_wallet").query(Long.class).single())
        .isEqualTo(500);
  }

  @Test
  void aDeliveryThatIsNotGenuineOrNotOfNowChangesNothing() throws Exception {
    String facts = facts(award("ann", 1000));
    String other = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);
    assertThat(deliver(facts, Instant.now(), other).statusCode()).isEqualTo(401);
    assertThat(deliver(facts, Instant.now().minusSeconds(400), SharedServer.SECRET).statusCode())
        .isEqualTo(401);
    assertThat(deliver("{}", Instant.now(), SharedServer.SECRET).statusCode()).isEqualTo(400);
    assertThat(credits()).isEmpty();
  }

  /** The wallet's table is gone for a while: what was before the failure is not undone. */
  @Test
  void aListenerThatFailsIsCalledAgainWithTheNextDelivery() throws Exception {
    String facts = facts(award("bob", 300), award("ann", 1000));
    jdbc.sql("insert into shop_closed_account values ('bob')").update();
    jdbc.sql("alter table shop_wallet rename to away").update();
    assertThat(deliver(facts, Instant.now(), SharedServer.SECRET).statusCode()).isEqualTo(500);
    assertThat(credits()).as("rolled back").isEmpty();
    assertThat(jdbc.sql("select count(*) from palmares_inbox").query(Long.class).single()).isOne();
    jdbc.sql("alter table away rename to shop_wallet").update();
    assertThat(deliver(facts, Instant.now(), SharedServer.SECRET).statusCode()).isEqualTo(200);
    assertThat(credits()).containsExactly("ann 1000");
  }

  @Test
  void factsThatNobodyListensToAreTaken() throws Exception {
    String digest =
        """
        {"id": "digest:1", "type": "digest", "time": "2026-11-21T08:00:00Z", "data": {}}
        """;
    assertThat(deliver(facts(digest), Instant.now(), SharedServer.SECRET).statusCode())
        .isEqualTo(204);
  }

  @Test
  void aListOfCreditsHasEachOnceAlthoughOneIsAddedBetweenItsPages() throws Exception {
    for (String award : List.of("b", "c", "d", "e", "f", "f", "g", "h")) {
      credit(award);
    }
    assertThat(page("")).isEqualTo("{\"credits\":[b,c,d,e,f,f],\"cursor\":\"f\"}");
    credit("a");
    assertThat(page("f")).isEqualTo("{\"credits\":[g,h],\"cursor\":null}");
  }

  private void credit(String award) {
    jdbc.sql("insert into shop_credit values (?, 'orders', '2026-11-20', 'prize', 'ann', 1000)")
        .param(award)
        .update();
  }

  /** Reads a page of the list, whose credits are shown by their awards alone. */
  private String page(String cursor) throws Exception {
    String port = context.getEnvironment().getProperty("local.server.port");
    String url = "http://localhost:%s/credits?cursor=%s".formatted(port, cursor);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", "Bearer " + SharedServer.TOKEN)
            .build();
    return HTTP.send(request, BodyHandlers.ofString())
        .body()
        .replace("{\"id\":\"", "")
        .replace("\",\"amount\":1000}", "");
  }

  private List<String> credits() {
    return jdbc.sql("select concat(member, ' ', amount) from shop_credit order by 1")
        .query(String.class)
        .list();
  }

  private static String award(String member, long amount) {
    return """
    {"id": "award.paid:%1$s", "type": "award.paid", "time": "2026-11-21T00:00:10Z",
      "board": "orders", "period": "2026-11-20", "revision": 1,
      "data": {"transfer": "%1$s", "member": "%2$s", "rule": "prize", "amount": %3$s,
        "currency": "credits"}}
    """
        .formatted("orders/2026-11-20/1/%s/prize/credits/award".formatted(member), member, amount);
  }

  private static String facts(String... facts) {
    return "{\"facts\": [%s]}".formatted(String.join(",", facts));
  }

  private HttpResponse<String> deliver(String body, Instant at, String secret) throws Exception {
    String port = context.getEnvironment().getProperty("local.server.port");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
    byte[] signed = mac.doFinal(("facts_1." + at.getEpochSecond() + "." + body).getBytes(UTF_8));
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/palmares/facts"))
            .header("Content-Type", "application/json")
            .header("webhook-id", "facts_1")
            .header("webhook-timestamp", Long.toString(at.getEpochSecond()))
            .header("webhook-signature", "v1," + Base64.getEncoder().encodeToString(signed))
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }
}
