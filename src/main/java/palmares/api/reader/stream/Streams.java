package palmares.api.reader.stream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.reader.lines.PeriodBoards;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.threads.LoopThread;
import palmares.platform.threads.Loops;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everybody who watches a board. One thread looks at all watched boards a few times a second,
 * however many events arrive and however many watch.
 */
@Component
@EnableConfigurationProperties(StreamSettings.class)
class Streams implements SmartLifecycle {
  private static final String LOOP = "streams";
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
  private static final Duration BOUND = Duration.ofMinutes(1);

  private final StreamSettings settings;
  private final StreamRounds rounds;
  private final Loops loops;
  private final AtomicInteger seats = new AtomicInteger();
  private volatile @Nullable LoopThread thread;

  /** Belongs to the thread. */
  private long beatenAt = System.nanoTime();

  Streams(
      PeriodBoards boards, Periods periods, JsonMapper json, StreamSettings settings, Loops loops) {
    this.loops = loops;
    this.settings = settings;
    this.rounds = new StreamRounds(boards, periods, json);
  }

  /**
   * Keeps a seat for a watcher, who must leave it.
   *
   * @throws ProblemException if all are taken
   */
  void takeSeat() {
    if (seats.incrementAndGet() > settings.watchers()) {
      leaveSeat();
      throw new ProblemException(
          Problem.TOO_MANY_WATCHERS,
          "%d watch boards here already (palmares.stream.watchers): come again, or ask for /top"
              .formatted(settings.watchers()));
    }
  }

  void leaveSeat() {
    seats.decrementAndGet();
  }

  /** How many watch. */
  int seated() {
    return seats.get();
  }

  void join(Period period, BoardWatcher watcher) {
    if (!run(() -> rounds.join(period, watcher))) {
      watcher.end();
    }
  }

  void leave(Period period, BoardWatcher watcher) {
    leaveSeat();
    run(() -> rounds.leave(period, watcher));
  }

  /** Heartbeats first: a board that cannot be read must not end the connections. */
  private void round() {
    long now = System.nanoTime();
    if (now - beatenAt >= settings.heartbeat().toNanos()) {
      beatenAt = now;
      rounds.beat();
    }
    rounds.look();
  }

  private boolean run(Runnable work) {
    LoopThread running = thread;
    return running != null && running.execute(work);
  }

  @Override
  public void start() {
    thread =
        LoopThread.start(
            loops.add(LOOP, BOUND), settings.pause(), settings.longestPause(), this::round);
  }

  /** Before the web server stops, which else would wait for those who watch. */
  @Override
  public void stop() {
    LoopThread running = thread;
    if (running != null) {
      running.execute(rounds::end);
      thread = null;
      running.stop(STOP_PATIENCE);
      loops.remove(LOOP);
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}
