package palmares.platform.bulk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Runs the parts of one piece of work on a few threads. */
public final class ParallelRunner {
  private static final int MOST = 8;

  /** Each piece waits for the servers as much as it computes. */
  private static final int WORKERS =
      Math.min(MOST, Math.max(2, Runtime.getRuntime().availableProcessors()));

  /** Pieces of all works together: each has a connection, and others want some too. */
  private static final Semaphore PLACES = new Semaphore(MOST);

  private ParallelRunner() {}

  /**
   * Does all pieces, each on one of a few threads.
   *
   * @throws RuntimeException what the first piece that failed threw; those that were not begun are
   *     not done then
   */
  public static void run(List<Runnable> pieces) {
    if (pieces.size() < 2) {
      pieces.forEach(Runnable::run);
      return;
    }
    ExecutorService workers = Executors.newFixedThreadPool(Math.min(WORKERS, pieces.size()));
    var done = new ArrayList<Future<Void>>();
    try {
      CompletionService<Void> finished = new ExecutorCompletionService<>(workers);
      pieces.forEach(piece -> done.add(finished.submit(() -> runInPlace(piece), null)));
      for (int i = 0; i < pieces.size(); i++) {
        finished.take().get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted between the pieces of a work", e);
    } finally {
      done.forEach(piece -> piece.cancel(false));
      workers.shutdown();
      awaitBegun(workers);
    }
  }

  private static void runInPlace(Runnable piece) {
    PLACES.acquireUninterruptibly();
    try {
      piece.run();
    } finally {
      PLACES.release();
    }
  }

  /** Nothing of the work goes on once the caller knows that it failed. */
  private static void awaitBegun(ExecutorService workers) {
    boolean interrupted = false;
    while (!workers.isTerminated()) {
      try {
        workers.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
