package palmares.platform.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Passes the offsets of a time zone to SQL, which never uses its own: the zone data of PostgreSQL
 * may be of another year than that by which Java has set the boundaries of periods.
 */
public final class ZoneOffsets {
  /** Until then, changes that recur each year are listed. */
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

  private ZoneOffsets() {}

  /** The parameters {@code offsetsFrom}, in seconds since 1970, and {@code offsets}, in seconds. */
  public static Map<String, Object> parameters(ZoneId zone) {
    ZoneRules rules = zone.getRules();
    List<Long> from = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    from.add(Long.MIN_VALUE);
    offsets.add((long) rules.getOffset(Instant.MIN).getTotalSeconds());
    ZoneOffsetTransition next = rules.nextTransition(Instant.MIN);
    while (next != null && next.getInstant().isBefore(END)) {
      from.add(next.toEpochSecond());
      offsets.add((long) next.getOffsetAfter().getTotalSeconds());
      next = rules.nextTransition(next.getInstant());
    }
    return Map.of("offsetsFrom", from, "offsets", offsets);
  }
}
