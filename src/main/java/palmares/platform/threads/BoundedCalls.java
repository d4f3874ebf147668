package palmares.platform.threads;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Asks servers that may not answer, on threads in reserve, so that callers wait for a bounded time.
 * There is one call at a time for each subject, which its callers share.
 *
 * <p>This class is thread-safe.
 *
 * @param <K> the subjects
 * @param <T> the results
 */
public final class BoundedCalls<K, T> {
  private final String name;
  private final SimpleAsyncTaskExecutor threads;
  private final long maxWaitNanos;
  private final Map<K, Running<T>> running = new ConcurrentHashMap<>();

  /**
   * @param name of the threads
   * @param maxWait how long a call may take until its callers go on without its result
   */
  public BoundedCalls(String name, Duration maxWait) {
    this.name = name;
    this.threads = new SimpleAsyncTaskExecutor(name + " ");
    this.threads.setDaemon(true);
    this.maxWaitNanos = maxWait.toNanos();
  }

  private record Running<T>(CompletableFuture<T> result, long began) {}

  /**
   * Makes a call, or joins the one that runs. Nobody waits for one that has taken too long already.
   *
   * @return the result; empty if there is none in time. The call goes on then, and so does its
   *     effect
   * @throws RuntimeException if the call fails in time
   */
  public Optional<T> call(K subject, Supplier<T> work) {
    var fresh = new Running<>(new CompletableFuture<T>(), System.nanoTime());
    Running<T> other = running.putIfAbsent(subject, fresh);
    if (other == null) {
      begin(subject, fresh, work);
    }
    return await(other == null ? fresh : other);
  }

  private void begin(K subject, Running<T> call, Supplier<T> work) {
    try {
      threads.execute(() -> run(subject, call, work));
    } catch (RuntimeException | Error e) { // No thread: the next call must not wait for this one.
      running.remove(subject, call);
      call.result().completeExceptionally(e);
    }
  }

  private void run(K subject, Running<T> call, Supplier<T> work) {
    try {
      T result = work.get();
      running.remove(subject, call);
      call.result().complete(result);
    } catch (Throwable e) { // Its callers get it.
      running.remove(subject, call);
      call.result().completeExceptionally(e);
    }
  }

  private Optional<T> await(Running<T> call) {
    long left = Math.max(0, maxWaitNanos - (System.nanoTime() - call.began()));
    try {
      return Optional.of(call.result().get(left, TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("a call of " + name + " failed", e.getCause());
    }
  }
}
