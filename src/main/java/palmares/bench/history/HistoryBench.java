package palmares.bench.history;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Figures;
import palmares.bench.Measured;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.Watcher.Task;
import palmares.bench.WrongResult;
import palmares.bench.close.ClosingBench;
import palmares.bench.crowd.Crowd;
import palmares.bench.crowd.Ground;
import palmares.bench.crowd.Seeding;
import palmares.bench.gauge.LockGauge;
import palmares.bench.gauge.LockGauge.Most;
import palmares.bench.gauge.Sessions;
import palmares.bench.history.HistoryFigures.Memory;
import palmares.bench.history.HistoryFigures.Work;
import palmares.live.board.LiveBoards;
import palmares.operations.report.FinalLine;
import palmares.operations.report.PalmaresReport;
import palmares.period.Period;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/**
 * Closes many periods whose outcomes have tables of their own, and measures at 1, 10, 100 and so on
 * what one more closing and the reads of one period take. A reader of the first period has a
 * transaction open all the time: nothing may wait for it.
 */
public final class HistoryBench {
  private static final int TENFOLD = 10;
  private static final int PAGE = 20;

  private final Watcher watcher;
  private final Seeding seeding;
  private final Closings closings;
  private final Verification verification;
  private final PalmaresReport palmaresReport;
  private final LiveBoards live;
  private final TransactionTemplate transaction;
  private final JdbcClient jdbc;
  private final Parts parts;
  private final Sessions sessions;
  private int day;

  /**
   * @param parts of an application on servers of its own, with {@link ClosingBench#board} and the
   *     clock
   */
  public HistoryBench(Parts parts, SettableClock clock, Watcher watcher) {
    Board board = parts.get(Catalogue.class).find(ClosingBench.BOARD).orElseThrow();
    this.watcher = watcher;
    this.seeding = new Seeding(parts, board, clock, Watcher.SILENT);
    this.closings = parts.get(Closings.class);
    this.verification = parts.get(Verification.class);
    this.palmaresReport = parts.get(PalmaresReport.class);
    this.live = parts.get(LiveBoards.class);
    this.transaction = parts.get(TransactionTemplate.class);
    this.jdbc = parts.get(JdbcClient.class);
    this.parts = parts;
    this.sessions = new Sessions(parts);
  }

  /**
   * What is to be measured.
   *
   * @param periods how many are closed
   * @param members of each of them
   * @param runs how often each act is measured at each length
   */
  public record Plan(int periods, long members, int runs, long seed) {}

  /**
   * Does all of it.
   *
   * @throws WrongResult if a period is not settled, does not verify or shows other lines
   */
  public Figures measure(Plan plan) {
    var figures = new HistoryFigures();
    close(seed(plan).period());
    try (var reader = new OpenReader(parts)) {
      reader.readFirst();
      for (int length : lengths(plan.periods())) {
        closeUntil(length, plan);
        measure(length, plan, figures);
        figures.words(length).forEach(watcher::say);
      }
    }
    return figures.all();
  }

  /** 1, 10, 100 ... and all. */
  private static TreeSet<Integer> lengths(int periods) {
    var lengths = new TreeSet<Integer>();
    for (long length = 1; length < periods; length *= TENFOLD) {
      lengths.add((int) length);
    }
    lengths.add(periods);
    return lengths;
  }

  private void closeUntil(int length, Plan plan) {
    try (Task task = watcher.begin("history of " + length, length)) {
      while (day < length) {
        close(seed(plan).period());
        task.at(day);
      }
    }
  }

  private Ground seed(Plan plan) {
    return seeding.day(new Crowd(plan.members(), plan.seed(), ++day));
  }

  private void close(Period period) {
    ClosingResult closed = closings.close(period.id(), ClosingCause.of("bench"), step -> {});
    if (closed.outcome() != ClosingResult.Outcome.SETTLED) {
      throw new WrongResult(
          "%s was not settled: %s, %s"
              .formatted(period.label(), closed.outcome(), closed.detail()));
    }
    live.delete(period, () -> {});
  }

  private void measure(int length, Plan plan, HistoryFigures figures) {
    long old = sessions.mostMemory();
    sessions.renew();
    for (int run = 0; run < plan.runs(); run++) {
      Ground ground = seed(plan);
      for (Act act : Act.values()) {
        figures.add(length, act, time(act, ground));
      }
    }
    Ground ground = seed(plan);
    for (Act act : Act.values()) {
      figures.add(length, act, count(act, ground));
    }
    figures.add(length, new Memory(sessions.mostMemory(), old, sessions.catalogBytes()));
  }

  private Work time(Act act, Ground ground) {
    Map<String, Long> before = sessions.rowsRead();
    double seconds = Measured.seconds(Measured.time(() -> run(act, ground)));
    Map<String, Long> after = sessions.rowsRead();
    after.replaceAll((name, rows) -> rows - before.getOrDefault(name, 0L));
    return new Work(seconds, after);
  }

  private Most count(Act act, Ground ground) {
    if (act.isRead()) {
      return transaction.execute(
          status -> {
            run(act, ground);
            return new Most(ownLocks(), 0, "");
          });
    }
    try (var gauge = new LockGauge(parts)) {
      run(act, ground);
      return gauge.end();
    }
  }

  /** All that the transaction has taken: none is given back before it ends. */
  private long ownLocks() {
    return jdbc.sql("select count(*) from pg_locks where pid = pg_backend_pid()")
        .query(Long.class)
        .single();
  }

  private void run(Act act, Ground ground) {
    Period period = ground.period();
    switch (act) {
      case CLOSING -> close(period);
      case VERIFICATION -> verify(period);
      case PAGE ->
          requireLines(
              period,
              palmaresReport.from(period.board(), period.name(), 1, PAGE),
              Math.min(PAGE, ground.crowd().members()));
      case LINE -> {
        var member = new MemberId(ground.crowd().member(0));
        requireLines(
            period, palmaresReport.find(period.board(), period.name(), List.of(member)), 1);
      }
    }
  }

  private void verify(Period period) {
    Findings findings = verification.verify(List.of(period.id()));
    if (!findings.clean()) {
      throw new WrongResult("%s does not verify: %s".formatted(period.label(), findings.summary()));
    }
  }

  private static void requireLines(Period period, List<FinalLine> lines, long expected) {
    if (lines.size() != expected) {
      throw new WrongResult(
          "%s shows %d lines, not %d".formatted(period.label(), lines.size(), expected));
    }
  }
}
