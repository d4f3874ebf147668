package palmares.platform.bulk;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes blocks of {@link BinaryRows} into a table by COPY, in a thread and a transaction of its
 * own, so that encoding and writing run in parallel. Memory holds a few blocks. What is not
 * finished is rolled back.
 */
public final class CopyPipe implements AutoCloseable {
  private static final int BLOCKS = 16;
  private static final long LOOK_MILLIS = 100;
  private static final byte[] END = {};

  private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(BLOCKS);
  private final CompletableFuture<Long> written = new CompletableFuture<>();
  private volatile boolean cancelled;

  /**
   * Starts to write.
   *
   * @param target a table and its columns in the order of the fields: {@code line_7 (place,
   *     member)}
   * @param first is run in the transaction before the first block
   */
  public CopyPipe(
      DataSource dataSource, TransactionTemplate transaction, String target, Runnable first) {
    var thread =
        new Thread(
            () -> {
              try {
                written.complete(
                    transaction.execute(
                        status -> {
                          first.run();
                          return copy(dataSource, target);
                        }));
              } catch (RuntimeException | Error e) {
                written.completeExceptionally(e);
              }
            },
            "copy " + target.substring(0, target.indexOf(' ')));
    thread.setDaemon(true);
    thread.start();
  }

  private Long copy(DataSource dataSource, String target) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    BinaryCopy copy = null;
    try {
      copy = new BinaryCopy(connection, target);
      for (byte[] block = take(); block != END; block = take()) {
        copy.write(block);
      }
      return copy.finish();
    } catch (SQLException | RuntimeException e) {
      if (copy != null) {
        copy.cancel();
      }
      throw BulkLoad.translated("COPY into " + target, e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private byte[] take() {
    try {
      byte @Nullable [] block = null;
      while (block == null) {
        if (cancelled) {
          throw new IllegalStateException("cancelled");
        }
        block = blocks.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
      return block;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Hands a block over, and waits while too many are not written yet.
   *
   * @throws RuntimeException what the writing failed with
   */
  public void write(byte[] block) {
    try {
      while (!blocks.offer(block, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (written.isDone()) {
          await();
          throw new IllegalStateException("the writing has ended");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Commits what was handed over; answers how many rows there are. */
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

  /** Rolls back what is not finished, and waits for that. */
  @Override
  public void close() {
    cancelled = true;
    try {
      written.join();
    } catch (CompletionException e) {
      // Whoever finished has heard of it; otherwise another failure led here.
    }
  }
}
