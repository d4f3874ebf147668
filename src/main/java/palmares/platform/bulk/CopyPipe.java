package palmares.platform.bulk;

import java.util.Map;
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
 * Copies blocks of {@link BinaryRows} into tables on another thread and in a transaction of that
 * thread, so that encoding and writing run in parallel. At most {@value #MAX_QUEUED_BLOCKS} blocks
 * are in memory. Unless {@link #finish} returns, the transaction is rolled back.
 */
public final class CopyPipe implements AutoCloseable {
  private static final int MAX_QUEUED_BLOCKS = 16;
  private static final long POLLING_INTERVAL_MILLIS = 100;
  private static final Block END = new Block("", new byte[0]);

  private final BlockingQueue<Block> blocks = new ArrayBlockingQueue<>(MAX_QUEUED_BLOCKS);
  private final CompletableFuture<Map<String, Long>> written;
  private volatile boolean cancelled;

  /**
   * Rows of a table.
   *
   * @param target the table and its columns in the order of the fields
   */
  record Block(String target, byte[] rows) {}

  /**
   * Starts the thread.
   *
   * @param copy writes the blocks that it gets, and returns the number of rows by target
   */
  CopyPipe(String threadName, Function<Supplier<@Nullable Block>, Map<String, Long>> copy) {
    var thread = new SimpleAsyncTaskExecutor(threadName + " ");
    thread.setDaemon(true);
    Supplier<Map<String, Long>> work = LogContext.wrap(() -> copy.apply(this::take));
    written = CompletableFuture.supplyAsync(work, thread);
  }

  private @Nullable Block take() {
    try {
      @Nullable Block block = null;
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
   * Hands a block over; blocks while the queue is full. Each change of the target begins another
   * COPY.
   *
   * @param target a table and its columns in the order of the fields: {@code line_7 (place,
   *     member)}
   * @throws RuntimeException the failure of the other thread
   */
  public void write(String target, byte[] rows) {
    write(new Block(target, rows));
  }

  private void write(Block block) {
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

  /** Commits all blocks. */
  public void finish() {
    write(END);
    await();
  }

  private Map<String, Long> await() {
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
