package palmares.bench.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import palmares.bench.Beans;
import palmares.bench.WrongResult;
import palmares.live.board.Event;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.Intake;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** Writes generated events to boards of one application, in its process. */
final class BoardWriter {
  /** More than boards, so that no master waits while another one is slow. */
  private static final int CLIENTS = 12;

  private static final int BATCH = 100;
  private static final int MEMBERS = 10_000;
  private static final int MAX_QUANTITY = 10;
  private static final EventOrigin ORIGIN = new EventOrigin.Api(Set.of());

  private final Intake intake;
  private final long seed;
  private final AtomicLong written = new AtomicLong();

  BoardWriter(Beans beans, long seed) {
    this.intake = beans.get(Intake.class);
    this.seed = seed;
  }

  /** Number of events that were made; each was written once, unless a call has failed. */
  long written() {
    return written.get();
  }

  /** The next event, for a board. */
  Event next(BoardId board) {
    long number = written.incrementAndGet();
    var random = new SplittableRandom(seed ^ number);
    return new Event(
        "%s-%s".formatted(board, number),
        new MemberId("member-" + random.nextInt(MEMBERS)),
        "coin",
        null,
        false,
        1 + random.nextInt(MAX_QUANTITY),
        null,
        null,
        null,
        board);
  }

  /**
   * Sends events in one request.
   *
   * @throws WrongResult if one is neither applied nor a repeat
   */
  void take(List<Event> events) {
    for (EventOutcome outcome : intake.take(events, ORIGIN)) {
      if (outcome.kind() != EventOutcome.Kind.APPLIED
          && outcome.kind() != EventOutcome.Kind.DUPLICATE) {
        throw new WrongResult("an event was not applied: " + outcome);
      }
    }
  }

  /**
   * Writes events in batches, to each board as many; each client sends its next batch when it has
   * the last answer.
   *
   * @return events a second
   */
  double write(List<BoardId> boards, int events) {
    int batches = Math.max(boards.size(), events / BATCH);
    var next = new AtomicInteger();
    Runnable client =
        () -> {
          for (int n = next.getAndIncrement(); n < batches; n = next.getAndIncrement()) {
            BoardId board = boards.get(n % boards.size());
            take(IntStream.range(0, BATCH).mapToObj(i -> next(board)).toList());
          }
        };
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    long begun = System.nanoTime();
    try {
      var clients = new ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(CompletableFuture.runAsync(client, threads));
      }
      clients.forEach(BoardWriter::join);
      return (double) batches * BATCH / ((System.nanoTime() - begun) / 1e9);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits for a client, and throws what has ended it. */
  static void join(CompletableFuture<Void> client) {
    try {
      client.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
