package palmares.reader.stream;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import palmares.http.Problem;
import palmares.http.ProblemException;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.reader.lines.PeriodBoards;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everybody who watches a board. One thread looks at all watched boards a few times a second, as
 * long as there are any, however many events arrive and however many watch.
 */
@Component
@EnableConfigurationProperties(StreamSettings.class)
class Streams implements SmartLifecycle {
  private static final int STOP_SECONDS = 5;

  private final StreamSettings settings;
  private final Rounds rounds;
  private final AtomicInteger seats = new AtomicInteger();
  private volatile @Nullable ScheduledExecutorService thread;

  /** Both are looked at by the thread alone. */
  private boolean due;

  private long beatenAt = System.nanoTime();

  Streams(PeriodBoards boards, Periods periods, JsonMapper json, StreamSettings settings) {
    this.settings = settings;
    this.rounds = new Rounds(boards, periods, json);
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

  void join(Period period, Watcher watcher) {
    boolean joined =
        run(
            () -> {
              rounds.join(period, watcher);
              goOn();
            });
    if (!joined) {
      watcher.end();
    }
  }

  void leave(Period period, Watcher watcher) {
    leaveSeat();
    run(() -> rounds.leave(period, watcher));
  }

  private void round() {
    due = false;
    rounds.look();
    long now = System.nanoTime();
    if (now - beatenAt >= settings.heartbeat().toNanos()) {
      beatenAt = now;
      rounds.beat();
    }
    goOn();
  }

  private void goOn() {
    ScheduledExecutorService running = thread;
    if (!due && !rounds.isIdle() && running != null && !running.isShutdown()) {
      due = true;
      running.schedule(this::round, settings.pause().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private boolean run(Runnable work) {
    ScheduledExecutorService running = thread;
    try {
      if (running != null) {
        running.execute(work);
      }
      return running != null;
    } catch (RejectedExecutionException stopped) {
      return false;
    }
  }

  @Override
  public void start() {
    due = false;
    thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              var made = new Thread(work, "streams");
              made.setDaemon(true);
              return made;
            });
  }

  /** Before the web server stops, which else would wait for those who watch. */
  @Override
  public void stop() {
    ScheduledExecutorService running = thread;
    if (running == null) {
      return;
    }
    run(rounds::end);
    running.shutdown();
    thread = null;
    try {
      running.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}
