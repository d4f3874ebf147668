package palmares.platform.threads;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds fields to every log line of a thread until it is closed: what the thread works on. If a
 * field is set already, its former value comes back.
 *
 * <p>Fields belong to a thread. Use {@link #wrap} for work that continues on another one.
 */
public final class LogContext implements AutoCloseable {
  public static final String NODE = "node";
  public static final String LOOP = "loop";
  public static final String BOARD = "board";
  public static final String PERIOD = "period";
  public static final String RUN = "run";

  /** The log fields, and the observation in whose trace the thread works. */
  private static final ContextSnapshotFactory SNAPSHOTS =
      ContextSnapshotFactory.builder()
          .contextRegistry(
              new ContextRegistry()
                  .registerThreadLocalAccessor(new Slf4jThreadLocalAccessor())
                  .loadThreadLocalAccessors())
          .build();

  private final Map<String, @Nullable String> former = new HashMap<>();

  private LogContext() {}

  /** Adds a field; more can be added with {@link #and}. */
  public static LogContext of(String field, Object value) {
    return new LogContext().and(field, value);
  }

  public LogContext and(String field, Object value) {
    former.putIfAbsent(field, MDC.get(field));
    MDC.put(field, value.toString());
    return this;
  }

  @Override
  public void close() {
    former.forEach(
        (field, value) -> {
          if (value == null) {
            MDC.remove(field);
          } else {
            MDC.put(field, value);
          }
        });
  }

  /** Lets work on another thread have the fields and the trace of this one. */
  public static Runnable wrap(Runnable work) {
    return SNAPSHOTS.captureAll().wrap(work);
  }

  /** As {@link #wrap(Runnable)}, with a result. */
  public static <T> Supplier<T> wrap(Supplier<T> work) {
    ContextSnapshot snapshot = SNAPSHOTS.captureAll();
    return () -> {
      var scope = snapshot.setThreadLocals();
      try (scope) {
        return work.get();
      }
    };
  }
}
