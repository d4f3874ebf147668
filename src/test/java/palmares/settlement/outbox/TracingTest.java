package palmares.settlement.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.platform.threads.Spans;
import palmares.testing.Contest;
import palmares.testing.FreshWorld;
import palmares.testing.PalmaresTest;
import palmares.testing.World;

/** With tracing enabled, a closing is one trace, and deliveries of its facts continue it. */
@PalmaresTest(
    webEnvironment = WebEnvironment.NONE,
    properties = {
      "management.tracing.export.enabled=true",
      "management.tracing.sampling.probability=1.0"
    })
@Import(TracingTest.Exporter.class)
@ExtendWith({FreshWorld.class, OutputCaptureExtension.class})
class TracingTest {
  private static final Pattern OWN =
      Pattern.compile("intake|apply|drain|closing|step .*|deliver|webhook");

  @Autowired private World world;
  @Autowired private InMemorySpanExporter exporter;
  @Autowired private SdkTracerProvider tracing;
  @Autowired private Facts facts;
  @Autowired private Deliveries deliveries;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Clock clock;
  @Autowired private Spans spans;
  @Autowired private MeterRegistry meters;

  @TestConfiguration(proxyBeanMethods = false)
  static class Exporter {
    @Bean
    InMemorySpanExporter exporter() {
      return InMemorySpanExporter.create();
    }
  }

  @BeforeEach
  void forget() {
    // Commands, which other tests call in this process, turn it off.
    ((Logger) LoggerFactory.getLogger("palmares.settlement.closing")).setLevel(Level.INFO);
    finished();
    exporter.reset();
  }

  private List<SpanData> finished() {
    tracing.forceFlush().join(20, TimeUnit.SECONDS);
    return exporter.getFinishedSpanItems();
  }

  private SpanData span(String name) {
    return finished().stream()
        .filter(span -> span.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The spans below one, without those that Spring Batch and Lettuce put in between. */
  private List<String> children(SpanData parent) {
    return own()
        .filter(span -> ancestor(span).equals(parent.getSpanId()))
        .map(SpanData::getName)
        .toList();
  }

  private Stream<SpanData> own() {
    return finished().stream().filter(span -> OWN.matcher(span.getName()).matches());
  }

  private String ancestor(SpanData span) {
    String parent = span.getParentSpanId();
    for (SpanData other : finished()) {
      if (other.getSpanId().equals(parent)) {
        return OWN.matcher(other.getName()).matches() ? parent : ancestor(other);
      }
    }
    return parent;
  }

  @Test
  void aRequestOfManyEventsIsOneSpanWithTheCallsToRedis() {
    world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    SpanData intake = span("intake");
    assertThat(intake.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(intake.getAttributes().asMap().toString()).contains("events=9");
    assertThat(children(intake)).isNotEmpty().containsOnly("apply");
    assertThat(finished()).filteredOn(span -> span.getName().equals("intake")).hasSize(1);
  }

  @Test
  void aClosingIsATraceOfItsStepsWhoseNumberIsInTheLog(CapturedOutput output) {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    SpanData closing = span("closing");
    assertThat(closing.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(closing.getAttributes().asMap().toString())
        .contains("board=" + day.board(), "period=" + day.name());
    assertThat(children(closing))
        .containsExactly("step seal", "step drain", "step fill", "step pay");
    assertThat(output.getAll())
        .containsPattern("\\[%s\\] .*settled board=".formatted(closing.getTraceId()));
  }

  @Test
  void theWebhookGetsTheTraceOfTheClosing() throws Exception {
    var traceparent = new AtomicReference<String>();
    try (var receiver = new Receiver()) {
      receiver.answers(
          exchange -> {
            traceparent.set(exchange.getRequestHeaders().getFirst("traceparent"));
            return 204;
          });
      Delivery delivery = delivery();
      DeliveryTarget webhook = webhook(receiver);
      delivery.register(webhook);
      Period day = world.open(world.board(Contest.rules()));
      world.take(Contest.facts());
      world.settle(day);
      assertThat(delivery.deliverNext(webhook)).isTrue();
    }
    SpanData deliver = span("deliver");
    assertThat(deliver.getTraceId()).isEqualTo(span("closing").getTraceId());
    assertThat(deliver.getParentSpanId()).isEqualTo(span("step pay").getSpanId());
    SpanData post = span("webhook");
    assertThat(children(deliver)).containsExactly("webhook");
    assertThat(traceparent.get())
        .as("sampled; whether its id is random is another flag")
        .matches("00-%s-%s-0[13]".formatted(post.getTraceId(), post.getSpanId()));
  }

  @Test
  void spansAddNoTagsToMetrics() {
    world.settle(world.open(world.board(Contest.rules())));
    assertThat(meters.get("palmares.trace.closing").timer().getId().getTags())
        .extracting(tag -> tag.getKey())
        .containsExactly("error");
  }

  private Delivery delivery() {
    return Outboxes.delivery(500, facts, deliveries, transaction, clock, spans);
  }

  private DeliveryTarget webhook(Receiver receiver) {
    return new WebhookTarget(
        "webhook",
        new WebhookSettings(
            receiver.url(),
            List.of(Receiver.SECRET),
            List.of("localhost"),
            false,
            List.of("period.settled"),
            false,
            null,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10)),
        clock,
        spans);
  }
}
