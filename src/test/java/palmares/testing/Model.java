package palmares.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palmares.board.RankMethod;

/**
 * One board in one period, kept in plain maps and sorted by the one order: what Redis and SQL must
 * come to. Shares no code with them.
 */
public final class Model {
  private final Map<String, Long> worth;
  private final long maxPoints;
  private final Duration tick;
  private final Set<String> ids = new HashSet<>();
  private final Map<List<String>, Long> given = new HashMap<>();
  private final Map<String, Held> held = new HashMap<>();

  public Model(Map<String, Long> worth, long maxPoints, Duration tick) {
    this.worth = worth;
    this.maxPoints = maxPoints;
    this.tick = tick;
  }

  private record Held(long points, Instant reachedAt) {}

  /** Takes a fact of this period, and says what becomes of it. */
  public String apply(Fact fact) {
    if (ids.contains(fact.id())) {
      return "duplicate";
    }
    var deed = Arrays.asList(fact.member(), fact.action(), fact.subject());
    if (fact.undo()) {
      ids.add(fact.id());
      Long gave = given.remove(deed);
      return gave == null ? "nothing-to-undo" : changed(fact, -gave, "undone");
    }
    if (given.containsKey(deed)) {
      ids.add(fact.id());
      return "repeated";
    }
    long change = worth.getOrDefault(fact.action(), 0L) * fact.quantity();
    if (points(fact.member()) + change > maxPoints) {
      return "max-points";
    }
    ids.add(fact.id());
    if (fact.subject() != null) {
      given.put(deed, change);
    }
    return changed(fact, change, "applied");
  }

  private String changed(Fact fact, long change, String outcome) {
    long nanos = tick.toNanos();
    Instant at = fact.at() == null ? Instant.EPOCH : fact.at();
    long seconds = at.getEpochSecond();
    Instant reached = at.minusNanos(((seconds % 86_400) * 1_000_000_000 + at.getNano()) % nanos);
    Held before = held.get(fact.member());
    held.put(
        fact.member(),
        new Held(
            points(fact.member()) + change,
            before != null && before.reachedAt().isAfter(reached) ? before.reachedAt() : reached));
    return outcome;
  }

  public long points(String member) {
    Held held = this.held.get(member);
    return held == null ? 0 : held.points();
  }

  /** Every member's line: points descending, then the earlier, then the greater id by bytes. */
  public List<Line> lines(RankMethod method) {
    var members = new ArrayList<>(held.entrySet());
    members.sort(
        Comparator.comparing((Map.Entry<String, Held> line) -> -line.getValue().points())
            .thenComparing(line -> line.getValue().reachedAt())
            .thenComparing(line -> utf8(line.getKey()), (a, b) -> Arrays.compareUnsigned(b, a)));
    var lines = new ArrayList<Line>();
    long dense = 0;
    for (var member : members) {
      Held own = member.getValue();
      long place = lines.size() + 1;
      Line above = lines.isEmpty() ? null : lines.get(lines.size() - 1);
      boolean tied = above != null && above.points() == own.points();
      dense += tied ? 0 : 1;
      long rank =
          switch (method) {
            case UNIQUE -> place;
            case COMPETITION -> tied && above != null ? above.rank() : place;
            case DENSE -> dense;
          };
      lines.add(new Line(place, rank, member.getKey(), own.points(), own.reachedAt()));
    }
    return lines;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
