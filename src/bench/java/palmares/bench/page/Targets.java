package palmares.bench.page;

import static palmares.bench.Figure.Aim.atLeast;
import static palmares.bench.Figure.Aim.atMost;

import java.util.List;
import java.util.OptionalDouble;
import palmares.bench.Figure;
import palmares.bench.Figure.Aim;

/** The figures that have targets. */
final class Targets {
  private record Target(String name, String label, Aim aim) {}

  private static final List<Target> TARGETS =
      List.of(
          new Target("close_over_floor", "closing / floor, 1,000,000 members", atMost(1.35)),
          new Target(
              "postgres_cpu_per_million",
              "core-seconds of PostgreSQL, 1,000,000 members",
              atMost(9)),
          new Target(
              "close_over_former",
              "closing / closing of the former release, 1,000,000 members",
              atMost(.25)),
          new Target("ten_over_one", "closing 10,000,000 / 1,000,000 members", atMost(11)),
          new Target("usual_over_close", "the usual way / closing, 100,000 members", atLeast(60)),
          new Target(
              "postgres_bytes_per_member",
              "bytes a member in PostgreSQL, 1,000,000 members",
              atMost(300)),
          new Target("close_over_floor_small", "closing / floor, 10,000 members", atMost(4)),
          new Target(
              "redis_blocked_ms",
              "Redis blocked by one command, 10,000,000 members, ms",
              atMost(10)),
          new Target("verify_over_close", "verify / closing, 10,000,000 members", atMost(.8)),
          new Target(
              "history_locks_growth", "locks, after a long history / 10 periods", atMost(1.5)),
          new Target("history_time_growth", "time, after a long history / 10 periods", atMost(1.5)),
          new Target("history_rows_growth", "rows read, after a long history / 10", atMost(1.5)),
          new Target("history_memory_growth", "memory, after a long history / 10", atMost(1.5)),
          new Target("history_waits", "locks waited for behind a reader", atMost(0)),
          new Target(
              "single_over_empty", "single events over HTTP / an empty endpoint", atLeast(.6)),
          new Target("single_over_open", "single events / the same without security", atLeast(.97)),
          new Target("committed_over_single", "single events, committed / fast", atLeast(.65)),
          new Target(
              "committed_over_single_128",
              "single events of 128 clients, committed / fast",
              atLeast(.65)),
          new Target("committed_batch_over_batch", "batches, committed / fast", atLeast(.9)),
          new Target("batch_over_bare", "batches / bare pipelined ZINCRBY", atLeast(.3)),
          new Target("batch_over_lock", "batches / the lock recipe", atLeast(10)),
          new Target(
              "read_growth", "queries at 10,000,000 / at 10,000 members, the worst", atMost(3)),
          new Target("small_per_second", "small periods closed a second", atLeast(40)),
          new Target("start_seconds", "cold start to ready, s", atMost(3.5)),
          new Target("nodes_write_ratio", "writes to one board, cluster / one Redis", atLeast(.9)),
          new Target(
              "nodes_quota_ratio",
              "writes to six boards with quotas, three masters / one Redis",
              atLeast(2.5)),
          new Target("nodes_boards_off", "60 boards over three masters, off 20", atMost(8)),
          new Target("nodes_outage_ratio", "outage of a dead master / promotion", atMost(1.5)),
          new Target("nodes_boards_not_back", "boards that did not come back after", atMost(0)),
          new Target("nodes_lost_unnamed", "acknowledged events lost without a name", atMost(0)),
          new Target(
              "nodes_memory_ratio",
              "memory of an idle scheduler, cluster / one Redis",
              atMost(1.1)),
          new Target("nodes_speed_up_2", "closings of two schedulers / of one", atLeast(1.6)),
          new Target("nodes_speed_up_3", "closings of three schedulers / of one", atLeast(2.4)),
          new Target("nodes_share_off_3", "shares of three schedulers, off equal", atMost(.2)),
          new Target("nodes_takeover_seconds", "take-over after kill -9, s", atMost(30)),
          new Target(
              "nodes_slices_processors", "processor seconds, slices / one slice", atMost(1.1)),
          new Target("nodes_slices_differing", "what slices give otherwise", atMost(0)));

  /** Begins the names of a figure that is measured for each size. */
  private static final String RANK_AT = "read_unique_rank_us_";

  private Targets() {}

  static String table(Measurements measured) {
    var table = new Table("measure", "aim", "measured", "");
    for (Target target : TARGETS) {
      OptionalDouble value = find(measured, target.name());
      table.row(
          target.label(),
          Units.number(target.aim().bound()) + (target.aim().most() ? " or less" : " or more"),
          Units.maybe(value, Units::number),
          value.isPresent() ? word(target, value.getAsDouble()) : "not measured");
    }
    return table.toString();
  }

  private static String word(Target target, double value) {
    return new Figure(target.name(), target.label(), value, "", target.aim()).kept()
        ? "kept"
        : "missed";
  }

  /** Finds a figure at the size that its target is for. */
  private static OptionalDouble find(Measurements measured, String name) {
    return switch (name) {
      case "close_over_floor", "postgres_cpu_per_million", "postgres_bytes_per_member" ->
          measured.of(1_000_000, name);
      case "close_over_floor_small" -> measured.of(10_000, "close_over_floor");
      case "usual_over_close" -> measured.of(100_000, name);
      case "redis_blocked_ms", "verify_over_close" -> measured.of(10_000_000, name);
      case "ten_over_one" -> {
        OptionalDouble one = measured.of(1_000_000, "close_seconds");
        OptionalDouble ten = measured.of(10_000_000, "close_seconds");
        yield one.isPresent() && ten.isPresent()
            ? OptionalDouble.of(ten.getAsDouble() / one.getAsDouble())
            : OptionalDouble.empty();
      }
      case "read_growth" ->
          measured.find(RANK_AT + 10_000).isPresent()
                  && measured.find(RANK_AT + 10_000_000).isPresent()
              ? measured.find(name)
              : OptionalDouble.empty();
      default -> measured.find(name);
    };
  }
}
