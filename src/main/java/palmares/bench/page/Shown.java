package palmares.bench.page;

import static palmares.bench.Figure.Aim.atLeast;
import static palmares.bench.Figure.Aim.atMost;

import java.util.List;
import java.util.OptionalDouble;
import palmares.bench.Figure;
import palmares.bench.Figure.Aim;

/** The figures that the program is held to, whoever measures them. */
final class Shown {
  private record Held(String name, String label, Aim aim) {}

  private static final List<Held> HELD =
      List.of(
          new Held("close_over_floor", "closing / floor, 1,000,000 members", atMost(1.5)),
          new Held("usual_over_close", "the usual way / closing, 100,000 members", atLeast(10)),
          new Held(
              "ten_over_one", "closing 10,000,000 / 1,000,000 members, accounts new", atMost(11)),
          new Held(
              "redis_blocked_ms",
              "Redis blocked by one command, 10,000,000 members, ms",
              atMost(10)),
          new Held("single_over_empty", "single events over HTTP / an empty endpoint", atLeast(.5)),
          new Held(
              "batch_over_bare",
              "batches of 1,000 over HTTP / bare `ZINCRBY`, pipelined alike",
              atLeast(.5)),
          new Held("batch_over_raw", "batches of 1,000 over HTTP / the raw script", atLeast(.6)),
          new Held("batch_over_lock", "batches of 1,000 over HTTP / the lock recipe", atLeast(10)),
          new Held(
              "read_growth", "questions at 10,000,000 / at 10,000 members, the worst", atMost(3)),
          new Held("small_per_second", "small periods closed a second", atLeast(20)),
          new Held("start_seconds", "cold start to ready, s", atMost(6)));

  /** Told for each size that was asked. */
  private static final String RANK_AT = "read_unique_rank_us_";

  private Shown() {}

  static String table(Measurements measured) {
    var table = new Table("measure", "aim", "measured", "");
    for (Held held : HELD) {
      OptionalDouble value = find(measured, held.name());
      table.row(
          held.label(),
          Words.number(held.aim().bound()) + (held.aim().most() ? " or less" : " or more"),
          Words.maybe(value, Words::number),
          value.isPresent() ? word(held, value.getAsDouble()) : "not measured");
    }
    return table.toString();
  }

  private static String word(Held held, double value) {
    return new Figure(held.name(), held.label(), value, "", held.aim()).kept() ? "kept" : "missed";
  }

  /** Figures are shown at the size that they are held at. */
  private static OptionalDouble find(Measurements measured, String name) {
    return switch (name) {
      case "close_over_floor" -> measured.of(1_000_000, name);
      case "usual_over_close" -> measured.of(100_000, name);
      case "redis_blocked_ms" -> measured.of(10_000_000, name);
      case "ten_over_one" -> {
        OptionalDouble one = measured.of(1_000_000, "first_close_seconds");
        OptionalDouble ten = measured.of(10_000_000, "first_close_seconds");
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
