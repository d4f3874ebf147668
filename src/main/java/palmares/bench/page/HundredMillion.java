package palmares.bench.page;

import java.util.OptionalDouble;

/** How many machines a board of a hundred million members would take, worked out from figures. */
final class HundredMillion {
  private static final long MEMBERS = 100_000_000;

  /** The memory of one Redis. */
  private static final double NODE = 64e9;

  /** What of it may be filled: a rewrite of its file copies what changes meanwhile. */
  private static final double FILLED = 0.5;

  /** How long the closing may take: seconds. */
  private static final double PATIENCE = 600;

  private static final double DAY = 86_400;

  /** How many times the mean of a day comes in its busiest hour. */
  private static final double PEAK = 5;

  private final Measurements measured;
  private final Footprint footprint;

  HundredMillion(Measurements measured, Footprint footprint) {
    this.measured = measured;
    this.footprint = footprint;
  }

  String text() {
    double seconds = measured.growth("close_seconds").at(MEMBERS);
    double redis = footprint.redis(MEMBERS);
    double postgres = footprint.postgres(MEMBERS);
    double peak = MEMBERS * footprint.eventsPerMember() / DAY * PEAK;
    OptionalDouble rate = measured.find("batch_per_second");
    var table = new Table("for", "it takes", "one machine gives", "machines");
    table.row(
        "Redis: the live board",
        Words.bytes(redis),
        "%s, half of %s".formatted(Words.bytes(NODE * FILLED), Words.bytes(NODE)),
        machines(redis / (NODE * FILLED)));
    table.row(
        "events, in the busiest hour",
        Words.count(peak) + " a second",
        Words.maybe(rate, value -> Words.count(value) + " a second, in batches"),
        rate.isPresent() ? machines(peak / rate.getAsDouble()) : "not measured");
    table.row(
        "the closing, within %s".formatted(Words.seconds(PATIENCE)),
        "%s on this machine".formatted(Words.seconds(seconds)),
        Words.seconds(PATIENCE),
        machines(seconds / PATIENCE));
    table.row(
        "PostgreSQL: each closed period", Words.bytes(postgres), "the size of its disk", "1");
    return table + "\n" + reasons(seconds);
  }

  private static String machines(double parts) {
    return Words.count(Math.max(1, Math.ceil(parts)));
  }

  private String reasons(double seconds) {
    return """
        One day of %1$s members, each with %2$s events as measured above. The busiest hour is taken to
        have %3$s times the mean of the day, all of it on one board.

        - **Redis** is bound by memory, not by time: a board is one key, %4$s a member and %5$s for
          each answer that is kept. Half of a machine's memory stays free, since a rewrite of the
          append-only file copies every page that changes meanwhile. What does not fit into one is cut
          by member: each part is a board of its own, with its own hash tag, script and journal.
        - **Events** are bound by the one core that runs scripts, in each Redis by itself: parts add up.
        - **The closing** is bound by PostgreSQL, which writes each line, award, transfer and entry with
          its indexes: from %6$s members on in proportion at least, so %7$s here. Parts of a board close
          side by side on servers of their own; what is left to one of them is to merge the ranks, which
          costs a number for each point total and not a line for each member.
        - **PostgreSQL's disk** grows with periods, not with members alone: what is older than the
          retention goes to the archive.
        """
        .formatted(
            Words.count(MEMBERS),
            Words.number(footprint.eventsPerMember()),
            Words.count(PEAK),
            Words.bytes(footprint.redisPerMember()),
            Words.bytes(footprint.redisPerEvent()),
            Words.count(footprint.members()),
            Words.seconds(seconds));
  }
}
