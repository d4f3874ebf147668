package palmares.settlement.reward;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import palmares.period.exclusion.ExclusionLevel;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.Slot;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.reward.History.Amend;
import palmares.settlement.reward.History.Begin;
import palmares.settlement.reward.History.Close;
import palmares.settlement.reward.History.Decide;
import palmares.settlement.reward.History.Exclude;
import palmares.settlement.reward.History.Forget;
import palmares.settlement.reward.History.Lift;
import palmares.settlement.reward.History.Look;
import palmares.settlement.reward.History.Register;
import palmares.settlement.reward.History.Send;
import palmares.settlement.reward.History.Step;
import palmares.settlement.reward.History.Wipe;
import palmares.testing.Fact;
import palmares.testing.RandomFacts;
import palmares.testing.World;

/** Makes a history of a seed: its board, and what happens there. */
final class RandomHistory {
  /** Events of a history. */
  static final int EVENTS = 1_000;

  /** How many of them come after the closing of their period. */
  private static final int LATE = 20;

  private static final int MAX_PAYOUTS = 100;
  private static final BoardId ANY_BOARD = new BoardId("any");

  private final long seed;
  private final Random random;
  private final RandomFacts chance;
  private final RandomRules rules;
  private final String ranks;
  private final List<Slot> slots = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private String text = "";

  private RandomHistory(long seed) {
    this.seed = seed;
    random = new Random(seed);
    chance = RandomFacts.ofAnyBoard(seed);
    rules = new RandomRules(random.nextLong());
    ranks = one("unique", "competition", "dense");
  }

  static History of(long seed) {
    return new RandomHistory(seed).made();
  }

  private History made() {
    var board = chance.rules().with("ranks: " + ranks);
    text = (random.nextInt(3) == 0 ? board.with("exclusions: [staff]") : board).text();
    PayoutPlan plan = payout(one("take", "debt", "write-off"));
    Calendar calendar = BoardFiles.parse(ANY_BOARD, text).calendar();
    int periods = 1 + random.nextInt(3);
    Instant at = World.START;
    for (int i = 0; i < periods; i++) {
      slots.add(calendar.at(at).orElseThrow());
      at = slots.get(i).endsAt();
    }
    var open = new ArrayList<Integer>();
    for (int i = 0; i < periods; i++) {
      period(i, EVENTS / periods - LATE, plan);
      if (random.nextInt(6) == 0) {
        open.add(i);
      } else {
        settle(i, plan);
      }
    }
    open.forEach(period -> settle(period, plan));
    return new History(seed, chance, text, plan, List.copyOf(steps));
  }

  /** A payout that loads. */
  private PayoutPlan payout(String owed) {
    for (int i = 0; i < MAX_PAYOUTS; i++) {
      PayoutPlan plan =
          rules.payout(
              chance.goesBy().scoring(),
              ranks,
              List.copyOf(chance.goesBy().actions().keySet()),
              chance.goesBy().maxPoints());
      plan =
          plan.on(
              one("none", "none", "none", "required", "two-person"),
              owed,
              random.nextInt(4) > 0
                  ? Map.of()
                  : Map.of(plan.rewards().get(0).currency(), 20 + random.nextLong(200)));
      try {
        BoardFiles.parse(ANY_BOARD, text + plan.text());
        return plan;
      } catch (BoardFilesException e) {
        // Such as a rule that could never pay.
      }
    }
    throw new AssertionError("seed %d: no payout loads with%n%s".formatted(seed, text));
  }

  private void period(int period, int events, PayoutPlan plan) {
    steps.add(new Begin());
    for (String member : RandomFacts.members()) {
      if (random.nextInt(4) == 0) {
        steps.add(new Register(member, random.nextInt(8) == 0));
      }
    }
    for (int sent = 0; sent < events; ) {
      sent += send(period, events - sent);
      switch (random.nextInt(20)) {
        case 0 -> steps.add(new Wipe());
        case 1, 2 -> steps.add(new Look(period, member()));
        case 3 -> exclude();
        case 4 -> steps.add(new Lift(random.nextInt(8)));
        case 5 -> steps.add(new Register(member(), false));
        case 6 -> correct(random.nextInt(period + 1), plan);
        default -> {}
      }
    }
    steps.add(new Look(period, member()));
  }

  private int send(int period, int atMost) {
    List<Fact> facts = chance.facts(slots.get(period), atMost);
    steps.add(new Send(facts));
    return facts.size();
  }

  private void settle(int period, PayoutPlan plan) {
    steps.add(new Close(period, ties(), random.nextInt(3) == 0));
    send(period, LATE);
    for (int i = random.nextInt(3); i > 0; i--) {
      correct(period, plan);
    }
    steps.add(new Look(period, member()));
  }

  private void correct(int period, PayoutPlan plan) {
    for (int i = random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(8)) {
        case 0, 1 -> exclude();
        case 2 -> steps.add(new Lift(random.nextInt(8)));
        case 3 -> steps.add(new Register(member(), false));
        case 4 -> steps.add(new Forget(member()));
        default -> {
          for (int n = random.nextInt(6); n >= 0; n--) {
            steps.add(new Decide(period, random.nextInt(12), random.nextInt(4) > 0));
          }
        }
      }
    }
    var points = new TreeMap<String, Long>();
    for (int i = random.nextInt(3); i > 0; i--) {
      points.put(member(), random.nextLong(Math.min(chance.goesBy().maxPoints(), 9) + 1));
    }
    PayoutPlan other = random.nextInt(4) == 0 ? payout(plan.owed()) : null;
    steps.add(new Amend(period, points, ties(), other, random.nextInt(5) == 0));
  }

  private void exclude() {
    Instant from = random.nextInt(4) == 0 ? bound() : null;
    steps.add(
        new Exclude(
            member(),
            one(ExclusionLevel.values()),
            one("board", "board", "everywhere", "staff"),
            from,
            from == null && random.nextInt(4) == 0 ? bound() : null));
  }

  /** The end of a period, or a moment before it. */
  private Instant bound() {
    Slot slot = slots.get(random.nextInt(slots.size()));
    return random.nextBoolean() ? slot.endsAt() : slot.endsAt().minusNanos(1_000);
  }

  private String member() {
    return RandomFacts.members().get(random.nextInt(RandomFacts.members().size()));
  }

  private Ties ties() {
    return one(Ties.EACH, Ties.SHARE, Ties.ORDER);
  }

  @SafeVarargs
  private <T> T one(T... values) {
    return values[random.nextInt(values.length)];
  }
}
