package palmares.platform.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Status;
import org.springframework.transaction.TransactionSystemException;

/** A loop survives every failure of its rounds, and logs each change of its state once. */
class LoopsTest {
  private static final Duration MAX_AGE = Duration.ofMinutes(1);
  private static final Duration ONE_MILLISECOND = Duration.ofMillis(1);

  private final AtomicLong nanos = new AtomicLong();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final Loops loops =
      new Loops(metrics, new Loops.Settings(Duration.ofSeconds(30)), nanos::get);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void captureLog() {
    log.start();
    logger().setLevel(Level.INFO); // commands of other tests silence it
    logger().addAppender(log);
  }

  @AfterEach
  void stopCapture() {
    logger().detachAppender(log);
    logger().setLevel(null);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger("palmares.platform.threads");
  }

  @Test
  void aRollbackThatFailedAfterAnOutageIsThatOutage() {
    var rollback = new TransactionSystemException("JDBC rollback failed");
    assertThat(Outages.server(rollback)).isEmpty();
    rollback.initApplicationException(new SQLException("cut off", "08006"));
    assertThat(Outages.server(rollback)).contains("PostgreSQL");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Error.class,
        StackOverflowError.class,
        NullPointerException.class,
        IllegalStateException.class
      })
  void aLoopContinuesAfterARoundThatThrows(Class<? extends Throwable> kind) throws Exception {
    Throwable failure = kind.getDeclaredConstructor().newInstance();
    var rounds = new AtomicInteger();
    LoopThread thread =
        LoopThread.start(
            loops.add("counter", MAX_AGE),
            ONE_MILLISECOND,
            ONE_MILLISECOND,
            () -> {
              if (rounds.incrementAndGet() == 2) {
                LoopsTest.<RuntimeException>raise(failure);
              }
            });
    await().until(() -> rounds.get() >= 5);
    thread.stop(MAX_AGE);
    int last = rounds.get();
    assertThat(thread.execute(rounds::incrementAndGet)).isFalse();
    assertThat(rounds).hasValue(last);
    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0)).startsWith("ERROR counter failed").contains(kind.getSimpleName());
    assertThat(lines().get(1)).isEqualTo("INFO counter works again after 0 s");
  }

  @Test
  void aBackgroundLoopContinuesAfterAnError() {
    var rounds = new AtomicInteger();
    var background =
        new BackgroundLoop(
            loops,
            "counter",
            true,
            shouldContinue -> {
              if (shouldContinue.getAsBoolean() && rounds.incrementAndGet() == 1) {
                throw new StackOverflowError();
              }
            });
    background.start();
    await().until(() -> rounds.get() >= 2);
    background.stop();
    assertThat(loops.health().getStatus()).isEqualTo(Status.UP);
    assertThat(metrics.find("palmares.loop.success.age").gauges()).isEmpty();
  }

  @Test
  void aServerThatDoesNotAnswerMayBeSlowAndIsGivenMoreTime() {
    Loop loop = loops.add("counter", MAX_AGE);
    Runnable failure = failing(new IllegalStateException("no"));
    List<Runnable> rounds =
        List.of(unanswered(), unanswered(), failure, () -> {}, failure, unanswered());
    assertThat(bounds(loop, rounds)).containsExactly(30L, 60L, 120L, 120L, 30L, 30L);
  }

  /** What was refused at once says nothing about the pace of answers. */
  @Test
  void anOutageInWhichNothingWasAwaitedLengthensNoWait() {
    Loop loop = loops.add("counter", MAX_AGE);
    Runnable redis = failing(new RedisAway());
    Runnable noConnection =
        failing(
            new IllegalStateException(
                new SQLTransientConnectionException(
                    "no connection", new SocketTimeoutException("Connect timed out"))));
    List<Runnable> rounds =
        List.of(redis, failing(unavailable()), noConnection, unanswered(), redis);
    assertThat(bounds(loop, rounds)).containsExactly(30L, 30L, 30L, 30L, 60L);
  }

  @Test
  void aWaitGrowsToAQuarterOfAnHourAndALongerOneStaysAsItIs() {
    assertThat(bounds(loops.add("usual", MAX_AGE), Collections.nCopies(9, unanswered())))
        .endsWith(480L, 900L, 900L, 900L, 900L);
    var patient =
        new Loops(metrics, new Loops.Settings(Duration.ofHours(1)), nanos::get)
            .add("patient", MAX_AGE);
    assertThat(bounds(patient, List.of(unanswered(), () -> {}))).containsOnly(3_600L);
  }

  private static final class RedisAway extends RuntimeException implements Outages.ServerOutage {
    @Override
    public String server() {
      return "Redis";
    }
  }

  private static Runnable unanswered() {
    return failing(
        new IllegalStateException(
            new SQLException("no answer", "08006", new SocketTimeoutException("Read timed out"))));
  }

  /** How many seconds each round waits for answers at most. */
  private static List<Long> bounds(Loop loop, List<Runnable> rounds) {
    var bounds = new ArrayList<Long>();
    for (Runnable round : rounds) {
      loop.run(
          () -> {
            bounds.add(Objects.requireNonNull(AnswerTimeouts.bound()).toSeconds());
            round.run();
          });
    }
    return bounds;
  }

  @Test
  void theAgeOfTheLastSuccessIsAMetric() {
    Loop loop = loops.add("counter", MAX_AGE);
    pass(Duration.ofSeconds(30));
    assertThat(age()).isEqualTo(30);
    loop.run(() -> {});
    assertThat(age()).isZero();
    pass(Duration.ofSeconds(7));
    loop.run(failing(new IllegalStateException("no")));
    assertThat(age()).isEqualTo(7);
    loop.progress();
    assertThat(age()).isZero();
  }

  @Test
  void healthNamesTheLoopsWhoseLastSuccessIsTooOld() {
    Loop slow = loops.add("slow", MAX_AGE);
    loops.add("other", Duration.ofHours(1));
    pass(MAX_AGE);
    assertThat(loops.health().getStatus()).isEqualTo(Status.UP);
    pass(Duration.ofSeconds(1));
    assertThat(loops.health().getStatus()).isEqualTo(Status.DOWN);
    assertThat(loops.health().getDetails()).containsOnlyKeys("slow");
    slow.run(() -> {});
    assertThat(loops.health().getStatus()).isEqualTo(Status.UP);
  }

  @Test
  void aClusterLoopIsUnhealthyOnlyIfItFailsOrHangsHere() {
    Loop sweep = loops.shared("sweep", MAX_AGE);
    pass(Duration.ofDays(1));
    assertThat(loops.health().getStatus()).isEqualTo(Status.UP);
    sweep.run(
        () -> {
          assertThat(loops.health().getStatus()).as("begins").isEqualTo(Status.UP);
          pass(MAX_AGE.plusSeconds(1));
          assertThat(loops.health().getStatus()).as("hangs").isEqualTo(Status.DOWN);
        });
    assertThat(loops.health().getStatus()).isEqualTo(Status.UP);
    pass(Duration.ofDays(1));
    sweep.run(failing(new IllegalStateException("no")));
    pass(MAX_AGE.plusSeconds(1));
    assertThat(loops.health().getStatus()).as("fails").isEqualTo(Status.DOWN);
    assertThat(loops.shared("sweep", MAX_AGE)).isSameAs(sweep);
  }

  @Test
  void anOutageOfManyLoopsIsOneLineAtItsStartAndOneAtItsEnd() {
    Loop first = loops.add("first", MAX_AGE);
    Loop second = loops.add("second", MAX_AGE);
    for (int i = 0; i < 60; i++) {
      first.run(failing(unavailable()));
      second.run(failing(unavailable()));
      pass(Duration.ofSeconds(2));
      assertThat(loops.outages().noteRequest(unavailable())).isTrue();
    }
    first.run(() -> {});
    second.run(() -> {});
    assertThat(lines())
        .containsExactly(
            "ERROR PostgreSQL is unavailable: connection refused; retrying with back-off",
            "INFO PostgreSQL is available again after 2 min");
  }

  @Test
  void anOutageEndsWithTheNextSuccessDespiteOtherFailures() {
    Loop loop = loops.add("counter", MAX_AGE);
    loop.run(failing(unavailable()));
    loop.run(failing(new IllegalStateException("the connection is closed")));
    loop.run(() -> {});
    assertThat(lines())
        .hasSize(4)
        .containsOnlyOnce("INFO PostgreSQL is available again after 0 s")
        .containsOnlyOnce("INFO counter works again after 0 s");
    loops.outages().noteRequest(unavailable());
    assertThat(lines()).hasSize(5);
  }

  @Test
  void aRoundFromBeforeTheEndOfAnOutageStartsNoNewOne() {
    Loop first = loops.add("first", MAX_AGE);
    Loop slow = loops.add("slow", MAX_AGE);
    first.run(failing(unavailable()));
    slow.run(
        () -> {
          pass(Duration.ofSeconds(1));
          first.run(() -> {});
          throw unavailable();
        });
    pass(Duration.ofSeconds(1));
    slow.run(() -> {});
    assertThat(lines()).hasSize(2);
    first.run(failing(unavailable()));
    assertThat(lines()).hasSize(3);
  }

  @Test
  void requestsThatMeetAnOutageLogOneLinePerMinute() {
    for (int i = 0; i < 90; i++) {
      loops.outages().noteRequest(unavailable());
      pass(Duration.ofSeconds(1));
    }
    assertThat(lines()).hasSize(2).allMatch(line -> line.contains("failed a request"));
    assertThat(loops.outages().noteRequest(new IllegalStateException("ours"))).isFalse();
  }

  @Test
  void pausesGrowWithEachFailureUpToALimit() {
    Loop loop = loops.add("counter", MAX_AGE);
    Duration usual = Duration.ofSeconds(1);
    Duration max = Duration.ofSeconds(5);
    assertThat(loop.pause(usual, max)).isEqualTo(usual);
    for (int seconds : new int[] {2, 4, 5, 5}) {
      loop.run(failing(unavailable()));
      assertThat(loop.pause(usual, max)).hasSeconds(seconds);
    }
    loop.run(() -> {});
    assertThat(loop.pause(usual, max)).isEqualTo(usual);
  }

  private List<String> lines() {
    return log.list.stream()
        .map(
            event ->
                event.getLevel()
                    + " "
                    + event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                        ? ""
                        : " " + event.getThrowableProxy().getClassName()))
        .filter(line -> !line.startsWith("DEBUG"))
        .toList();
  }

  private double age() {
    return metrics.get("palmares.loop.success.age").tag("loop", "counter").gauge().value();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static Runnable failing(RuntimeException failure) {
    return () -> {
      throw failure;
    };
  }

  private static RuntimeException unavailable() {
    return new IllegalStateException(
        "no connection", new SQLException("connection refused", "08001"));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable failure) throws T {
    throw (T) failure;
  }
}
