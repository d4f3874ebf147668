package palmares.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.RankMethod;
import palmares.testing.ModelRules.ActionRule;

/**
 * One board in one period, kept in plain maps and sorted by the one order: what Redis and SQL must
 * come to. Shares no code with them.
 */
public final class Model {
  private final ModelRules rules;
  private final Map<String, Fact> taken = new HashMap<>();
  private final Map<List<Object>, Gave> given = new HashMap<>();
  private final Map<List<Object>, Long> counts = new HashMap<>();
  private final Map<String, Held> held = new HashMap<>();
  private long events;

  public Model(ModelRules rules) {
    this.rules = rules;
  }

  public Model(Map<String, Long> worth, long maxPoints, Duration tick) {
    this(ModelRules.adding(worth, maxPoints, tick));
  }

  private Model(Model other) {
    this(other.rules);
    taken.putAll(other.taken);
    given.putAll(other.given);
    counts.putAll(other.counts);
    held.putAll(other.held);
    events = other.events;
  }

  /** Another one of the same content. */
  public Model copy() {
    return new Model(this);
  }

  private record Held(long points, long then, long order, Instant reachedAt) {}

  private record Gave(long points, long then, long count, String day) {}

  /** Takes a fact of this period, and says what becomes of it. */
  public String apply(Fact fact) {
    Fact first = taken.get(fact.id());
    if (first != null) {
      return first.equals(fact) ? "duplicate" : "conflicting-id";
    }
    String word = decide(fact, false);
    boolean counts = !word.startsWith("max-");
    if (counts || rules.committed()) {
      taken.put(fact.id(), fact);
    }
    events += counts ? 1 : 0;
    return word;
  }

  /**
   * What becomes of another fact with the id of one that this period has taken; empty if it has
   * taken none.
   */
  public Optional<String> repeated(Fact fact) {
    return Optional.ofNullable(taken.get(fact.id()))
        .map(first -> first.equals(fact) ? "duplicate" : "conflicting-id");
  }

  /**
   * Counts a fact that came too late, as a person wants it. Other than in time, a value that
   * improves nothing does not use up what counts once.
   *
   * @return what becomes of it; only if it is applied or undone, anything has changed
   */
  public String accept(Fact fact) {
    String word = taken.containsKey(fact.id()) ? "in time" : decide(fact, true);
    if (word.equals("applied") || word.equals("undone")) {
      events++;
    }
    return word;
  }

  private String decide(Fact fact, boolean late) {
    List<Object> actionKey = actionKey(fact);
    if (fact.undo()) {
      Gave gave = given.get(actionKey);
      if (gave == null) {
        return "nothing-to-undo";
      }
      Held before = held.get(fact.member());
      if (before != null && before.points() < gave.points()) {
        return "max-points"; // corrected by hand to fewer
      }
      given.remove(actionKey);
      count(fact, gave.day(), -gave.count());
      add(fact, -gave.points(), -gave.then());
      return "undone";
    }
    String day = day(fact);
    if (actionKey != null && given.containsKey(actionKey)) {
      return "repeated";
    }
    ActionRule action = rules.action(fact.action());
    if (tooMany(ofDay(fact, day), fact, action.maxPerDay())
        || tooMany(ofPeriod(fact), fact, action.maxPerPeriod())) {
      return "capped";
    }
    return rules.scoring().equals("add")
        ? added(fact, actionKey, day)
        : valued(fact, actionKey, day, late);
  }

  private String added(Fact fact, @Nullable List<Object> actionKey, String day) {
    long change = rules.action(fact.action()).points() * fact.quantity();
    long then = Objects.requireNonNullElse(fact.thenBy(), 0L);
    Held before = held.get(fact.member());
    if ((before == null ? 0 : before.points()) + change > rules.maxPoints()) {
      return "max-points";
    }
    if ((before == null ? 0 : before.then()) + then > rules.maxThen()) {
      return "max-then-by";
    }
    remember(fact, actionKey, new Gave(change, then, fact.quantity(), day));
    add(fact, change, then);
    return "applied";
  }

  private String valued(Fact fact, @Nullable List<Object> actionKey, String day, boolean late) {
    var now =
        new Held(
            Objects.requireNonNull(fact.value()),
            Objects.requireNonNullElse(fact.thenBy(), 0L),
            order(fact),
            cut(fact));
    Held before = held.get(fact.member());
    boolean holds =
        before == null
            || (rules.scoring().equals("latest")
                ? now.order() >= before.order()
                : better().compare(now, before) < 0);
    if (holds || !late) {
      remember(fact, actionKey, new Gave(0, 0, fact.quantity(), day));
    }
    if (holds) {
      held.put(fact.member(), now);
    }
    return holds ? "applied" : "not-better";
  }

  private void remember(Fact fact, @Nullable List<Object> actionKey, Gave gave) {
    if (actionKey != null) {
      given.put(actionKey, gave);
    }
    count(fact, gave.day(), gave.count());
  }

  private void add(Fact fact, long points, long then) {
    Held before = held.getOrDefault(fact.member(), new Held(0, 0, order(fact), cut(fact)));
    boolean later = order(fact) > before.order();
    held.put(
        fact.member(),
        new Held(
            before.points() + points,
            before.then() + then,
            later ? order(fact) : before.order(),
            later ? cut(fact) : before.reachedAt()));
  }

  private @Nullable List<Object> actionKey(Fact fact) {
    return switch (rules.action(fact.action()).oncePer()) {
      case "subject" ->
          fact.subject() == null
              ? null
              : List.of(fact.member(), fact.action(), "on", fact.subject());
      case "subject-a-day" ->
          fact.subject() == null
              ? null
              : List.of(fact.member(), fact.action(), "on", fact.subject(), day(fact));
      case "day" -> ofDay(fact, day(fact));
      case "period" -> ofPeriod(fact);
      default -> null;
    };
  }

  private static List<Object> ofDay(Fact fact, String day) {
    return List.of(fact.member(), fact.action(), day);
  }

  private static List<Object> ofPeriod(Fact fact) {
    return List.of(fact.member(), fact.action());
  }

  private boolean tooMany(List<Object> key, Fact fact, long most) {
    return most > 0 && counts.getOrDefault(key, 0L) + fact.quantity() > most;
  }

  private void count(Fact fact, String day, long number) {
    counts.merge(ofDay(fact, day), number, Long::sum);
    counts.merge(ofPeriod(fact), number, Long::sum);
  }

  private String day(Fact fact) {
    return at(fact)
        .atZone(rules.zone())
        .toLocalDateTime()
        .minus(rules.dayStart())
        .toLocalDate()
        .toString();
  }

  private static Instant at(Fact fact) {
    return fact.at() == null ? Instant.EPOCH : fact.at();
  }

  private Instant cut(Fact fact) {
    return cut(at(fact));
  }

  private Instant cut(Instant at) {
    long nanos = (at.getEpochSecond() % 86_400) * 1_000_000_000 + at.getNano();
    return at.minusNanos(nanos % rules.tick().toNanos());
  }

  private long order(Fact fact) {
    return order(cut(fact), events + 1);
  }

  private long order(Instant cut, long arrival) {
    return rules.arrivals() ? arrival : cut.getEpochSecond() * 1_000_000 + cut.getNano() / 1_000;
  }

  public long points(String member) {
    Held held = this.held.get(member);
    return held == null ? 0 : held.points();
  }

  /** How often the member's events of an action count, without undone ones. */
  public long counted(String member, String action) {
    return counts.getOrDefault(List.of(member, action), 0L);
  }

  /** How often the member's events of each action count, without undone ones. */
  public Map<String, Long> counted(String member) {
    return rules.actions().keySet().stream()
        .collect(Collectors.toMap(action -> action, action -> counted(member, action)));
  }

  /** How many events this period has taken. */
  public long events() {
    return events;
  }

  /** How many events of a member this period has taken. */
  public long taken(String member) {
    return taken.values().stream().filter(fact -> fact.member().equals(member)).count();
  }

  public boolean has(String member) {
    return held.containsKey(member);
  }

  /**
   * Gives a member other points by hand; its time stays. One without a line gets the last time.
   *
   * @param end of the period
   */
  public void correct(String member, long corrected, Instant end) {
    events++;
    Instant last = cut(end.minusNanos(1_000));
    Held before = held.getOrDefault(member, new Held(0, 0, order(last, events), last));
    held.put(member, new Held(corrected, before.then(), before.order(), before.reachedAt()));
  }

  private Comparator<Held> level() {
    Comparator<Held> points = Comparator.comparing(Held::points);
    Comparator<Held> then = Comparator.comparing(Held::then);
    return (rules.scoring().equals("lowest-best") ? points : points.reversed())
        .thenComparing(rules.fewest() ? then : then.reversed());
  }

  private Comparator<Held> better() {
    return level().thenComparing(Held::order);
  }

  /** Every member's line: the better first, then the earlier, then the greater id by bytes. */
  public List<Line> lines(RankMethod method) {
    return lines(method, member -> true);
  }

  /** The lines among themselves of those whom it counts. */
  public List<Line> lines(RankMethod method, Predicate<String> counts) {
    var members = new ArrayList<>(held.entrySet());
    members.removeIf(member -> !counts.test(member.getKey()));
    members.sort(
        Map.Entry.<String, Held>comparingByValue(better())
            .thenComparing(line -> utf8(line.getKey()), (a, b) -> Arrays.compareUnsigned(b, a)));
    var lines = new ArrayList<Line>();
    long dense = 0;
    Held above = null;
    for (var member : members) {
      Held own = member.getValue();
      long place = lines.size() + 1;
      boolean tied = above != null && level().compare(above, own) == 0;
      dense += tied ? 0 : 1;
      long rank =
          switch (method) {
            case UNIQUE -> place;
            case COMPETITION -> tied ? lines.get(lines.size() - 1).rank() : place;
            case DENSE -> dense;
          };
      above = own;
      lines.add(new Line(place, rank, member.getKey(), own.points(), own.then(), own.reachedAt()));
    }
    return lines;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
