package shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.client.Board;
import palmares.client.PalmaresClient;
import palmares.client.Task;
import palmares.testing.Gateway;
import palmares.testing.Gateway.Behaviour;
import palmares.testing.PalmaresServer;

/**
 * A shop is killed while it stores orders, sends their events, and credits awards. What it has
 * stored counts once, and what was awarded is credited once, and confirmed.
 *
 * <p>{@code -Dtests.kills=all} kills it before and after each point.
 */
@Timeout(900)
class KilledShopTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int SIGKILL = 137;
  private static final String FIRST_OF_AWARD = "insert into palmares_inbox";
  private static final List<String> SOME =
      List.of(
          "after insert into palmares_outbox",
          "after commit of insert into shop_order",
          "before delete from palmares_outbox",
          "before commit of insert into palmares_inbox",
          "after commit of insert into palmares_inbox");
  private static final List<String> KILLS =
      System.getProperty("tests.kills", "").equals("all")
          ? KillPoints.ALL.stream()
              .flatMap(point -> Stream.of("before " + point, "after " + point))
              .toList()
          : SOME;

  @TempDir private Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> unanswered = new ArrayList<>();
  private PalmaresServer palmares;
  private int port;
  private EmbeddedPostgres postgres;
  private JdbcClient jdbc;
  private Gateway gateway;
  private PalmaresClient client;
  private Process shop;
  private int orders;
  private int tasks;

  @BeforeEach
  void startServers() throws Exception {
    palmares = SharedServer.get().palmares();
    port = SharedServer.get().shopPort();
    gateway = new Gateway(palmares.url());
    client = PalmaresClient.to(palmares.url()).key(palmares.key()).build();
    postgres = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
    jdbc = JdbcClient.create(postgres.getPostgresDatabase());
  }

  @AfterEach
  void stopServers() throws Exception {
    if (shop != null) {
      shop.destroyForcibly();
    }
    if (gateway != null) {
      gateway.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void nothingIsLostAndNothingIsCreditedTwice() throws Exception {
    for (String kill : kills(false)) {
      startShop(kill);
      placeOrder();
      awaitDeath();
    }
    for (Behaviour behaviour : List.of(Behaviour.BUSY, Behaviour.PASS)) {
      killWhileTheEventIsOnItsWay(behaviour);
    }
    startShop("");
    for (int i = 0; i < 6; i++) {
      placeOrder();
    }
    assertThat(put("fails", "ann", 1000, true)).isEqualTo(500);
    await().atMost(PATIENCE).until(() -> number("select count(*) from palmares_outbox") == 0);
    assertThat(unanswered).isEmpty();
    assertThat(number("select count(*) from palmares_refused")).isZero();
    assertThat(number("select count(*) from shop_order")).isEqualTo(orders);
    assertThat(points()).isEqualTo(sums("select member, sum(coins) from shop_order group by 1"));

    List<String> kills = kills(true);
    shop.destroy();
    shop.waitFor();
    if (!kills.isEmpty()) {
      startShop(kills.get(0));
    }
    settle();
    for (String kill : kills) {
      if (kill != kills.get(0)) {
        startShop(kill);
      }
      awaitDeath();
    }
    startShop("");
    Map<String, Long> awards = credits();
    assertThat(awards).hasSizeGreaterThan(5);
    await()
        .atMost(PATIENCE)
        .until(() -> number("select count(*) from shop_credit") >= awards.size());
    await().atMost(PATIENCE).until(() -> backlog() == 0);
    assertThat(sums("select member, sum(amount) from shop_credit group by 1")).isEqualTo(awards);
    assertThat(sums("select member, balance from shop_wallet")).isEqualTo(awards);
    assertThat(number("select count(*) from shop_credit")).isEqualTo(awards.size());
    assertReconciled(awards.size());
  }

  /** Those of orders and the sender, or those of awards. */
  private static List<String> kills(boolean ofAwards) {
    int first = KillPoints.ALL.indexOf(FIRST_OF_AWARD);
    return KILLS.stream()
        .filter(
            kill ->
                KillPoints.ALL.indexOf(kill.substring(kill.indexOf(' ') + 1)) >= first == ofAwards)
        .toList();
  }

  /**
   * @param kill the point to die at; empty for none
   */
  private void startShop(String kill) throws IOException {
    var builder =
        new ProcessBuilder(
            PalmaresServer.java("java"),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "shop.Shop",
            "--server.port=" + port,
            "--spring.main.banner-mode=off",
            "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
            "--spring.datasource.hikari.maximum-pool-size=4",
            "--spring.sql.init.mode=always",
            "--spring.sql.init.schema-locations=classpath:shop.sql",
            "--palmares.client.url=" + gateway.url(),
            "--palmares.client.key=" + palmares.key(),
            "--palmares.client.outbox.initialize-schema=always",
            // The server's clock is set by the test, and the shop's is that of the machine.
            "--palmares.client.webhook.tolerance=3650d",
            "--palmares.client.webhook.secrets=" + SharedServer.SECRET,
            "--shop.token=" + SharedServer.TOKEN);
    builder.environment().put("KILL", kill);
    shop = builder.redirectErrorStream(true).start();
    var ready = new CompletableFuture<Boolean>();
    var reader = new Thread(() -> read(shop, ready), "shop-log");
    reader.setDaemon(true);
    reader.start();
    ready.completeOnTimeout(false, PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void read(Process process, CompletableFuture<Boolean> ready) {
    try (BufferedReader out = process.inputReader(UTF_8);
        BufferedWriter log =
            Files.newBufferedWriter(
                folder.resolve("shop.log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        log.append(line).append('\n').flush();
        if (line.contains("Started Shop in")) {
          ready.complete(true);
        }
      }
    } catch (IOException killed) {
      // Java closes the output of a process that it kills.
    } finally {
      ready.complete(false);
    }
  }

  private void awaitDeath() throws Exception {
    boolean dead = shop.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(dead && shop.exitValue() == SIGKILL).as(() -> "killed; its log: " + log()).isTrue();
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("shop.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Places what was not answered, and one order more, as a buyer does who clicks again. */
  private void placeOrder() throws InterruptedException {
    unanswered.add("o" + orders++);
    while (!unanswered.isEmpty()) {
      String order = unanswered.get(0);
      int number = Integer.parseInt(order.substring(1));
      if (put(order, "member-" + number % 9, 1 << number % 10, false) != 200) {
        return;
      }
      unanswered.remove(order);
    }
  }

  /** Returns the status; 0 if there is no answer. */
  private int put(String order, String member, int coins, boolean fails)
      throws InterruptedException {
    String uri =
        "http://localhost:%s/orders/%s?member=%s&coins=%s&fails=%s"
            .formatted(port, order, member, coins, fails);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri)).PUT(BodyPublishers.noBody()).build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  private void killWhileTheEventIsOnItsWay(Behaviour behaviour) throws Exception {
    startShop("");
    await().atMost(PATIENCE).until(() -> number("select count(*) from palmares_outbox") == 0);
    gateway.hold();
    gateway.next(behaviour);
    placeOrder();
    gateway.awaitHeld();
    shop.destroyForcibly();
    awaitDeath();
    gateway.release();
  }

  private void settle() throws InterruptedException {
    palmares.setClock(Instant.parse(SharedServer.DAY + "T12:00:00Z").plus(Duration.ofDays(1)));
    Task task =
        task(
            "/ops/boards/orders/periods/%s/close".formatted(SharedServer.DAY),
            Map.of("reason", "the day is over"));
    assertThat(task.state()).as("%s", task).isEqualTo(Task.State.DONE);
  }

  private Task task(String path, Map<String, Object> body) throws InterruptedException {
    Map<String, Object> begun = client.post(path, body, path + "#" + ++tasks);
    return client.awaitTask(((Number) begun.get("id")).longValue(), PATIENCE);
  }

  private long backlog() throws InterruptedException {
    return ((List<?>) client.get("/ops/outbox"))
        .stream()
            .map(target -> (Map<?, ?>) target)
            .filter(target -> "wallet".equals(target.get("target")))
            .mapToLong(target -> ((Number) target.get("backlog")).longValue())
            .sum();
  }

  /** The shop's own list, which Palmares fetches, and compares with what it has awarded. */
  private void assertReconciled(int awards) throws InterruptedException {
    palmares.setClock(Instant.parse(SharedServer.DAY + "T12:00:00Z").plus(Duration.ofDays(3)));
    assertThat(reconcile()).containsEntry("awards", awards).containsEntry("confirmed", 0);
    assertThat((List<?>) client.get("/ops/wallet/findings")).isEmpty();

    jdbc.sql("insert into shop_credit select * from shop_credit order by award limit 1").update();
    assertThat(reconcile()).containsEntry("lines", awards + 1);
    assertThat((List<?>) client.get("/ops/wallet/findings"))
        .singleElement()
        .extracting("kind", "award")
        .containsExactly("twice", first("select min(award) from shop_credit"));
  }

  /** Returns the values of what it says first. */
  private Map<String, Object> reconcile() throws InterruptedException {
    Task task =
        task(
            "/ops/wallet/reconcile",
            Map.of("reason", "test", "fetch", true, "from", SharedServer.DAY + "T00:00:00Z"));
    assertThat(task.state()).as("%s", task).isEqualTo(Task.State.DONE);
    return task.messages().get(0).values();
  }

  private String first(String sql) {
    return jdbc.sql(sql).query(String.class).single();
  }

  private long number(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }

  private Map<String, Long> sums(String sql) {
    var sums = new TreeMap<String, Long>();
    jdbc.sql(sql)
        .query(
            row -> {
              sums.put(row.getString(1), row.getLong(2));
            });
    return sums;
  }

  private Map<String, Long> points() throws InterruptedException {
    return client.top("orders", SharedServer.DAY, 100).lines().stream()
        .collect(Collectors.toMap(Board.Line::member, Board.Line::points, Long::sum, TreeMap::new));
  }

  private Map<String, Long> credits() throws InterruptedException {
    return client.top("orders", SharedServer.DAY, 100).lines().stream()
        .collect(
            Collectors.toMap(Board.Line::member, Board.Line::credits, Long::sum, TreeMap::new));
  }
}
