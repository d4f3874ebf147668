package palmares.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.client.Event;
import palmares.client.Outcome;
import palmares.client.Outcome.Kind;
import palmares.client.PalmaresClient;
import palmares.client.PalmaresException;
import palmares.client.RetryPolicy;
import palmares.spring.PalmaresOutbox.Waiting;

/**
 * Sends what is in the outbox. Any number of processes may run it: one at a time sends. If it dies
 * after an event was sent and before its row is removed, the event is sent again under its id.
 */
final class OutboxSender implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxSender.class);

  /** The statuses by which a server refuses what was sent, rather than who sent it. */
  private static final List<Integer> OF_EVENTS = List.of(400, 413, 422);

  private final PalmaresOutbox outbox;
  private final PalmaresClient client;
  private final TransactionTemplate transaction;
  private final PalmaresProperties.Outbox settings;
  private final RetryPolicy delays;
  private final Consumer<Outcome> onOutcome;
  private final Semaphore wake = new Semaphore(0);
  private volatile @Nullable String lastFailure;
  private volatile @Nullable Running running;

  private record Running(Thread thread, CountDownLatch end) {}

  /**
   * @param client with no retries, as each would keep the transaction open
   * @param onOutcome is called for each outcome whose row was removed
   */
  OutboxSender(
      PalmaresOutbox outbox,
      PalmaresClient client,
      TransactionTemplate transaction,
      PalmaresProperties.Outbox settings,
      Consumer<Outcome> onOutcome) {
    this.outbox = outbox;
    this.client = client;
    this.transaction = transaction;
    this.settings = settings;
    this.delays = new RetryPolicy(1, settings.pollInterval(), settings.maxRetryDelay());
    this.onOutcome = onOutcome;
  }

  /** Why the last attempt failed; null if it did not. */
  @Nullable String lastFailure() {
    return lastFailure;
  }

  @Override
  public synchronized void start() {
    var end = new CountDownLatch(1);
    var started = new Thread(() -> run(end), "palmares-outbox");
    started.setDaemon(true);
    outbox.onCommit(wake::release);
    running = new Running(started, end);
    started.start();
  }

  /** Waits for the answer to what is on its way, since interrupting a thread can harm databases. */
  @Override
  public synchronized void stop() {
    Running stopped = running;
    running = null;
    if (stopped != null) {
      stopped.end().countDown();
      wake.release();
      try {
        stopped.thread().join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public boolean isRunning() {
    return running != null;
  }

  private void run(CountDownLatch end) {
    int failed = 0;
    try {
      while (end.getCount() > 0) {
        try {
          boolean more = sendNext();
          failed = 0;
          lastFailure = null;
          if (!more) {
            wake.tryAcquire(settings.pollInterval().toMillis(), TimeUnit.MILLISECONDS);
            wake.drainPermits();
          }
        } catch (RuntimeException e) {
          end.await(delayAfter(e, ++failed).toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("the outbox was interrupted, and sends nothing until the next start");
    }
  }

  private Duration delayAfter(RuntimeException e, int failed) {
    Duration delay = delays.delay(failed);
    if (e instanceof PalmaresException refusal && refusal.retryAfter().compareTo(delay) > 0) {
      delay = refusal.retryAfter();
    }
    lastFailure = String.valueOf(e.getMessage());
    LOG.warn("events wait in the outbox, and are sent again in {}: {}", delay, lastFailure);
    LOG.debug("the failed attempt", e);
    return delay;
  }

  /**
   * Sends the first events, in one transaction with their removal. A row that is no event, which
   * the outbox has not stored, is kept with the refused ones, so that it stops no other.
   *
   * @return whether more may wait
   */
  boolean sendNext() {
    var outcomes = new ArrayList<Outcome>();
    boolean more =
        transaction.execute(
            status -> {
              List<Waiting> rows = outbox.first(settings.batchSize());
              var readable = new ArrayList<Waiting>();
              var events = new ArrayList<Event>();
              for (Waiting row : rows) {
                try {
                  events.add(Event.parse(row.event()));
                  readable.add(row);
                } catch (IllegalArgumentException e) {
                  outbox.keepUnreadable(row, e);
                }
              }
              List<Outcome> answers = send(events);
              for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i).isRefused()) {
                  outbox.keep(readable.get(i), events.get(i), answers.get(i));
                }
              }
              outbox.remove(rows.stream().map(Waiting::n).toList());
              outcomes.addAll(answers);
              return rows.size() == settings.batchSize();
            });
    outcomes.forEach(onOutcome);
    return more;
  }

  /** A request that is refused as a whole is divided until the event is alone that is to blame. */
  private List<Outcome> send(List<Event> events) {
    try {
      return client.send(events);
    } catch (PalmaresException e) {
      if (e.isRetryable() || !OF_EVENTS.contains(e.status())) {
        throw e;
      }
      int half = events.size() / 2;
      return half == 0
          ? List.of(
              new Outcome(events.get(0).id(), Kind.REFUSED, e.type(), e.getMessage(), List.of()))
          : Stream.of(events.subList(0, half), events.subList(half, events.size()))
              .flatMap(part -> send(part).stream())
              .toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while events were sent", e);
    }
  }
}
