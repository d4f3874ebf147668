package palmares.settlement.reward;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.payout.RewardRule.Ties;
import palmares.testing.World;

/** Boards with any payout that a file may say, and anybody on them. */
final class RandomRules {
  private static final int MOST_MEMBERS = 24;

  private final Random random;

  RandomRules(long seed) {
    random = new Random(seed);
  }

  /** A board that loads: what is refused is thrown away. */
  Board board(World world) {
    while (true) {
      try {
        return world.board(text());
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

  private String text() {
    String scoring = one("add", "add", "best", "lowest-best");
    String ranks = one("unique", "competition", "dense");
    var text = new StringBuilder("title: Random\nperiod: day\nmax-points: 1000\n");
    text.append("scoring: ").append(scoring).append("\nranks: ").append(ranks);
    text.append(scoring.equals("add") ? "\nactions: { invite: 3 }" : "\nactions: { invite: {} }");
    return text.append("\n").append(payout(scoring, ranks)).toString();
  }

  /** Rewards and payout of a board, as a file has them. */
  String payout(String scoring, String ranks) {
    var text = new StringBuilder("rewards:\n");
    for (int i = random.nextInt(3); i >= 0; i--) {
      text.append("  - { rule: r").append(i).append(", currency: ").append(one("credits", "gems"));
      text.append(", ").append(rule(scoring, ranks)).append(" }\n");
    }
    text.append("payout: { match: ").append(one("all", "first"));
    text.append(", eligible: ").append(one("everybody", "everybody", "registered"));
    text.append(", forfeited: ").append(one("nobody", "moves-up"));
    text.append(random.nextInt(4) == 0 ? ", min-points: " + (1 + random.nextInt(5)) : "");
    return text.append(" }\n").toString();
  }

  private String rule(String scoring, String ranks) {
    return switch (random.nextInt(8)) {
      case 0 -> "taking-part: " + prize();
      case 1 -> "points: { " + steps(scoring) + " }";
      case 2 ->
          scoring.equals("add") ? "per: invite, credits: " + prize() : "taking-part: " + prize();
      case 3, 4, 5 -> "ranks: { " + bands() + " }" + ties(ranks);
      default ->
          "top: { "
              + shares()
              + " }"
              + ties(ranks)
              + ", of: "
              + one("ranked", "eligible")
              + ", rounding: "
              + one("up", "down");
    };
  }

  private String ties(String ranks) {
    String ties = ranks.equals("unique") ? "each" : one("each", "share", "share", "hold");
    return ties.equals("each")
        ? ""
        : ", ties: %s, remainder: %s".formatted(ties, one("first", "house"));
  }

  private int prize() {
    return 1 + random.nextInt(40);
  }

  private String bands() {
    var bands = new ArrayList<String>();
    int rank = 0;
    for (int i = random.nextInt(4); i >= 0; i--) {
      int from = rank + 1 + random.nextInt(4) / 3;
      rank = from + random.nextInt(4);
      bands.add((from == rank ? "" + from : from + "-" + rank) + ": " + prize());
    }
    return String.join(", ", bands);
  }

  private String shares() {
    var shares = new TreeSet<Integer>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      shares.add(1 + random.nextInt(1000));
    }
    return String.join(
        ", ", shares.stream().map(tenths -> tenths / 10.0 + "%: " + prize()).toList());
  }

  private String steps(String scoring) {
    var steps = new TreeSet<Integer>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      steps.add(1 + random.nextInt(8));
    }
    var easiest = scoring.equals("lowest-best") ? steps.descendingSet() : steps;
    return String.join(", ", easiest.stream().map(points -> points + ": " + prize()).toList());
  }

  @SafeVarargs
  private <T> T one(T... values) {
    return values[random.nextInt(values.length)];
  }
}
