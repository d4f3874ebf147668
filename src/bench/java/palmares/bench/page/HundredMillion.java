package palmares.bench.page;

import java.util.Map;
import java.util.OptionalDouble;

/** Computes the machines that a board of a hundred million members needs. */
final class HundredMillion {
  private static final long MEMBERS = 100_000_000;

  /** Bytes of memory of one Redis. */
  private static final double NODE_BYTES = 64e9;

  /**
   * Share of that memory that may be used; a rewrite of the append-only file copies changed pages.
   */
  private static final double USABLE_SHARE = 0.5;

  /** Seconds that the closing may take. */
  private static final double CLOSING_SECONDS = 600;

  private static final double SECONDS_PER_DAY = 86_400;

  /** Events of the busiest hour, as a multiple of the day's mean. */
  private static final double PEAK_FACTOR = 5;

  private final Measurements measured;
  private final Footprint footprint;

  HundredMillion(Measurements measured, Footprint footprint) {
    this.measured = measured;
    this.footprint = footprint;
  }

  /** The values of the template's placeholders. */
  Map<String, String> placeholders() {
    double seconds = measured.growth("close_seconds").at(MEMBERS);
    return Map.of(
        "machines", machines(seconds).toString(),
        "members", Units.count(MEMBERS),
        "events", Units.number(footprint.eventsPerMember()),
        "peak", Units.count(PEAK_FACTOR),
        "redis-member", Units.bytes(footprint.redisPerMember()),
        "redis-event", Units.bytes(footprint.redisPerEvent()),
        "measured-members", Units.count(footprint.members()),
        "closing", Units.seconds(seconds));
  }

  private Table machines(double closing) {
    double redis = footprint.redis(MEMBERS);
    double peak = MEMBERS * footprint.eventsPerMember() / SECONDS_PER_DAY * PEAK_FACTOR;
    OptionalDouble rate = measured.find("batch_per_second");
    return new Table("for", "it takes", "one machine gives", "machines")
        .row(
            "Redis: the live board",
            Units.bytes(redis),
            "%s, half of %s"
                .formatted(Units.bytes(NODE_BYTES * USABLE_SHARE), Units.bytes(NODE_BYTES)),
            machinesFor(redis / (NODE_BYTES * USABLE_SHARE)))
        .row(
            "events, in the busiest hour",
            Units.count(peak) + " a second",
            Units.maybe(rate, value -> Units.count(value) + " a second, in batches"),
            rate.isPresent() ? machinesFor(peak / rate.getAsDouble()) : "not measured")
        .row(
            "the closing, within " + Units.seconds(CLOSING_SECONDS),
            Units.seconds(closing) + " on this machine",
            Units.seconds(CLOSING_SECONDS),
            machinesFor(closing / CLOSING_SECONDS))
        .row(
            "PostgreSQL: each closed period",
            Units.bytes(footprint.postgres(MEMBERS)),
            "the size of its disk",
            "1");
  }

  private static String machinesFor(double parts) {
    return Units.count(Math.max(1, Math.ceil(parts)));
  }
}
