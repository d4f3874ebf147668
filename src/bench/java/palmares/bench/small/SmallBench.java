package palmares.bench.small;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Random;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.small.SmallFigures.ClosingCosts;
import palmares.bench.small.SmallFigures.SmallRun;
import palmares.platform.text.Texts;
import palmares.platform.time.SettableClock;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;

/** Measures closings of many small boards. */
public final class SmallBench {
  private final SmallBoards boards;
  private final SmallDays days;
  private final ProgressListener progress;
  private final MeterRegistry metrics;
  private final JdbcClient jdbc;
  private final Verification verification;

  /**
   * @param beans of an application that uses the boards, the clock, and servers without other data
   */
  public SmallBench(
      Beans beans, SmallBoards boards, SettableClock clock, ProgressListener progress) {
    this.boards = boards;
    this.days = new SmallDays(beans, boards, clock);
    this.progress = progress;
    this.metrics = beans.get(MeterRegistry.class);
    this.jdbc = beans.get(JdbcClient.class);
    this.verification = beans.get(Verification.class);
  }

  /**
   * What to measure.
   *
   * @param members members of each board
   * @param runs number of days that are closed
   */
  public record Plan(int members, int runs, long seed) {}

  /**
   * Measures all runs.
   *
   * @throws WrongResult if a period is not settled or fails verification
   */
  public Figures measure(Plan plan) {
    var random = new Random(plan.seed());
    var runs = new ArrayList<SmallRun>();
    for (int run = 1; run <= plan.runs(); run++) {
      runs.add(run(plan.members(), random));
    }
    requireVerified(plan.runs());
    return new SmallFigures(boards.count(), runs).all();
  }

  private SmallRun run(int members, Random random) {
    try (Task task = progress.begin("events", (long) boards.count() * members)) {
      days.fill(members, random, task);
    }
    ClosingCosts before = ClosingCosts.read(metrics, jdbc);
    try (Task task = progress.begin("closings", boards.count())) {
      double seconds = Timing.seconds(Timing.time(() -> days.close(task)));
      return new SmallRun(seconds, ClosingCosts.read(metrics, jdbc).since(before, boards.count()));
    }
  }

  private void requireVerified(int runs) {
    Findings findings = verification.verifySettled(null, null);
    WrongResult.requireClean(findings);
    if (findings.periods() != (long) runs * boards.count()) {
      throw new WrongResult(
          "verification covered too few periods: " + Texts.english(findings.summary()));
    }
    progress.report(Texts.english(findings.summary()));
  }
}
