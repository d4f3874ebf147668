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
  private static final int TENFOLD = 10;

  private static final List<Told> TOLD =
      List.of(
          new Told(SECONDS, "closing", "s"),
          new Told("close_members_per_second", "members closed", "a second"),
          new Told("begin_seconds", "  before its first step", "s"),
          new Told("seal_seconds", "  seal", "s"),
          new Told("drain_seconds", "  drain", "s"),
          new Told("fill_seconds", "  fill", "s"),
          new Told("pay_seconds", "  pay", "s"),
          new Told(FLOOR, "floor", "s"),
          new Told("floor_read_seconds", "  read the ZSET", "s"),
          new Told("floor_copy_seconds", "  COPY of lines and payments", "s"),
          new Told("floor_index_seconds", "  their three indexes", "s"),
          new Told(VERIFY, "verify", "s"),
          new Told(USUAL, "the usual way", "s"),
          new Told("fixed_seconds", "closing of an empty board", "s"),
          new Told("jvm_cpu_seconds", "processor time of this process", "s"),
          new Told("postgres_cpu_seconds", "processor time of PostgreSQL", "s"),
          new Told("redis_cpu_seconds", "processor time of Redis", "s"),
          new Told("redis_work_ms", "Redis, the same command alone", "ms"),
          new Told("redis_core_wait_ms", "Redis, longest wait for a core", "ms"),
          new Told("heap_peak_mb", "heap, garbage among it", "MB"),
          new Told("heap_kept_mb", "heap after a collection", "MB"),
          new Told("events", "events", ""),
          new Told("redis_bytes_per_member", "Redis, of the board", "B a member"),
          new Told("redis_bytes_per_event", "Redis, of answers kept", "B an event"),
          new Told("event_bytes", "PostgreSQL, of the journal", "B an event"),
          new Told("line_bytes_per_member", "  lines, with their indexes", "B a member"),
          new Told("payment_bytes_per_member", "  payments, with their index", "B a member"));

  private final Figures figures = new Figures();
  private final boolean several;
  private final Map<Long, Double> secondsBySize = new LinkedHashMap<>();

  /**
   * @param sizes if there are several, the figures' names end with the size
   */
  CloseFigures(List<Long> sizes) {
    this.several = sizes.size() > 1;
  }

  private record Told(String name, String label, String unit) {}

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
        atMost(members < MILLION ? 4 : 1.6));
    if (medians.has(USUAL)) {
      hold(
          members, "usual_over_close", "usual way / closing", medians, USUAL, SECONDS, atLeast(60));
    }
    if (medians.has(VERIFY)) {
      hold(members, "verify_over_close", "verify / closing", medians, VERIFY, SECONDS, atMost(1));
    }
    holdServers(members, medians);
    tell(members, "first_close_seconds", "the first closing", first.get(SECONDS), "s");
    tell(members, "first_close_over_floor", "  of the floor", ratio(first, SECONDS, FLOOR), "");
    tell(
        members,
        "fixed_percent",
        "what an empty board takes, of the closing",
        100 * ratio(medians, "fixed_seconds", SECONDS),
        "%");
    for (Told told : TOLD) {
      if (medians.has(told.name())) {
        tell(members, told.name(), told.label(), medians.get(told.name()), told.unit());
      }
    }
  }

  /** Adds the figures of PostgreSQL and Redis that have targets. */
  private void holdServers(long members, Readings medians) {
    if (medians.has(POSTGRES)) {
      figures.hold(
          name("postgres_cpu_per_million", members),
          label("core-seconds of PostgreSQL, a million members", members),
          medians.get(POSTGRES) * MILLION / members,
          atMost(9));
    }
    if (medians.has("redis_blocked_ms")) {
      figures.hold(
          name("redis_blocked_ms", members),
          label("Redis blocked by one command, ms", members),
          medians.get("redis_blocked_ms"),
          atMost(10));
    }
    if (medians.has(FOOTPRINT)) {
      figures.hold(
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
          Double tenfold = secondsBySize.get(members * TENFOLD);
          if (tenfold != null) {
            figures.hold(
                several(members) ? "ten_over_one_" + members : "ten_over_one",
                "%,d members / %,d members".formatted(members * TENFOLD, members),
                tenfold / seconds,
                atMost(11));
          }
        });
    return figures;
  }

  /** Whether a larger size also has one ten times as large. */
  private boolean several(long members) {
    return secondsBySize.keySet().stream()
        .anyMatch(larger -> larger > members && secondsBySize.containsKey(larger * TENFOLD));
  }

  private void hold(
      long members, String name, String label, Readings read, String over, String under, Aim aim) {
    figures.hold(name(name, members), label(label, members), ratio(read, over, under), aim);
  }

  private void tell(long members, String name, String label, double value, String unit) {
    figures.tell(name(name, members), label(label, members), value, unit);
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
