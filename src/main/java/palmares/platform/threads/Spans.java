package palmares.platform.threads;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Runs work in spans. If tracing is disabled, it only runs the work.
 *
 * <p>Fields are names and values in turn. They become tags of the span and not of a metric.
 */
@Component
public class Spans {
  private static final String TRACEPARENT = "traceparent";
  private static final String PREFIX = "palmares.trace.";

  private final ObservationRegistry registry;
  private final @Nullable Tracer tracer;
  private final @Nullable Propagator propagator;

  @Autowired
  Spans(
      ObservationRegistry registry,
      ObjectProvider<Tracer> tracer,
      ObjectProvider<Propagator> propagator) {
    this.registry = registry;
    this.propagator = propagator.getIfAvailable();
    this.tracer = this.propagator == null ? null : tracer.getIfAvailable();
  }

  private Spans() {
    this.registry = ObservationRegistry.NOOP;
    this.tracer = null;
    this.propagator = null;
  }

  /** Spans that are never traced. */
  public static Spans none() {
    return new Spans();
  }

  /** Runs work in a span of the current trace, or of a new one. */
  public <T extends @Nullable Object> T call(String name, Supplier<T> work, Object... fields) {
    return tracer == null ? work.get() : observe(name, new Observation.Context(), work, fields);
  }

  /**
   * Runs work in a span of the trace that a {@link #traceparent} names.
   *
   * @param traceparent null for a new trace
   */
  public <T extends @Nullable Object> T callIn(
      @Nullable String traceparent, String name, Supplier<T> work, Object... fields) {
    if (tracer == null || traceparent == null) {
      return call(name, work, fields);
    }
    var context =
        new ReceiverContext<String>(
            (carrier, key) -> key.equals(TRACEPARENT) ? carrier : null, Kind.CONSUMER);
    context.setCarrier(traceparent);
    return observe(name, context, work, fields);
  }

  /**
   * Runs work that sends a request in a span.
   *
   * @param header receives the headers that the request must have
   */
  public <T extends @Nullable Object> T send(
      String name, BiConsumer<String, String> header, Supplier<T> work, Object... fields) {
    if (tracer == null) {
      return work.get();
    }
    var context =
        new SenderContext<BiConsumer<String, String>>(
            (carrier, key, value) -> {
              if (carrier != null) {
                carrier.accept(key, value);
              }
            },
            Kind.CLIENT);
    context.setCarrier(header);
    return observe(name, context, work, fields);
  }

  private <T extends @Nullable Object> T observe(
      String name, Observation.Context context, Supplier<T> work, Object... fields) {
    Observation observation =
        Observation.createNotStarted(PREFIX + name, () -> context, registry).contextualName(name);
    for (int i = 0; i < fields.length; i += 2) {
      observation.highCardinalityKeyValue(fields[i].toString(), fields[i + 1].toString());
    }
    return observation.observe(work);
  }

  /** Names the current span, as the W3C defines it; null outside of one. */
  public @Nullable String traceparent() {
    Span span = tracer == null ? null : tracer.currentSpan();
    if (propagator == null || span == null) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    propagator.inject(
        span.context(), headers, (carrier, field, value) -> headers.put(field, value));
    return headers.get(TRACEPARENT);
  }
}
