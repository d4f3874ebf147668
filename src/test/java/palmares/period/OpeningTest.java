package palmares.period;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.Slot;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
class OpeningTest {
  private static final int AT_ONCE = 8;
  private static final int DAYS = 50;
  private static final int HOURS = 3_000;

  @Autowired private World world;
  @Autowired private PeriodTimeline timeline;
  @Autowired private Periods periods;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

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

  /** A caller may plan a period that another has opened after the caller found none. */
  @Test
  void theSlotOfAnOpenPeriodIsPlannedAsItIs() {
    Board board = world.board(Rules.day());
    Instant time = Instant.parse("2093-05-05T10:00:00Z");
    Slot planned = timeline.plan(board, time).orElseThrow();
    assertThat(timeline.open(board, time).map(Period::slot)).contains(planned);
    assertThat(timeline.plan(board, time)).contains(planned);
  }

  @Test
  void thePeriodOfATimeIsFoundWithoutReadingAllBeforeIt() {
    servers.addSettled(world.open(world.board(Rules.day())), HOURS);
    servers.sql("analyze period");
    Instant begin = Instant.parse("2020-01-01T00:00:00Z").plus(Duration.ofHours(HOURS));
    Instant end = begin.plus(Duration.ofHours(1));
    transaction.executeWithoutResult(
        status -> {
          long before = rowsRead();
          assertThat(at(begin.minusNanos(1000))).contains("" + (HOURS - 1));
          assertThat(at(begin)).contains("" + HOURS);
          assertThat(at(end.minusNanos(1000))).contains("" + HOURS);
          assertThat(at(end)).isEmpty();
          assertThat(rowsRead() - before).isLessThan(HOURS / 100);
        });
  }

  private Optional<String> at(Instant time) {
    return periods.at(new BoardId("settled"), time).map(period -> period.name().value());
  }

  /** Rows of the table of periods that this connection has read. */
  private long rowsRead() {
    return jdbc.sql(
            """
            select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables
            where relid = 'period'::regclass
            """)
        .query(Long.class)
        .single();
  }
}
