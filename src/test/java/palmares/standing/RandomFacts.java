package palmares.standing;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import palmares.calendar.Slot;
import palmares.intake.Outcome;
import palmares.testing.Fact;
import palmares.testing.Model;
import palmares.testing.Rules;

/** Facts that meet where it is tight: at neighbouring ticks, at both ends of period and points. */
final class RandomFacts {
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

  /** What a day and ten minutes leave of 53 bits: in milliseconds 26, in seconds 36. */
  private static final long MOST_IN_MILLIS = (1L << 26) - 1;

  private static final long MOST_IN_SECONDS = (1L << 36) - 1;

  private final Random random;
  private final boolean seconds;
  private final long most;
  private final List<Fact> told = new ArrayList<>();

  RandomFacts(long seed) {
    random = new Random(seed);
    seconds = random.nextBoolean();
    most = random.nextInt(4) == 0 ? 5 : seconds ? MOST_IN_SECONDS : MOST_IN_MILLIS;
  }

  Rules rules() {
    return Rules.day()
        .with("clock: event")
        .with("resolution: " + (seconds ? "second" : "millisecond"))
        .with("max-points: " + most)
        .with("actions:\n  like: { points: 1, undo: true, max-quantity: " + most + " }");
  }

  Model model() {
    return new Model(Map.of("like", 1L), most, Duration.ofMillis(seconds ? 1000 : 1));
  }

  List<Fact> facts(Slot slot, int atMost) {
    var some = new ArrayList<Fact>();
    int count = Math.min(atMost, 1 + random.nextInt(40));
    for (int i = 0; i < count; i++) {
      Fact fact = fact(slot);
      told.add(fact);
      some.add(fact);
    }
    return some;
  }

  private Fact fact(Slot slot) {
    Instant at = time(slot);
    int kind = told.isEmpty() ? 9 : random.nextInt(10);
    Fact known = told.isEmpty() ? Fact.by("a") : told.get(random.nextInt(told.size()));
    return switch (kind) {
      case 0 -> known;
      case 1 -> known.again().at(at);
      case 2, 3 -> (known.subject() == null ? known.on("nothing") : known).undone().at(at);
      default -> fresh().at(at);
    };
  }

  private Fact fresh() {
    Fact fact = Fact.by(MEMBERS.get(random.nextInt(MEMBERS.size())));
    return (random.nextInt(3) == 0 ? fact : fact.on("s" + random.nextInt(6))).times(quantity());
  }

  private long quantity() {
    return switch (random.nextInt(8)) {
      case 0 -> most;
      case 1 -> Math.max(1, most - 1 - random.nextInt(3));
      default -> Math.min(most, 1 + random.nextInt(3));
    };
  }

  private Instant time(Slot slot) {
    Instant noon = slot.startsAt().plus(12, ChronoUnit.HOURS);
    return switch (random.nextInt(8)) {
      case 0 -> slot.startsAt();
      case 1 -> slot.startsAt().plusMillis(1);
      case 2 -> slot.endsAt().minusMillis(1);
      case 3 -> slot.endsAt().minusNanos(1_000);
      case 4 -> noon.plusMillis(random.nextInt(4));
      case 5 -> noon.plus(random.nextInt(4_000), ChronoUnit.MICROS);
      default -> noon.plusSeconds(random.nextInt(3));
    };
  }

  /** An outcome in the model's words. */
  static String word(Outcome outcome) {
    return outcome.kind() == Outcome.Kind.REFUSED && outcome.reason() != null
        ? outcome.reason().word()
        : outcome.kind().word();
  }
}
