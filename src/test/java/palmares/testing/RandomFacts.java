package palmares.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import palmares.live.intake.EventOutcome;
import palmares.rules.calendar.Slot;
import palmares.testing.ModelRules.ActionRule;

/** Facts that meet where it is tight: at neighbouring ticks, at both ends of period and points. */
public final class RandomFacts {
  /**
   * Ids that differ where UTF-8, UTF-16, normal forms, or careless code would see no difference.
   */
  private static final List<String> MEMBERS =
      List.of(
          "a",
          "b",
          "B",
          "ab",
          "\uFF5E",
          "\uD83D\uDE00",
          "m\uFF5E",
          "m\uD83D\uDE00",
          "\u00E9",
          "e\u0301",
          "\u202Eabc",
          "{a}",
          "a:b",
          "'--",
          "%s",
          "\uE000");

  /** Resolutions, and the bits that a day takes at them, with its grace. */
  private static final List<Tick> TICKS =
      List.of(
          new Tick("microsecond", Duration.of(1, ChronoUnit.MICROS), 37),
          new Tick("millisecond", Duration.ofMillis(1), 27),
          new Tick("second", Duration.ofSeconds(1), 17),
          new Tick("minute", Duration.ofMinutes(1), 11));

  /** What a million events take. */
  private static final int ARRIVAL_BITS = 20;

  private static final int KEY_BITS = 3;

  private record Tick(String word, Duration length, int dayBits) {}

  private static final List<String> SCORINGS =
      List.of("add", "add", "best", "latest", "lowest-best");
  private static final List<String> ACTIONS = List.of("like", "share", "visit");
  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("UTC"), ZoneId.of("America/New_York"), ZoneId.of("Asia/Kathmandu"));
  private static final Duration DAY_START = Duration.ofMinutes(270);
  private static final List<String> ONCE =
      List.of("event", "subject", "subject-a-day", "day", "period");

  /** Periods, their shortest length, and how many more bits they take than a day. */
  private static final List<Unit> UNITS =
      List.of(
          new Unit("day", 23, 0),
          new Unit("month", 600, 5),
          new Unit("hour", 1, 0),
          new Unit("week", 160, 3),
          new Unit("{ every: 3, unit: days, from: 2026-11-19 }", 70, 2));

  private record Unit(String word, int hours, int moreBits) {}

  private final Random random;
  private final ModelRules rules;
  private final boolean wide;
  private final Unit unit;
  private final Tick tick;
  private final List<Fact> sent = new ArrayList<>();

  /** On a fast board of days or months. */
  public RandomFacts(long seed) {
    this(new Random(seed), 2, false);
  }

  private RandomFacts(Random random, int units, boolean committed) {
    this.random = random;
    wide = random.nextInt(3) == 0;
    unit = UNITS.get(random.nextInt(units));
    tick = TICKS.get(random.nextInt(TICKS.size()));
    boolean arrivals = random.nextInt(4) == 0;
    boolean keyed = random.nextInt(3) == 0;
    String scoring = SCORINGS.get(random.nextInt(SCORINGS.size()));
    long maxPoints = random.nextInt(4) == 0 ? 5 : most(arrivals, keyed);
    var actions = new TreeMap<String, ActionRule>();
    for (String name : ACTIONS.subList(0, 1 + random.nextInt(ACTIONS.size()))) {
      actions.put(name, action(scoring, maxPoints));
    }
    rules =
        new ModelRules(
            ZONES.get(random.nextInt(ZONES.size())),
            random.nextInt(4) > 0 || unit.hours() < 24 ? Duration.ZERO : DAY_START,
            actions,
            maxPoints,
            tick.length(),
            scoring,
            keyed ? (1 << KEY_BITS) - 1 : 0,
            random.nextBoolean(),
            arrivals,
            committed);
  }

  /** On a board with periods and durability of any kind. */
  public static RandomFacts ofAnyBoard(long seed) {
    var random = new Random(seed);
    return new RandomFacts(random, UNITS.size(), random.nextInt(3) == 0);
  }

  private ActionRule action(String scoring, long maxPoints) {
    boolean adds = scoring.equals("add");
    String once =
        random.nextInt(3) == 0 ? ONCE.get(random.nextInt(ONCE.size())) : adds ? "subject" : "event";
    boolean hasDays = unit.hours() >= 24;
    if (!hasDays && once.endsWith("day")) {
      once = "event";
    }
    boolean often = once.equals("event") || once.startsWith("subject");
    long maxPerDay = hasDays && often && random.nextInt(4) == 0 ? 3 : 0;
    long maxPerPeriod = !once.equals("period") && random.nextInt(4) == 0 ? 4 : 0;
    long points = adds ? 1 + random.nextInt(3) : 0;
    long most = adds && often ? maxPoints / points : 1;
    most = maxPerDay > 0 ? Math.min(most, maxPerDay) : most;
    most = maxPerPeriod > 0 ? Math.min(most, maxPerPeriod) : most;
    boolean undo = adds && once.startsWith("subject");
    return new ActionRule(points, undo, most, once, maxPerDay, maxPerPeriod);
  }

  /** The most points that are exact. */
  private long most(boolean arrivals, boolean keyed) {
    int ties = arrivals ? ARRIVAL_BITS : tick.dayBits() + unit.moreBits();
    return (1L << (53 - (wide ? 0 : ties) - (keyed ? KEY_BITS : 0))) - 1;
  }

  public Rules rules() {
    var board =
        Rules.of(unit.word())
            .with("zone: " + rules.zone())
            .with("clock: event")
            .with("durability: " + (rules.committed() ? "committed" : "fast"))
            .with("resolution: " + tick.word())
            .with("scoring: " + rules.scoring())
            .with("layout: " + (wide ? "wide" : "packed"))
            .with("max-points: " + rules.maxPoints());
    var actions = new StringBuilder("actions:");
    rules.actions().forEach((name, each) -> actions.append("\n  ").append(text(name, each)));
    board.with(actions.toString());
    if (!rules.dayStart().isZero()) {
      board.with("starts-at: \"0%d:30\"".formatted(rules.dayStart().toHours()));
    }
    if (rules.maxThen() > 0) {
      board.with(
          "then-by: { name: tries, max: %d, wins: %s }"
              .formatted(rules.maxThen(), rules.fewest() ? "fewest" : "most"));
    }
    return rules.arrivals() ? board.with("tiebreak: arrival").with("max-events: 1000000") : board;
  }

  private String text(String name, ActionRule action) {
    var fields = new ArrayList<String>();
    if (adds()) {
      fields.add("points: " + action.points());
      fields.add("undo: " + action.undo());
      fields.add("max-quantity: " + action.maxQuantity());
    }
    fields.add("once-per: " + action.oncePer());
    if (action.maxPerDay() > 0) {
      fields.add("max-per-day: " + action.maxPerDay());
    }
    if (action.maxPerPeriod() > 0) {
      fields.add("max-per-period: " + action.maxPerPeriod());
    }
    return name + ": { " + String.join(", ", fields) + " }";
  }

  private boolean adds() {
    return rules.scoring().equals("add");
  }

  public boolean arrivals() {
    return rules.arrivals();
  }

  @Override
  public String toString() {
    return rules + (wide ? " wide" : " packed");
  }

  /** What the board goes by. */
  public ModelRules goesBy() {
    return rules;
  }

  public Model model() {
    return new Model(rules);
  }

  public List<Fact> facts(Slot slot, int atMost) {
    var some = new ArrayList<Fact>();
    int count = Math.min(atMost, 1 + random.nextInt(40));
    for (int i = 0; i < count; i++) {
      Fact fact = fact(slot);
      sent.add(fact);
      some.add(fact);
    }
    return some;
  }

  private Fact fact(Slot slot) {
    Instant at = time(slot);
    int kind = sent.isEmpty() ? 9 : random.nextInt(10);
    Fact known = sent.isEmpty() ? Fact.by("a") : sent.get(random.nextInt(sent.size()));
    return switch (kind) {
      case 0 -> known;
      case 1 -> known.again().at(at);
      case 2, 3 -> mayUndo(known) ? undone(known).at(at) : fresh().at(at);
      case 4 -> fresh().at(at).named(random.nextInt(4) == 0 ? known.id() : Fact.by("a").id());
      default -> fresh().at(at);
    };
  }

  private boolean mayUndo(Fact known) {
    return rules.action(known.action()).undo();
  }

  private static Fact undone(Fact known) {
    return (known.subject() == null ? known.on("nothing") : known).undone();
  }

  private Fact fresh() {
    var actions = List.copyOf(rules.actions().keySet());
    Fact fact =
        Fact.by(MEMBERS.get(random.nextInt(MEMBERS.size())))
            .does(actions.get(random.nextInt(actions.size())));
    fact = random.nextInt(3) == 0 ? fact : fact.on("s" + random.nextInt(6));
    fact = adds() ? fact.times(quantity(rules.action(fact.action()))) : fact.with(value());
    return rules.maxThen() > 0 ? fact.then(random.nextLong(rules.maxThen() + 1)) : fact;
  }

  private long quantity(ActionRule action) {
    long most = action.maxQuantity();
    return switch (random.nextInt(8)) {
      case 0 -> most;
      case 1 -> Math.max(1, most - 1 - random.nextInt(3));
      default -> Math.min(most, 1 + random.nextInt(3));
    };
  }

  private long value() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong(rules.maxPoints() + 1);
      case 1 -> rules.maxPoints() - random.nextInt(3);
      default -> random.nextInt(4);
    };
  }

  private Instant time(Slot slot) {
    Instant noon =
        unit.hours() < 24
            ? slot.startsAt().plus(30, ChronoUnit.MINUTES)
            : slot.startsAt()
                .plus(unit.hours() > 24 ? 24 * random.nextInt(3) + 23 : 12, ChronoUnit.HOURS);
    return switch (random.nextInt(8)) {
      case 0 -> slot.startsAt();
      case 1 -> slot.startsAt().plusMillis(1);
      case 2 -> slot.endsAt().minusMillis(1);
      case 3 -> slot.endsAt().minusNanos(1_000);
      case 4 -> noon.plusMillis(random.nextInt(4));
      case 5 -> noon.plus(random.nextInt(4_000), ChronoUnit.MICROS);
      case 6 -> noon.plus(random.nextInt(3), ChronoUnit.MINUTES);
      default -> noon.plusSeconds(random.nextInt(3));
    };
  }

  /** All members of facts. */
  public static List<String> members() {
    return MEMBERS;
  }

  /** An outcome in the model's words. */
  public static String word(EventOutcome outcome) {
    return outcome.kind() == EventOutcome.Kind.REFUSED && outcome.reason() != null
        ? outcome.reason().word()
        : outcome.kind().word();
  }
}
