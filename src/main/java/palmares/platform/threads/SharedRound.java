package palmares.platform.threads;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work in rounds, one at a time, which concurrent callers share. A caller gets the result of a
 * round that began after its call, so the work sees all that the caller did before.
 */
public final class SharedRound<T> {
  private final Supplier<T> work;

  /** Held while a round runs. */
  private final Object running = new Object();

  /** Guards {@link #next}, and is held for a moment only. */
  private final Object joining = new Object();

  /** The round that has not begun; null if nobody waits for one. */
  private @Nullable CompletableFuture<T> next;

  /**
   * @param work runs once a round, on the thread of one of its callers
   */
  public SharedRound(Supplier<T> work) {
    this.work = work;
  }

  /**
   * Waits for a whole round.
   *
   * @return the result, which all callers of the round get
   * @throws java.util.concurrent.CompletionException if the work failed in another caller's thread
   */
  public T join() {
    CompletableFuture<T> joined;
    synchronized (joining) {
      joined = next;
      if (joined == null) {
        next = new CompletableFuture<>();
      }
    }
    return joined == null ? lead() : joined.join();
  }

  private T lead() {
    synchronized (running) {
      CompletableFuture<T> round;
      synchronized (joining) {
        round = Objects.requireNonNull(next, "the round of this caller");
        next = null;
      }
      try {
        T result = work.get();
        round.complete(result);
        return result;
      } catch (Throwable e) { // If the round stayed open, its callers would wait without end.
        round.completeExceptionally(e);
        throw e;
      }
    }
  }
}
