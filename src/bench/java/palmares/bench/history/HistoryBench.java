package palmares.bench.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Beans;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.close.ClosingBench;
import palmares.bench.gauge.LockGauge;
import palmares.bench.gauge.LockGauge.LockCounts;
import palmares.bench.gauge.PostgresSessions;
import palmares.bench.history.HistoryFigures.Memory;
import palmares.bench.history.HistoryFigures.Operation;
import palmares.bench.history.HistoryFigures.Work;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.PeriodSeeder;
import palmares.bench.seeding.SeededPeriod;
import palmares.live.board.LiveBoards;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PalmaresReport;
import palmares.period.Period;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/**
 * Closes many periods whose outcomes have own tables. After 1, 10, 100 and so on, it measures one
 * more closing and the reads of one period. A reader of the first period keeps a transaction open;
 * nothing may wait for it.
 */
public final class HistoryBench {
  private static final int LENGTH_FACTOR = 10;
  private static final int PAGE = 20;

  /** How the connections of one operation overlap varies; the most of several hardly does. */
  private static final int LOCK_COUNTS_PER_RUN = 7;

  private final ProgressListener progress;
  private final PeriodSeeder seeder;
  private final Closings closings;
  private final Verification verification;
  private final PalmaresReport palmaresReport;
  private final LiveBoards live;
  private final TransactionTemplate transaction;
  private final JdbcClient jdbc;
  private final Beans beans;
  private final PostgresSessions sessions;
  private int day;

  /**
   * @param beans of an application that uses {@link ClosingBench#board}, the clock, and servers
   *     without other data
   */
  public HistoryBench(Beans beans, SettableClock clock, ProgressListener progress) {
    Board board = beans.get(Catalogue.class).find(ClosingBench.BOARD).orElseThrow();
    this.progress = progress;
    this.seeder = new PeriodSeeder(beans, board, clock, ProgressListener.NONE);
    this.closings = beans.get(Closings.class);
    this.verification = beans.get(Verification.class);
    this.palmaresReport = beans.get(PalmaresReport.class);
    this.live = beans.get(LiveBoards.class);
    this.transaction = beans.get(TransactionTemplate.class);
    this.jdbc = beans.get(JdbcClient.class);
    this.beans = beans;
    this.sessions = new PostgresSessions(beans);
  }

  /**
   * What to measure.
   *
   * @param periods number of periods to close
   * @param members members of each period
   * @param runs measurements of each operation at each length
   */
  public record Plan(int periods, long members, int runs, long seed) {}

  /**
   * Measures at all lengths.
   *
   * @throws WrongResult if a period is not settled, fails verification or shows wrong lines
   */
  public Figures measure(Plan plan) {
    var figures = new HistoryFigures();
    close(seed(plan).period());
    try (var reader = new OpenReader(beans)) {
      reader.readFirst();
      for (int length : lengths(plan.periods())) {
        closeUntil(length, plan);
        measure(length, plan, figures);
        reader.requireOpen();
        figures.words(length).forEach(progress::report);
      }
    }
    return figures.all();
  }

  /** 1, 10, 100 and so on, and the number of all periods. */
  private static TreeSet<Integer> lengths(int periods) {
    var lengths = new TreeSet<Integer>();
    for (long length = 1; length < periods; length *= LENGTH_FACTOR) {
      lengths.add((int) length);
    }
    lengths.add(periods);
    return lengths;
  }

  private void closeUntil(int length, Plan plan) {
    try (Task task = progress.begin("history of " + length, length)) {
      while (day < length) {
        close(seed(plan).period());
        task.at(day);
      }
    }
  }

  private SeededPeriod seed(Plan plan) {
    return seeder.ended(new Crowd(plan.members(), plan.seed(), ++day));
  }

  private void close(Period period) {
    ClosingResult closed = closings.close(period.id(), ClosingCause.of("bench"), step -> {});
    WrongResult.requireSettled(closed);
    live.delete(period, () -> {});
  }

  private void measure(int length, Plan plan, HistoryFigures figures) {
    long old = sessions.maxMemory();
    sessions.replaceAll();
    for (int run = 0; run < plan.runs(); run++) {
      SeededPeriod seeded = seed(plan);
      for (Operation operation : Operation.values()) {
        figures.add(length, operation, time(operation, seeded));
      }
    }
    for (int run = 0; run < LOCK_COUNTS_PER_RUN * plan.runs(); run++) {
      SeededPeriod seeded = seed(plan);
      for (Operation operation : Operation.values()) {
        figures.add(length, operation, count(operation, seeded));
      }
    }
    figures.add(length, new Memory(sessions.maxMemory(), old, sessions.catalogBytes()));
  }

  private Work time(Operation operation, SeededPeriod seeded) {
    Map<String, Long> before = sessions.rowsRead();
    double seconds = Timing.seconds(Timing.time(() -> run(operation, seeded)));
    Map<String, Long> after = sessions.rowsRead();
    after.replaceAll((name, rows) -> rows - before.getOrDefault(name, 0L));
    return new Work(seconds, after);
  }

  private LockCounts count(Operation operation, SeededPeriod seeded) {
    if (operation.isRead()) {
      return transaction.execute(
          status -> {
            run(operation, seeded);
            long locks = ownLocks();
            return new LockCounts(locks, locks, 0, "");
          });
    }
    try (var gauge = new LockGauge(beans)) {
      run(operation, seeded);
      return gauge.end();
    }
  }

  /** The locks of this transaction, which keeps them until it ends. */
  private long ownLocks() {
    return jdbc.sql("select count(*) from pg_locks where pid = pg_backend_pid()")
        .query(Long.class)
        .single();
  }

  private void run(Operation operation, SeededPeriod seeded) {
    Period period = seeded.period();
    switch (operation) {
      case CLOSING -> close(period);
      case VERIFICATION -> verify(period);
      case PAGE ->
          requireLines(
              period,
              palmaresReport.from(period.board(), period.name(), 1, PAGE),
              Math.min(PAGE, seeded.crowd().members()));
      case LINE -> {
        var member = new MemberId(seeded.crowd().member(0));
        requireLines(
            period, palmaresReport.find(period.board(), period.name(), List.of(member)), 1);
      }
    }
  }

  private void verify(Period period) {
    Findings findings = verification.verify(List.of(period.id()));
    WrongResult.requireClean(findings);
  }

  private static void requireLines(Period period, List<FinalLine> lines, long expected) {
    if (lines.size() != expected) {
      throw new WrongResult(
          "%s shows %d lines, not %d".formatted(period.label(), lines.size(), expected));
    }
  }

  /** A transaction that has read the lines and awards of one outcome, and stays open. */
  static final class OpenReader implements AutoCloseable {
    private final Connection connection;

    OpenReader(Beans beans) {
      try {
        connection = beans.get(DataSource.class).getConnection();
        connection.setAutoCommit(false);
      } catch (SQLException e) {
        throw new IllegalStateException("a reader", e);
      }
    }

    /** Reads the first outcome that has own tables. */
    void readFirst() {
      try (Statement statement = connection.createStatement()) {
        // PostgreSQL ends an idle transaction of a session of the pool after ten minutes.
        statement.execute("set local idle_in_transaction_session_timeout = 0");
        statement.execute("select count(*) from standing where outcome = 1");
        statement.execute("select count(*) from award_change where outcome = 1");
      } catch (SQLException e) {
        throw new IllegalStateException("a reader", e);
      }
    }

    /**
     * @throws WrongResult if the transaction has ended, so that nobody could have waited for it
     */
    void requireOpen() {
      try (Statement statement = connection.createStatement()) {
        statement.execute("select 1");
      } catch (SQLException e) {
        throw new WrongResult("the transaction of the open reader has ended: " + e.getMessage());
      }
    }

    @Override
    public void close() {
      try (connection) {
        connection.rollback();
        connection.setAutoCommit(true);
      } catch (SQLException e) {
        throw new IllegalStateException("a reader", e);
      }
    }
  }
}
