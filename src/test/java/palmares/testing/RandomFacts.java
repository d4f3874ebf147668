package palmares.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import palmares.live.intake.EventOutcome;
import palmares.rules.calendar.Slot;

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

  /** Resolutions, and the bits that a day and a month take at them, with their grace. */
  private static final List<Tick> TICKS =
      List.of(
          new Tick("microsecond", Duration.of(1, ChronoUnit.MICROS), 37, 42),
          new Tick("millisecond", Duration.ofMillis(1), 27, 32),
          new Tick("second", Duration.ofSeconds(1), 17, 22),
          new Tick("minute", Duration.ofMinutes(1), 11, 16));

  /** What a million events take. */
  private static final int ARRIVAL_BITS = 20;

  private static final int KEY_BITS = 3;

  private record Tick(String word, Duration length, int dayBits, int monthBits) {}

  private static final List<String> SCORINGS =
      List.of("add", "add", "best", "latest", "lowest-best");
  private static final List<String> ONCE =
      List.of("event", "subject", "subject-a-day", "day", "period");

  private final Random random;
  private final ModelRules rules;
  private final boolean wide;
  private final boolean monthly;
  private final Tick tick;
  private final List<Fact> sent = new ArrayList<>();

  public RandomFacts(long seed) {
    random = new Random(seed);
    wide = random.nextInt(3) == 0;
    monthly = random.nextBoolean();
    tick = TICKS.get(random.nextInt(TICKS.size()));
    boolean arrivals = random.nextInt(4) == 0;
    boolean keyed = random.nextInt(3) == 0;
    String scoring = SCORINGS.get(random.nextInt(SCORINGS.size()));
    String once =
        random.nextInt(3) == 0
            ? ONCE.get(random.nextInt(ONCE.size()))
            : scoring.equals("add") ? "subject" : "event";
    boolean often = once.equals("event") || once.startsWith("subject");
    rules =
        new ModelRules(
            ZoneId.of(random.nextBoolean() ? "UTC" : "America/New_York"),
            Map.of("like", 1L),
            random.nextInt(4) == 0 ? 5 : most(arrivals, keyed),
            tick.length(),
            scoring,
            keyed ? (1 << KEY_BITS) - 1 : 0,
            random.nextBoolean(),
            arrivals,
            once,
            often && random.nextInt(4) == 0 ? 3 : 0,
            !once.equals("period") && random.nextInt(4) == 0 ? 4 : 0);
  }

  /** The most points that are exact. */
  private long most(boolean arrivals, boolean keyed) {
    int ties = arrivals ? ARRIVAL_BITS : monthly ? tick.monthBits() : tick.dayBits();
    return (1L << (53 - (wide ? 0 : ties) - (keyed ? KEY_BITS : 0))) - 1;
  }

  public Rules rules() {
    var board =
        Rules.of(monthly ? "month" : "day")
            .with("zone: " + rules.zone())
            .with("clock: event")
            .with("resolution: " + tick.word())
            .with("scoring: " + rules.scoring())
            .with("layout: " + (wide ? "wide" : "packed"))
            .with("max-points: " + rules.maxPoints())
            .with("actions:\n  like: { " + like() + " }");
    if (rules.maxThen() > 0) {
      board.with(
          "then-by: { name: tries, max: %d, wins: %s }"
              .formatted(rules.maxThen(), rules.fewest() ? "fewest" : "most"));
    }
    return rules.arrivals() ? board.with("tiebreak: arrival").with("max-events: 1000000") : board;
  }

  private String like() {
    var fields = new ArrayList<String>();
    if (adds()) {
      fields.add("points: 1");
      fields.add("undo: " + mayUndo());
      fields.add("max-quantity: " + mostAtOnce());
    }
    fields.add("once-per: " + rules.oncePer());
    if (rules.maxPerDay() > 0) {
      fields.add("max-per-day: " + rules.maxPerDay());
    }
    if (rules.maxPerPeriod() > 0) {
      fields.add("max-per-period: " + rules.maxPerPeriod());
    }
    return String.join(", ", fields);
  }

  private boolean adds() {
    return rules.scoring().equals("add");
  }

  private boolean mayUndo() {
    return adds() && rules.oncePer().startsWith("subject");
  }

  private long mostAtOnce() {
    long most = List.of("day", "period").contains(rules.oncePer()) ? 1 : rules.maxPoints();
    most = rules.maxPerDay() > 0 ? Math.min(most, rules.maxPerDay()) : most;
    return rules.maxPerPeriod() > 0 ? Math.min(most, rules.maxPerPeriod()) : most;
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
      case 2, 3 -> mayUndo() ? undone(known).at(at) : fresh().at(at);
      case 4 -> fresh().at(at).named(random.nextInt(4) == 0 ? known.id() : Fact.by("a").id());
      default -> fresh().at(at);
    };
  }

  private static Fact undone(Fact known) {
    return (known.subject() == null ? known.on("nothing") : known).undone();
  }

  private Fact fresh() {
    Fact fact = Fact.by(MEMBERS.get(random.nextInt(MEMBERS.size())));
    fact = random.nextInt(3) == 0 ? fact : fact.on("s" + random.nextInt(6));
    fact = adds() ? fact.times(quantity()) : fact.with(value());
    return rules.maxThen() > 0 ? fact.then(random.nextLong(rules.maxThen() + 1)) : fact;
  }

  private long quantity() {
    long most = mostAtOnce();
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
        slot.startsAt().plus(monthly ? 24 * random.nextInt(3) + 23 : 12, ChronoUnit.HOURS);
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
