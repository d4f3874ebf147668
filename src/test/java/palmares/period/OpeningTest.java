package palmares.period;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.rules.board.Board;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
class OpeningTest {
  private static final int AT_ONCE = 8;
  private static final int DAYS = 50;

  @Autowired private World world;
  @Autowired private PeriodTimeline timeline;

  /** Concurrent first events of a day open one period. */
  @Test
  void concurrentCallersOpenTheSamePeriod() throws Exception {
    Board board = world.board(Rules.day());
    Instant today = Instant.parse("2093-05-05T10:00:00Z");
    ExecutorService many = Executors.newFixedThreadPool(AT_ONCE);
    try {
      for (int day = 0; day < DAYS; day++) {
        Instant time = today.plus(Duration.ofDays(day));
        var together = new CyclicBarrier(AT_ONCE);
        Callable<PeriodId> open =
            () -> {
              together.await();
              return timeline.open(board, time).orElseThrow().id();
            };
        Set<PeriodId> opened = new HashSet<>();
        List<Callable<PeriodId>> all = Collections.nCopies(AT_ONCE, open);
        for (Future<PeriodId> each : many.invokeAll(all)) {
          opened.add(each.get());
        }
        assertThat(opened).as(time.toString()).hasSize(1);
      }
    } finally {
      many.shutdownNow();
    }
  }
}
