package palmares.operations.monitoring;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import palmares.platform.time.SettableClock;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.manifest.Anchors;
import palmares.testing.Proxy;

/**
 * A writer and a scheduler behind proxies to PostgreSQL and Redis, in simulated time: a tick moves
 * the clock to the next scrape, runs what their loops and Quartz would run, and scrapes both.
 */
final class Installation implements AutoCloseable {
  /** How often the rules expect to be evaluated, and servers to be scraped. */
  static final Duration INTERVAL = Duration.ofSeconds(15);

  private static final int TICKS_BETWEEN_SWEEPS = 4;

  private final Proxy postgres;
  private final Proxy redis;
  private final SimulatedNode writer;
  private final SimulatedNode scheduler;
  private final SettableClock clock;
  private final Set<SimulatedNode> running = new HashSet<>();
  private Scrapes scrapes = new Scrapes();
  private int ticks;

  Installation(ApplicationContext servers, String... settings) throws IOException {
    clock = servers.getBean(SettableClock.class);
    var database = servers.getBean(JdbcConnectionDetails.class);
    var url = URI.create(database.getJdbcUrl().substring("jdbc:".length()));
    var details = servers.getBean(DataRedisConnectionDetails.class);
    var node = Objects.requireNonNull(details.getStandalone());
    postgres = Proxy.to(url.getHost(), url.getPort());
    redis = Proxy.to(node.getHost(), node.getPort());
    List<String> all =
        Stream.concat(
                Stream.of(
                    "--palmares.infra=external",
                    "--spring.datasource.url=jdbc:postgresql://127.0.0.1:%d%s?%s"
                        .formatted(
                            postgres.port(), url.getPath(), Objects.toString(url.getQuery(), "")),
                    "--spring.datasource.username=" + database.getUsername(),
                    "--spring.datasource.password=" + database.getPassword(),
                    "--spring.datasource.hikari.connection-timeout=250",
                    "--spring.datasource.hikari.validation-timeout=250",
                    "--spring.data.redis.host=127.0.0.1",
                    "--spring.data.redis.port=" + redis.port(),
                    "--spring.data.redis.password=" + Objects.toString(details.getPassword(), ""),
                    "--spring.data.redis.timeout=500ms",
                    "--palmares.live.answer-timeout=500ms"),
                Stream.of(settings))
            .toList();
    Catalogue boards = servers.getBean(Catalogue.class);
    writer = new SimulatedNode("writer", clock, boards, all);
    var background = new ArrayList<>(all);
    background.add("--palmares.outbox.background=true");
    scheduler = new SimulatedNode("scheduler", clock, boards, background);
  }

  SimulatedNode writer() {
    return writer;
  }

  SimulatedNode scheduler() {
    return scheduler;
  }

  Proxy postgres() {
    return postgres;
  }

  Proxy redis() {
    return redis;
  }

  Scrapes scrapes() {
    return scrapes;
  }

  /** Starts with both nodes running, and without any scrape. */
  void begin() throws IOException {
    running.addAll(List.of(writer, scheduler));
    for (SimulatedNode node : running) {
      Files.deleteIfExists(node.get(Anchors.class).file());
    }
    scrapes = new Scrapes();
    ticks = 0;
  }

  /** A node dies: it does nothing from now on, and cannot be scraped. */
  void kill(SimulatedNode node) {
    running.remove(node);
  }

  /** Passes the time to the next scrape; the first tick sweeps, and each fourth after it. */
  void tick() throws Exception {
    if (ticks > 0) {
      clock.advance(INTERVAL);
    }
    run(writer, "journal drainer", "relayer");
    run(scheduler, "journal drainer", "relayer", "outbox webhook");
    awaitAll();
    if (ticks % TICKS_BETWEEN_SWEEPS == 0) {
      run(scheduler, "sweep");
      awaitAll();
      run(scheduler, "night");
      awaitAll();
    }
    run(writer, "heartbeat", "signals");
    run(scheduler, "heartbeat", "signals");
    awaitAll();
    scrapes.begin();
    for (SimulatedNode node : running) {
      scrapes.add(node.name(), node.scrape());
    }
    ticks++;
  }

  private void run(SimulatedNode node, String... loops) {
    if (running.contains(node)) {
      node.start(loops);
    }
  }

  private void awaitAll() throws Exception {
    for (SimulatedNode node : running) {
      node.await();
    }
  }

  /** Ends every fault, and waits until both nodes work again. */
  void heal() {
    postgres.restore();
    redis.restore();
    scheduler.clockError(0);
    await().until(() -> writer.idle() && scheduler.idle());
    for (SimulatedNode node : List.of(writer, scheduler)) {
      // After a long outage the client would pause before it connects again.
      node.get(LettuceConnectionFactory.class).resetConnection();
      node.mayHang(false, FaultsTest.HANGING);
      await().until(() -> works(node));
    }
  }

  private static boolean works(SimulatedNode node) throws Exception {
    node.start("heartbeat", "signals");
    node.await();
    return node.scrape().stream().filter(line -> line.startsWith("palmares_store_")).count() == 4
        && node.scrape().stream()
            .filter(line -> line.startsWith("palmares_store_"))
            .allMatch(line -> line.endsWith(" 1.0"));
  }

  @Override
  public void close() throws IOException {
    postgres.restore();
    redis.restore();
    writer.close();
    scheduler.close();
    postgres.close();
    redis.close();
  }
}
