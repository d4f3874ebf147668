package palmares.settlement.closing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.platform.bulk.ParallelRunner;
import palmares.platform.threads.LogContext;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The log lines of a closing say what they are about, on each of its threads. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class LogFieldsTest {
  @Autowired private World world;
  @Autowired private Records records;

  private final Logger logger = (Logger) LoggerFactory.getLogger(ClosingResults.class);

  /** Commands, which other tests call in this process, turn it off. */
  @BeforeEach
  void logAsAServer() {
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void logAsBefore() {
    logger.setLevel(null);
  }

  private Period contest() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    return day;
  }

  @Test
  void theConsoleNamesBoardPeriodAndRun(CapturedOutput output) {
    Period day = world.settle(contest());
    long run = records.number("select id from run");
    assertThat(output.getAll())
        .containsPattern(
            (".* INFO .*\\[%s\\] \\[%s\\] \\[%d\\] .*: settled board=%1$s period=%2$s members=5"
                    + " awards=6 paid=\\{credits=1680} duration=\\d+\\.\\d{3}\n")
                .formatted(day.board(), day.name(), run));
    assertThat(MDC.getCopyOfContextMap()).as("nothing is left").isNullOrEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ecs", "logstash"})
  void structuredFormatsHaveTheFields(String format) {
    var bytes = new ByteArrayOutputStream();
    OutputStreamAppender<ILoggingEvent> appender = structured(format, bytes);
    logger.addAppender(appender);
    Period day;
    try {
      day = world.settle(contest());
    } finally {
      logger.detachAppender(appender);
    }
    JsonNode line = JsonMapper.shared().readTree(bytes.toString(UTF_8));
    assertThat(line.get("message").asString()).startsWith("settled board=" + day.board());
    assertThat(line.get("node").asString()).isEqualTo(Lease.THIS_PROCESS);
    assertThat(line.get("board").asString()).isEqualTo(day.board().value());
    assertThat(line.get("period").asString()).isEqualTo(day.name().value());
    assertThat(line.get("run").asLong()).isEqualTo(records.number("select id from run"));
    assertThat(line.get("members").asLong()).isEqualTo(5);
    assertThat(line.get("awards").asLong()).isEqualTo(6);
    assertThat(line.get("paid").get("credits").asLong()).isEqualTo(1680);
    assertThat(line.get("duration").isNumber()).isTrue();
  }

  /** As Spring Boot does for logging.structured.format.console. */
  private OutputStreamAppender<ILoggingEvent> structured(
      String format, ByteArrayOutputStream bytes) {
    LoggerContext context = logger.getLoggerContext();
    var encoder = new StructuredLogEncoder();
    encoder.setContext(context);
    encoder.setFormat(format);
    encoder.start();
    var appender = new OutputStreamAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.setOutputStream(bytes);
    appender.start();
    return appender;
  }

  @Test
  void workOnOtherThreadsHasTheFieldsOfTheOneThatStartedIt() throws Exception {
    Map<String, String> seen = new ConcurrentHashMap<>();
    var both = new CountDownLatch(2);
    Runnable task =
        () -> {
          both.countDown();
          seen.put(Thread.currentThread().getName(), String.valueOf(MDC.get("board")));
          try {
            both.await(20, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    try (var context = LogContext.of(LogContext.BOARD, "invites")) {
      ParallelRunner.run(List.of(task, task));
      assertThat(
              CompletableFuture.supplyAsync(
                      LogContext.wrap(() -> context.toString() + MDC.get("board")))
                  .get(20, TimeUnit.SECONDS))
          .endsWith("invites");
    }
    assertThat(seen).hasSize(2).doesNotContainKey(Thread.currentThread().getName());
    assertThat(seen.values()).containsOnly("invites");
    assertThat(MDC.get("board")).isNull();
  }

  @Test
  void aFieldThatIsSetTwiceGetsItsFormerValueBack() {
    try (var outer = LogContext.of(LogContext.BOARD, "outer").and(LogContext.RUN, 1)) {
      try (var inner = LogContext.of(LogContext.BOARD, "inner").and(LogContext.BOARD, "third")) {
        assertThat(MDC.get("board")).as("%s", inner).isEqualTo("third");
      }
      assertThat(MDC.get("board")).as("%s", outer).isEqualTo("outer");
      assertThat(MDC.get("run")).isEqualTo("1");
    }
    assertThat(MDC.get("run")).isNull();
  }
}
