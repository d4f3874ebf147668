package palmares.settlement.reward;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.reward.PayoutPlan.Kind;
import palmares.settlement.reward.PayoutPlan.Prize;
import palmares.settlement.reward.PayoutPlan.RewardPlan;
import palmares.testing.World;

/** Boards with any payout that a file may say, and anybody on them. */
final class RandomRules {
  private static final int MOST_MEMBERS = 24;

  private final Random random;

  RandomRules(long seed) {
    random = new Random(seed);
  }

  /** A board, and what its file says of its payout. */
  record Planned(Board board, PayoutPlan plan) {}

  /** A board that loads: what is refused is thrown away. */
  Planned board(World world) {
    while (true) {
      String scoring = one("add", "add", "best", "lowest-best");
      String ranks = one("unique", "competition", "dense");
      PayoutPlan plan = payout(scoring, ranks, List.of(Podium.ACTION), 1000);
      try {
        return new Planned(world.board(text(scoring, ranks) + plan.text()), plan);
      } catch (BoardFilesException e) {
        // Such as a rule that could never pay.
      }
    }
  }

  @Nullable Ties decided() {
    return random.nextInt(4) == 0 ? null : one(Ties.EACH, Ties.SHARE, Ties.ORDER);
  }

  List<Entrant> entrants() {
    int many = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(MOST_MEMBERS);
    int levels = 1 + random.nextInt(8);
    var entrants = new ArrayList<Entrant>();
    for (int i = 0; i < many; i++) {
      var entrant = Entrant.of("m" + i, random.nextInt(levels));
      entrant = random.nextInt(8) == 0 ? entrant.stranger() : entrant;
      entrant = random.nextInt(8) == 0 ? entrant.barred() : entrant;
      entrant = entrant.doing(random.nextInt(3), random.nextInt(6) / 5);
      entrants.add(random.nextInt(10) == 0 ? entrant.unranked() : entrant);
    }
    return entrants;
  }

  private static String text(String scoring, String ranks) {
    String text = "title: Random\nperiod: day\nmax-points: 1000\nscoring: %s\nranks: %s\n";
    String action = scoring.equals("add") ? "3" : "{}";
    return text.formatted(scoring, ranks)
        + "actions: { %s: %s }\n".formatted(Podium.ACTION, action);
  }

  /** Rewards and payout of a board. */
  PayoutPlan payout(String scoring, String ranks, List<String> actions, long maxPoints) {
    var rewards = new ArrayList<RewardPlan>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      rewards.add(rule("r" + i, scoring, ranks, actions, maxPoints));
    }
    boolean hasLeast = random.nextInt(4) == 0;
    return new PayoutPlan(
        scoring,
        ranks,
        rewards,
        one("all", "first"),
        one("everybody", "everybody", "registered"),
        one("nobody", "moves-up"),
        hasLeast ? 1 + random.nextLong(Math.min(maxPoints, 5)) : null,
        "none",
        "take",
        Map.of());
  }

  private RewardPlan rule(
      String name, String scoring, String ranks, List<String> actions, long maxPoints) {
    Kind kind =
        switch (random.nextInt(8)) {
          case 0 -> Kind.TAKING_PART;
          case 1 -> Kind.POINTS;
          case 2 -> scoring.equals("add") ? Kind.PER : Kind.TAKING_PART;
          case 3, 4, 5 -> Kind.RANKS;
          default -> Kind.TOP;
        };
    String currency = one("credits", "gems"); // of a name there is only one
    return new RewardPlan(
        name + currency.charAt(0),
        currency,
        kind,
        prizes(kind, scoring, maxPoints),
        actions.get(random.nextInt(actions.size())),
        ranks.equals("unique") ? "each" : one("each", "share", "share", "hold"),
        one("first", "house"),
        one("ranked", "eligible"),
        one("up", "down"));
  }

  private List<Prize> prizes(Kind kind, String scoring, long maxPoints) {
    return switch (kind) {
      case RANKS -> bands();
      case TOP -> prizes(some(1000), false);
      case POINTS -> prizes(some(Math.min(maxPoints, 8)), scoring.equals("lowest-best"));
      case PER, TAKING_PART -> List.of(new Prize(0, 0, prize()));
    };
  }

  private List<Prize> bands() {
    var bands = new ArrayList<Prize>();
    int rank = 0;
    for (int i = random.nextInt(4); i >= 0; i--) {
      int from = rank + 1 + random.nextInt(4) / 3;
      rank = from + random.nextInt(4);
      bands.add(new Prize(from, rank, prize()));
    }
    return bands;
  }

  private TreeSet<Long> some(long most) {
    var some = new TreeSet<Long>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      some.add(1 + random.nextLong(most));
    }
    return some;
  }

  private List<Prize> prizes(TreeSet<Long> steps, boolean mostFirst) {
    return (mostFirst ? steps.descendingSet() : steps)
        .stream().map(to -> new Prize(0, to, prize())).toList();
  }

  private long prize() {
    return 1 + random.nextInt(40);
  }

  @SafeVarargs
  private <T> T one(T... values) {
    return values[random.nextInt(values.length)];
  }
}
