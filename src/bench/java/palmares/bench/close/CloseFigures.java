package palmares.bench.close;

import static palmares.bench.Figure.Aim.atLeast;
import static palmares.bench.Figure.Aim.atMost;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;

/** The figures of {@code close}: medians over the runs. */
final class CloseFigures {
  private static final String SECONDS = "close_seconds";
  private static final String FLOOR = "floor_seconds";
  private static final String USUAL = "usual_seconds";
  private static final String VERIFY = "verify_seconds";
  private static final String POSTGRES = "postgres_cpu_seconds";
  private static final String FOOTPRINT = "postgres_bytes_per_member";
  private static final long MILLION = 1_000_000;
  private static final int TEN_TIMES = 10;

  private static final List<Row> ROWS =
      List.of(
          new Row(SECONDS, "closing", "s"),
          new Row("close_members_per_second", "members closed", "a second"),
          new Row("begin_seconds", "  before the first step", "s"),
          new Row("seal_seconds", "  seal", "s"),
          new Row("drain_seconds", "  drain", "s"),
          new Row("fill_seconds", "  fill", "s"),
          new Row("pay_seconds", "  pay", "s"),
          new Row(FLOOR, "floor", "s"),
          new Row("floor_read_seconds", "  read the ZSET", "s"),
          new Row("floor_copy_seconds", "  COPY of lines and payments", "s"),
          new Row("floor_index_seconds", "  their three indexes", "s"),
          new Row(VERIFY, "verify", "s"),
          new Row(USUAL, "the usual way", "s"),
          new Row("fixed_seconds", "closing of an empty board", "s"),
          new Row("jvm_cpu_seconds", "processor time of this process", "s"),
          new Row("postgres_cpu_seconds", "processor time of PostgreSQL", "s"),
          new Row("redis_cpu_seconds", "processor time of Redis", "s"),
          new Row("redis_work_ms", "Redis, the same command alone", "ms"),
          new Row("redis_core_wait_ms", "Redis, longest wait for a core", "ms"),
          new Row("heap_peak_mb", "peak heap, garbage included", "MB"),
          new Row("heap_kept_mb", "heap after a collection", "MB"),
          new Row("events", "events", ""),
          new Row("redis_bytes_per_member", "Redis, of the board", "B a member"),
          new Row("redis_bytes_per_event", "Redis, of answers kept", "B an event"),
          new Row("event_bytes", "PostgreSQL, of the journal", "B an event"),
          new Row("line_bytes_per_member", "  lines, with their indexes", "B a member"),
          new Row("payment_bytes_per_member", "  payments, with their index", "B a member"));

  private final Figures figures = new Figures();
  private final boolean several;
  private final Map<Long, Double> secondsBySize = new LinkedHashMap<>();

  /**
   * @param sizes if there are several, the figures' names end with the size
   */
  CloseFigures(List<Long> sizes) {
    this.several = sizes.size() > 1;
  }

  private record Row(String name, String label, String unit) {}

  /** Adds the readings of all runs of one size. */
  void add(long members, List<Readings> runs) {
    Readings medians = Readings.medians(runs);
    Readings first = runs.get(0);
    secondsBySize.put(members, medians.get(SECONDS));
    hold(
        members,
        "close_over_floor",
        "closing / floor",
        medians,
        SECONDS,
        FLOOR,
        atMost(members < MILLION ? 4 : 1.35));
    if (medians.has(USUAL)) {
      hold(
          members, "usual_over_close", "usual way / closing", medians, USUAL, SECONDS, atLeast(60));
    }
    if (medians.has(VERIFY)) {
      hold(members, "verify_over_close", "verify / closing", medians, VERIFY, SECONDS, atMost(.8));
    }
    holdServers(members, medians);
    add(members, "first_close_seconds", "the first closing", first.get(SECONDS), "s");
    add(members, "first_close_over_floor", "  of the floor", ratio(first, SECONDS, FLOOR), "");
    add(
        members,
        "fixed_percent",
        "closing of an empty board, share of a closing",
        100 * ratio(medians, "fixed_seconds", SECONDS),
        "%");
    for (Row row : ROWS) {
      if (medians.has(row.name())) {
        add(members, row.name(), row.label(), medians.get(row.name()), row.unit());
      }
    }
  }

  /** Adds the figures of PostgreSQL and Redis that have targets. */
  private void holdServers(long members, Readings medians) {
    if (medians.has(POSTGRES)) {
      figures.addWithAim(
          name("postgres_cpu_per_million", members),
          label("core-seconds of PostgreSQL, a million members", members),
          medians.get(POSTGRES) * MILLION / members,
          atMost(9));
    }
    if (medians.has("redis_blocked_ms")) {
      figures.addWithAim(
          name("redis_blocked_ms", members),
          label("Redis blocked by one command, ms", members),
          medians.get("redis_blocked_ms"),
          atMost(10));
    }
    if (medians.has(FOOTPRINT)) {
      figures.addWithAim(
          name(FOOTPRINT, members),
          label("bytes a member in PostgreSQL", members),
          medians.get(FOOTPRINT),
          atMost(300));
    }
  }

  /** All figures, with the growth of time between sizes of which one is ten times the other. */
  Figures all() {
    secondsBySize.forEach(
        (members, seconds) -> {
          Double tenTimes = secondsBySize.get(members * TEN_TIMES);
          if (tenTimes != null) {
            figures.addWithAim(
                several(members) ? "ten_over_one_" + members : "ten_over_one",
                "%,d members / %,d members".formatted(members * TEN_TIMES, members),
                tenTimes / seconds,
                atMost(11));
          }
        });
    return figures;
  }

  /** Whether a larger size also has one ten times as large. */
  private boolean several(long members) {
    return secondsBySize.keySet().stream()
        .anyMatch(larger -> larger > members && secondsBySize.containsKey(larger * TEN_TIMES));
  }

  private void hold(
      long members, String name, String label, Readings read, String over, String under, Aim aim) {
    figures.addWithAim(name(name, members), label(label, members), ratio(read, over, under), aim);
  }

  private void add(long members, String name, String label, double value, String unit) {
    figures.add(name(name, members), label(label, members), value, unit);
  }

  private String name(String name, long members) {
    return several ? name + "_" + members : name;
  }

  private String label(String label, long members) {
    return several ? "%s, %,d members".formatted(label, members) : label;
  }

  private static double ratio(Readings read, String over, String under) {
    return read.get(over) / read.get(under);
  }
}
