package palmares.operations.monitoring;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;
import palmares.Palmares;
import palmares.operations.monitoring.HeartbeatRound.PermitLoop;
import palmares.platform.infra.WorkPermit;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.time.MachineClock;
import palmares.platform.time.SettableClock;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Sweep;
import palmares.settlement.schedule.NightlyVerification;

/** A server of a simulated installation, whose loops run a round when a test asks for it. */
final class SimulatedNode implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 30;

  private final String name;
  private final ConfigurableApplicationContext application;
  private final Map<String, Work> work = new TreeMap<>();
  private final Map<String, BackgroundLoop> loops = new TreeMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile long clockErrorMillis;

  SimulatedNode(String name, SettableClock clock, Catalogue boards, List<String> settings) {
    this.name = name;
    var spring = new SpringApplication(Palmares.class);
    spring.addInitializers(
        context -> {
          var beans = (GenericApplicationContext) context;
          beans.registerBean(SettableClock.class, () -> clock);
          beans.registerBean(Catalogue.class, () -> boards);
          beans.registerBean(
              LettuceClientOptionsBuilderCustomizer.class, () -> SimulatedNode::doNotWait);
          beans.registerBean(MachineClock.class, () -> () -> clock.millis() + clockErrorMillis);
        });
    String id = UUID.randomUUID().toString();
    application =
        spring.run(
            Stream.concat(
                    Stream.of(
                        "--server.port=0",
                        "--palmares.security.management=open",
                        "--palmares.node=" + name + " " + id,
                        "--palmares.roles=" + name,
                        "--palmares.anchors.folder=target/anchors/" + id,
                        "--spring.quartz.properties.org.quartz.scheduler.instanceName=" + id),
                    settings.stream())
                .toArray(String[]::new));
    application
        .getBeansOfType(BackgroundLoop.class)
        .values()
        .forEach(
            loop -> {
              loop.stop();
              loops.put(loopName(loop), loop);
              work.put(loopName(loop), new Work(round(loop)));
            });
    SignalRound signals = get(SignalRound.class);
    work.put("signals", new Work(signals::run));
    work.put("heartbeat", new Work(this::heartbeat));
    work.put("sweep", new Work(this::sweep));
    work.put("night", new Work(() -> get(NightlyVerification.class).verifyIfDue()));
  }

  private void heartbeat() {
    get(HeartbeatRound.class).run();
    PermitLoop.renew(get(WorkPermit.class));
  }

  /** Commands fail at once while Redis is gone, which saves the test half a second each. */
  private static void doNotWait(ClientOptions.Builder options) {
    options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
  }

  private static String loopName(BackgroundLoop loop) {
    return "" + ReflectionTestUtils.getField(loop, BackgroundLoop.class, "name");
  }

  @SuppressWarnings("unchecked")
  private static Runnable round(BackgroundLoop loop) {
    Object round = ReflectionTestUtils.getField(loop, BackgroundLoop.class, "round");
    return () -> ((Consumer<BooleanSupplier>) Objects.requireNonNull(round)).accept(() -> true);
  }

  /** Closings run in threads of their own; a failed one is the sweep's to retry. */
  private void sweep() {
    List<CompletableFuture<ClosingResult>> begun;
    do {
      begun = get(Sweep.class).run();
      begun.forEach(closing -> closing.handle((result, failure) -> 0).join());
    } while (!begun.isEmpty());
  }

  /** One loop and its thread, which may hang. */
  private static final class Work {
    private final ExecutorService thread =
        Executors.newSingleThreadExecutor(
            round -> {
              var daemon = new Thread(round);
              daemon.setDaemon(true);
              return daemon;
            });
    private final Runnable round;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    private boolean mayHang;

    Work(Runnable round) {
      this.round = round;
    }

    /** Starts a round, unless the last one has not ended; a failure ends only the round. */
    void start() {
      if (last.isDone()) {
        last = CompletableFuture.runAsync(round, thread).handle((done, failure) -> null);
      }
    }

    void await() throws Exception {
      if (!mayHang) {
        last.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  String name() {
    return name;
  }

  <T> T get(Class<T> bean) {
    return application.getBean(bean);
  }

  /** Runs a loop in the background, as a server does. */
  void startLoop(String loop) {
    Objects.requireNonNull(loops.get(loop)).start();
  }

  void stopLoop(String loop) {
    Objects.requireNonNull(loops.get(loop)).stop();
  }

  /** Lets the clock of this node's machine be wrong. */
  void clockError(long millis) {
    clockErrorMillis = millis;
  }

  /** Expects that these loops do not end their rounds from now on. */
  void mayHang(boolean hangs, String... loops) {
    for (String loop : loops) {
      Objects.requireNonNull(work.get(loop)).mayHang = hangs;
    }
  }

  /** Whether the last round of each loop has ended. */
  boolean idle() {
    return work.values().stream().allMatch(each -> each.last.isDone());
  }

  /** Starts a round of each of these loops; a loop that hangs starts none. */
  void start(String... loops) {
    for (String loop : loops) {
      Objects.requireNonNull(work.get(loop), loop).start();
    }
  }

  /** Waits for the rounds that were started, but for those that may hang. */
  void await() throws Exception {
    for (Work each : work.values()) {
      each.await();
    }
  }

  /** Reads the metrics as Prometheus does: the lines of {@code /actuator/prometheus}. */
  List<String> scrape() throws IOException, InterruptedException {
    var server = ((WebServerApplicationContext) application).getWebServer();
    int port = Objects.requireNonNull(server).getPort();
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/prometheus"));
    return http.send(request.build(), BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  @Override
  public void close() {
    application.close();
    work.values().forEach(each -> each.thread.shutdownNow());
  }
}
