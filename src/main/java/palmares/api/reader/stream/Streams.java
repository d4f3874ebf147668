package palmares.api.reader.stream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import palmares.api.http.Clients;
import palmares.api.reader.PathLookup;
import palmares.api.reader.lines.PeriodBoards;
import palmares.api.roles.Caller;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.text.Setting;
import palmares.platform.threads.LoopThread;
import palmares.platform.threads.Loops;
import tools.jackson.databind.json.JsonMapper;

/**
 * Accepts watchers, and runs the thread that reads the watched boards. The number of reads does not
 * depend on the number of events or watchers.
 */
@Component
@EnableConfigurationProperties(Streams.StreamSettings.class)
class Streams implements SmartLifecycle {
  /** Why no other stream is opened. */
  interface StreamSentences {
    record TooMany(String client, long most) implements Sentence {}

    record Full(long most) implements Sentence {}
  }

  /**
   * Settings of the streams.
   *
   * @param watchers the maximum number of open streams, on all boards together; at least 1
   * @param watchersPerAddress the maximum number of open streams of each key and person, and of
   *     each client address without; an IPv6 address counts as its /64; at least 1
   * @param pause time between two reads of a watched board; at least 50 ms
   * @param heartbeat time between two heartbeats to a watcher without messages; at least 1 s
   */
  @ConfigurationProperties("palmares.stream")
  record StreamSettings(
      @DefaultValue("1000") int watchers,
      @DefaultValue("200") int watchersPerAddress,
      @DefaultValue("300ms") Duration pause,
      @DefaultValue("15s") Duration heartbeat) {

    StreamSettings {
      var stream = new Setting("palmares.stream");
      stream.part("watchers").requireAtLeast(1, watchers);
      stream.part("watchers-per-address").requireAtLeast(1, watchersPerAddress);
      stream.part("pause").requireAtLeast(Duration.ofMillis(50), pause);
      stream.part("heartbeat").requireAtLeast(Duration.ofSeconds(1), heartbeat);
    }

    /** Returns the longest pause after failures; short enough for heartbeats in time. */
    Duration maxPause() {
      return heartbeat.dividedBy(3);
    }
  }

  private static final String LOOP = "streams";
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MAX_ROUND_AGE = Duration.ofMinutes(1);

  private final StreamSettings settings;
  private final WatchedBoards watchedBoards;
  private final Loops loops;
  private final AtomicInteger reserved = new AtomicInteger();
  private final Map<String, Integer> reservedByClient = new ConcurrentHashMap<>();
  private volatile @Nullable LoopThread thread;

  /** Used only by the thread. */
  private long lastHeartbeatNanos = System.nanoTime();

  Streams(
      PeriodBoards boards,
      Periods periods,
      PathLookup lookup,
      JsonMapper json,
      StreamSettings settings,
      Loops loops) {
    this.loops = loops;
    this.settings = settings;
    this.watchedBoards = new WatchedBoards(boards, periods, lookup, json);
  }

  /**
   * A stream that is reserved for a watcher.
   *
   * @param client the name of the key or person, or the network of the watcher's address
   */
  record Reservation(String client) {}

  /**
   * Reserves a stream for a watcher; must be released.
   *
   * @param caller null if the watcher has not signed in
   * @param address the watcher's; behind a proxy or backend it is that of many, so it counts only
   *     without a caller
   * @throws Refusal if the maximum number of streams is open, of the client or altogether
   */
  Reservation reserve(@Nullable Caller caller, String address) {
    var reservation = new Reservation(caller == null ? Clients.network(address) : caller.name());
    int ofClient = reservedByClient.merge(reservation.client(), 1, Integer::sum);
    if (ofClient > settings.watchersPerAddress()) {
      releaseClient(reservation);
      throw new Refusal(
          Problem.TOO_MANY_STREAMS,
          new StreamSentences.TooMany(reservation.client(), settings.watchersPerAddress()));
    }
    // Counted last, so that a client with too many streams takes none from the others.
    int all = reserved.incrementAndGet();
    if (all > settings.watchers()) {
      release(reservation);
      throw new Refusal(Problem.TOO_MANY_WATCHERS, new StreamSentences.Full(settings.watchers()));
    }
    return reservation;
  }

  void release(Reservation reservation) {
    reserved.decrementAndGet();
    releaseClient(reservation);
  }

  private void releaseClient(Reservation reservation) {
    reservedByClient.computeIfPresent(
        reservation.client(), (client, count) -> count == 1 ? null : count - 1);
  }

  /** Returns the number of reserved streams. */
  int reservedCount() {
    return reserved.get();
  }

  void join(Period period, BoardWatcher watcher) {
    if (!run(() -> watchedBoards.join(period, watcher))) {
      watcher.end();
    }
  }

  void leave(Period period, BoardWatcher watcher, Reservation reservation) {
    release(reservation);
    run(() -> watchedBoards.leave(period, watcher));
  }

  /** Sends heartbeats first, so that a board that cannot be read does not end connections. */
  private void round() {
    long now = System.nanoTime();
    if (now - lastHeartbeatNanos >= settings.heartbeat().toNanos()) {
      lastHeartbeatNanos = now;
      watchedBoards.sendHeartbeats();
    }
    watchedBoards.update();
  }

  private boolean run(Runnable work) {
    LoopThread running = thread;
    return running != null && running.execute(work);
  }

  @Override
  public void start() {
    thread =
        LoopThread.start(
            loops.add(LOOP, MAX_ROUND_AGE), settings.pause(), settings.maxPause(), this::round);
  }

  /** Runs before the web server stops, which would otherwise wait for the streams to end. */
  @Override
  public void stop() {
    LoopThread running = thread;
    if (running != null) {
      running.execute(watchedBoards::end);
      thread = null;
      running.stop(STOP_TIMEOUT);
      loops.remove(LOOP);
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}
