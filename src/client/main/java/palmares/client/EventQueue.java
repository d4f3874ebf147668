package palmares.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * Sends events in batches, in the order in which they were added, from memory: what was not sent is
 * lost with the process. While a batch is on its way, the next one gathers.
 *
 * <p>The queue is bounded. When it is full, {@link #offer} refuses an event, and {@link #put}
 * waits.
 */
public final class EventQueue implements AutoCloseable {
  private final PalmaresClient client;
  private final int capacity;
  private final int batchSize;
  private final Queue<Entry> entries = new ArrayDeque<>();
  private final Thread sender = new Thread(this::run, "palmares-queue");
  private boolean closed;

  private record Entry(Event event, CompletableFuture<Outcome> outcome) {}

  /**
   * Starts a queue.
   *
   * @param capacity how many events may wait; not those on their way
   * @param batchSize how many are sent at once, at most 10,000
   */
  public EventQueue(PalmaresClient client, int capacity, int batchSize) {
    if (capacity < 1 || batchSize < 1) {
      throw new IllegalArgumentException(
          "capacity is %d and batchSize %d: each must be at least 1"
              .formatted(capacity, batchSize));
    }
    this.client = client;
    this.capacity = capacity;
    this.batchSize = batchSize;
    sender.setDaemon(true);
    sender.start();
  }

  /**
   * Adds an event, unless the queue is full.
   *
   * @return what will become of the event; empty if the queue is full. It fails with a {@link
   *     PalmaresException} if all attempts have: the event may count then, and may be added again
   * @throws IllegalStateException if the queue is closed
   */
  public synchronized Optional<CompletableFuture<Outcome>> offer(Event event) {
    requireOpen();
    return entries.size() < capacity ? Optional.of(add(event)) : Optional.empty();
  }

  /**
   * Adds an event, and waits as long as the queue is full.
   *
   * @return as {@link #offer}
   * @throws IllegalStateException if the queue is closed, also meanwhile
   */
  public synchronized CompletableFuture<Outcome> put(Event event) throws InterruptedException {
    requireOpen();
    while (entries.size() >= capacity) {
      wait();
      requireOpen();
    }
    return add(event);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the queue is closed");
    }
  }

  private CompletableFuture<Outcome> add(Event event) {
    var outcome = new CompletableFuture<Outcome>();
    entries.add(new Entry(event, outcome));
    notifyAll();
    return outcome;
  }

  /** Takes no more events, and waits until what was added is sent or has failed. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      sender.join();
    } catch (InterruptedException e) {
      sender.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<Entry> batch = next();
    while (!batch.isEmpty()) {
      send(batch);
      batch = next();
    }
  }

  /** Waits for entries; empty if the queue is closed and all are sent. */
  private synchronized List<Entry> next() {
    var batch = new ArrayList<Entry>();
    try {
      while (entries.isEmpty() && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      closed = true;
      Thread.currentThread().interrupt();
    }
    while (!entries.isEmpty() && batch.size() < batchSize) {
      batch.add(entries.remove());
    }
    notifyAll();
    return batch;
  }

  private void send(List<Entry> batch) {
    try {
      List<Outcome> outcomes = client.send(batch.stream().map(Entry::event).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).outcome().complete(outcomes.get(i));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The rest fails in the same way, one after the other.
      batch.forEach(entry -> entry.outcome().completeExceptionally(e));
    } catch (RuntimeException e) {
      batch.forEach(entry -> entry.outcome().completeExceptionally(e));
    }
  }
}
