package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import palmares.period.Period;
import palmares.platform.threads.Loops;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** However a closing ends, its period leaves the queue, and the log has one line of it. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class ClosingQueueTest {
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private Closings closings;
  @Autowired private Loops loops;

  @Test
  void aClosingThatFailedCanBeQueuedAgain() throws Exception {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.due(day);
    var queue = new ClosingQueue(closings, loops, new DyingOnce(), false);
    var first = queue.close(List.of(day.id()), ClosingCause.of("test")).get(0);
    assertThat(first).failsWithin(20, TimeUnit.SECONDS);
    var second = queue.close(List.of(day.id()), ClosingCause.of("test")).get(0);
    assertThat(second.get(20, TimeUnit.SECONDS).outcome()).isEqualTo(ClosingResult.Status.SETTLED);
    queue.stop();
  }

  @Test
  void aFailedClosingLogsOneLineAndStoresItsStackWithTheRun(CapturedOutput output) {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    servers.flush();
    long before = output.getAll().lines().count();
    assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.FAILED);
    List<String> said =
        output.getAll().lines().skip(before).filter(line -> !line.isBlank()).toList();
    assertThat(said).hasSize(1);
    assertThat(said.get(0))
        .contains("ERROR", "not settled board=" + day.board(), "nobody is paid", "--stack");
    assertThat(records.words("select stack from run where outcome = 'failed'").get(0))
        .contains("LiveBoardGone", "at palmares.settlement.closing.");
  }

  private static final class DyingOnce extends SimpleMeterRegistry {
    private final AtomicBoolean died = new AtomicBoolean();

    @Override
    protected Timer newTimer(
        Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
      if (died.compareAndSet(false, true)) {
        throw new StackOverflowError();
      }
      return super.newTimer(id, config, pauses);
    }
  }
}
