package palmares.bench.page;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The bytes of a member and of an event, from the largest closing measured.
 *
 * @param members members of that closing
 * @param eventsPerMember mean number of events of a member
 * @param redisPerMember bytes of the live board
 * @param redisPerEvent bytes of the ids that detect repeated events
 * @param postgresPerMember bytes that the closing added
 * @param postgresPerEvent bytes of the journal
 */
record Footprint(
    long members,
    double eventsPerMember,
    double redisPerMember,
    double redisPerEvent,
    double postgresPerMember,
    double postgresPerEvent) {
  private static final List<String> TABLES = List.of("line", "payment");

  static Footprint of(Measurements measured) {
    long members = measured.sizes().last();
    return new Footprint(
        members,
        value(measured, members, "events") / members,
        value(measured, members, "redis_bytes_per_member"),
        value(measured, members, "redis_bytes_per_event"),
        value(measured, members, "postgres_bytes_per_member"),
        value(measured, members, "event_bytes"));
  }

  private static double value(Measurements measured, long members, String name) {
    return measured
        .of(members, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the figures of %s members lack %s: measure them again"
                        .formatted(Units.count(members), name)));
  }

  /** Bytes in Redis while a period of that many members is open. */
  double redis(double members) {
    return members * (redisPerMember + eventsPerMember * redisPerEvent);
  }

  /** Bytes in PostgreSQL of a closed period of that many members. */
  double postgres(double members) {
    return members * (postgresPerMember + eventsPerMember * postgresPerEvent);
  }

  String table(Measurements measured) {
    var table = new Table("where", "a member", "an event");
    table.row("Redis: live board", Units.bytes(redisPerMember), "");
    table.row("Redis: answers by which repeats are known", "", Units.bytes(redisPerEvent));
    table.row("PostgreSQL: journal, with its indexes", "", Units.bytes(postgresPerEvent));
    for (String name : TABLES) {
      OptionalDouble bytes = measured.of(members, name + "_bytes_per_member");
      if (bytes.isPresent()) {
        table.row("PostgreSQL: " + name, Units.bytes(bytes.getAsDouble()), "");
      }
    }
    table.row("PostgreSQL: all that a closing adds", Units.bytes(postgresPerMember), "");
    return table
        + "\nBy the closing of %s members with %s events each; indexes are counted.\n"
            .formatted(Units.count(members), Units.number(eventsPerMember));
  }
}
