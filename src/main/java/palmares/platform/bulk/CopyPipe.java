package palmares.platform.bulk;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import palmares.platform.threads.LogContext;

/**
 * Copies blocks of {@link BinaryRows} into a table on another thread and in a transaction of that
 * thread, so that encoding and writing run in parallel. At most {@value #MAX_QUEUED_BLOCKS} blocks
 * are in memory. Unless {@link #finish} returns, the transaction is rolled back.
 */
public final class CopyPipe implements AutoCloseable {
  private static final int MAX_QUEUED_BLOCKS = 16;
  private static final long POLLING_INTERVAL_MILLIS = 100;
  private static final byte[] END = {};

  private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(MAX_QUEUED_BLOCKS);
  private final CompletableFuture<Long> written;
  private volatile boolean cancelled;

  /**
   * Starts the thread.
   *
   * @param copy writes the blocks that it gets, and returns the number of rows
   */
  CopyPipe(String threadName, Function<Supplier<byte @Nullable []>, Long> copy) {
    var thread = new SimpleAsyncTaskExecutor(threadName + " ");
    thread.setDaemon(true);
    Supplier<Long> work = LogContext.wrap(() -> copy.apply(this::take));
    written = CompletableFuture.supplyAsync(work, thread);
  }

  private byte @Nullable [] take() {
    try {
      byte @Nullable [] block = null;
      while (block == null) {
        if (cancelled) {
          throw new IllegalStateException("cancelled");
        }
        block = blocks.poll(POLLING_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
      }
      return block == END ? null : block;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Hands a block over; blocks while the queue is full.
   *
   * @throws RuntimeException the failure of the other thread
   */
  public void write(byte[] block) {
    try {
      while (!blocks.offer(block, POLLING_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (written.isDone()) {
          await();
          throw new IllegalStateException("the pipe is finished");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Commits all blocks, and returns the number of rows. */
  public long finish() {
    write(END);
    return await();
  }

  private long await() {
    try {
      return written.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    }
  }

  /** Waits until the other thread has ended; unless finished, its transaction is rolled back. */
  @Override
  public void close() {
    cancelled = true;
    try {
      written.join();
    } catch (CompletionException e) {
      // The caller of finish() has received it; otherwise the caller's own failure comes first.
    }
  }
}
