package palmares.bench.nodes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.gauge.CpuGauge;
import palmares.bench.gauge.IdleServers;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.PeriodSeeder;
import palmares.live.board.LiveBoards;
import palmares.period.Period;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;

/** Closes two boards with the same events, one in slices and one as a whole. */
public final class SliceTwins {
  /** Closed by both before anything is measured, on a cold JVM. */
  private static final int WARM_UP_FRACTION = 20;

  /** After those of other measurements, so that time goes on. */
  private static final int FIRST_DAY = 2_000;

  private static final String FILL = "fill";

  private static final String LINES =
      """
      select member, place, coalesce(rank, 0), points, then_by, arrival, reached_at
      from line
      where outcome = %s
      """;

  private static final String PAYMENTS =
      "select member, rule, purpose, amount from payment where outcome = %s";

  private static final String SUMS =
      "select lines, line_sum, payments, payment_sum from revision where id = %s";

  private final Beans sliced;
  private final Beans whole;
  private final Plan plan;
  private final SettableClock clock;
  private final ProgressListener progress;
  private final JdbcClient jdbc;
  private int day = FIRST_DAY;

  /**
   * @param sliced an application that closes the boards in slices
   * @param whole another one on the same servers, that does not
   * @param clock of both
   */
  SliceTwins(Beans sliced, Beans whole, SettableClock clock, Plan plan, ProgressListener progress) {
    this.sliced = sliced;
    this.whole = whole;
    this.plan = plan;
    this.clock = clock;
    this.progress = progress;
    this.jdbc = sliced.get(JdbcClient.class);
  }

  /**
   * What to close.
   *
   * @param members members of both boards
   * @param slices number of slices
   * @param runs days that are closed
   */
  public record Plan(long members, int slices, int runs, long seed) {
    /** The properties of an application that closes in slices, also if the board is small. */
    public Map<String, String> sliced() {
      return properties(members / slices);
    }

    Map<String, String> whole() {
      return properties(Long.MAX_VALUE);
    }

    private Map<String, String> properties(long membersOfSlice) {
      return Map.of(
          "palmares.closing.slice-members",
          "" + membersOfSlice,
          "palmares.history.own-tables-from",
          "" + Math.min(5_000, members));
    }
  }

  /**
   * What a closing used.
   *
   * @param fill processor seconds of the step that fills
   * @param seconds of that step
   */
  private record Cost(double fill, double seconds) {}

  /**
   * Closes both on each day.
   *
   * @throws WrongResult if a period is not settled, or not closed in slices
   */
  void measure(Figures figures) {
    run(plan.members() / WARM_UP_FRACTION + 1, 0);
    var processors = new ArrayList<Double>();
    var time = new ArrayList<Double>();
    var parts = new ArrayList<Cost>();
    long different = 0;
    for (int run = 1; run <= plan.runs(); run++) {
      Twins twins = run(plan.members(), run);
      processors.add(twins.sliced().fill() / twins.whole().fill());
      time.add(twins.sliced().seconds() / twins.whole().seconds());
      parts.add(twins.whole());
      different += twins.different();
    }
    figures
        .addWithAim(
            "nodes_slices_processors",
            "processor seconds to fill in %d slices / in one".formatted(plan.slices()),
            Timing.median(processors),
            Aim.atMost(1.1))
        .add("nodes_slices_time", "  time to fill, likewise", Timing.median(time), "")
        .add(
            "nodes_whole_fill_cpu_seconds",
            "  processor seconds in one slice",
            Timing.median(parts.stream().map(Cost::fill).toList()),
            "s")
        .addWithAim(
            "nodes_slices_differing",
            "lines, payments and checksums that differ",
            different,
            Aim.atMost(0));
  }

  private record Twins(Cost sliced, Cost whole, long different) {}

  private Twins run(long members, int run) {
    var crowd = new Crowd(members, plan.seed(), ++day);
    Period one = seed(NodeBoards.WHOLE, crowd);
    Period other = seed(NodeBoards.SLICED, crowd);
    long before = slices();
    // In an even number of runs, each is first as often as the other.
    Cost first = run % 2 == 0 ? close(whole, one) : close(sliced, other);
    Cost second = run % 2 == 0 ? close(sliced, other) : close(whole, one);
    long closed = slices() - before;
    if (run > 0 && closed != plan.slices()) {
      throw new WrongResult("closed in %d slices, not in %d".formatted(closed, plan.slices()));
    }
    long different = different(outcome(one), outcome(other));
    for (Period period : List.of(one, other)) {
      sliced.get(LiveBoards.class).delete(period, () -> {});
    }
    return run % 2 == 0 ? new Twins(second, first, different) : new Twins(first, second, different);
  }

  private Period seed(BoardId id, Crowd crowd) {
    Board board = sliced.get(Catalogue.class).find(id).orElseThrow();
    return new PeriodSeeder(sliced, board, clock, progress).ended(crowd).period();
  }

  private Cost close(Beans beans, Period period) {
    new IdleServers(beans).await();
    var fill = new FillGauge(new CpuGauge(beans));
    ClosingResult closed =
        beans.get(Closings.class).close(period.id(), ClosingCause.of("bench"), fill::begin);
    WrongResult.requireSettled(closed);
    return fill.cost();
  }

  /** Measures the step that fills. */
  private static final class FillGauge {
    private final CpuGauge cpu;
    private final Map<String, Double> used = new LinkedHashMap<>();
    private long begun;
    private double seconds;

    FillGauge(CpuGauge cpu) {
      this.cpu = cpu;
    }

    /** Begins a step, and ends the one before. */
    void begin(String step) {
      if (step.equals(FILL)) {
        cpu.begin();
        begun = System.nanoTime();
      } else if (begun != 0 && used.isEmpty()) {
        seconds = (System.nanoTime() - begun) / 1e9;
        used.putAll(cpu.end());
      }
    }

    Cost cost() {
      return new Cost(used.values().stream().mapToDouble(n -> n).sum(), seconds);
    }
  }

  private long slices() {
    return jdbc.sql(
            """
            select count(*)
            from batch_step_execution
            where step_name like 'slice % of ' || :slices and status = 'COMPLETED'
            """)
        .param("slices", "" + plan.slices())
        .query(Long.class)
        .single();
  }

  private int outcome(Period period) {
    return jdbc.sql("select id from revision where period_id = :period and revision = 1")
        .param("period", period.id().value())
        .query(Integer.class)
        .single();
  }

  private long different(int one, int other) {
    return List.of(LINES, PAYMENTS, SUMS).stream()
        .mapToLong(rows -> count(rows, one, other) + count(rows, other, one))
        .sum();
  }

  /** Counts the rows of one outcome that another one lacks. */
  private long count(String rows, int one, int other) {
    return jdbc.sql(
            "select count(*) from (%s except all %s) as missing"
                .formatted(rows.formatted(one), rows.formatted(other)))
        .query(Long.class)
        .single();
  }
}
