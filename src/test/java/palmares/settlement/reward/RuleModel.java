package palmares.settlement.reward;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import palmares.settlement.reward.PayoutPlan.RewardPlan;

/**
 * What rules give, worked out member by member in plain Java. Knows the board by what was written
 * into its file, and shares no code with those who read that.
 */
final class RuleModel {
  private final PayoutPlan plan;
  private final List<Entrant> ranked;
  private final String decided;
  private final Map<String, Long> credits = new TreeMap<>();

  private RuleModel(PayoutPlan plan, List<Entrant> entrants, @Nullable String decided) {
    this.plan = plan;
    Comparator<Entrant> best = Comparator.comparing(Entrant::points);
    this.ranked =
        entrants.stream()
            .filter(Entrant::ranked)
            .sorted(plan.fewestWin() ? best : best.reversed())
            .toList();
    this.decided = decided == null ? "share" : decided;
  }

  /** By member, rule and currency. */
  static Map<String, Long> credits(
      PayoutPlan plan, List<Entrant> entrants, @Nullable String decided) {
    var model = new RuleModel(plan, entrants, decided);
    plan.rewards().forEach(model::award);
    return model.credits;
  }

  /**
   * Ties that a rule leaves to a person, as {@code rule points}, where the answer changes a prize.
   */
  static Set<String> held(PayoutPlan plan, List<Entrant> entrants) {
    var held = new TreeSet<String>();
    for (RewardPlan rule : plan.rewards()) {
      var first = new RuleModel(plan, entrants, "each").given(rule);
      for (String answer : rule.holdsTies() ? List.of("share", "order") : List.<String>of()) {
        var other = new RuleModel(plan, entrants, answer).given(rule);
        for (Entrant entrant : entrants) {
          String member = entrant.member();
          if (!first.getOrDefault(member, 0L).equals(other.getOrDefault(member, 0L))) {
            held.add(rule.name() + " " + entrant.points());
          }
        }
      }
    }
    return held;
  }

  private void award(RewardPlan rule) {
    boolean first = plan.match().equals("first");
    given(rule)
        .forEach(
            (member, amount) -> {
              if (amount > 0 && !(first && has(member))) {
                credits.put(member + " " + rule.name() + " " + rule.currency(), amount);
              }
            });
  }

  private Map<String, Long> given(RewardPlan rule) {
    return switch (rule.kind()) {
      case RANKS -> places(rule, rank -> prize(rule, rank), plan.ranks());
      case TOP ->
          places(
              rule,
              place -> share(rule, place),
              plan.ranks().equals("unique") ? "unique" : "competition");
      case POINTS -> each(entrant -> step(rule, entrant));
      case PER -> each(entrant -> entrant.times(rule.action()) * rule.credits());
      case TAKING_PART -> each(entrant -> rule.credits());
    };
  }

  private static long prize(RewardPlan rule, long rank) {
    return rule.prizes().stream()
        .filter(band -> band.from() <= rank && rank <= band.to())
        .mapToLong(PayoutPlan.Prize::credits)
        .sum();
  }

  private Map<String, Long> each(ToLongFunction<Entrant> amount) {
    var given = new TreeMap<String, Long>();
    ranked.stream()
        .filter(this::may)
        .forEach(entrant -> given.put(entrant.member(), amount.applyAsLong(entrant)));
    return given;
  }

  private boolean has(String member) {
    return credits.keySet().stream().anyMatch(key -> key.startsWith(member + " "));
  }

  private boolean may(Entrant entrant) {
    Long least = plan.minPoints();
    boolean enough =
        plan.fewestWin()
            ? least == null || entrant.points() <= least
            : entrant.points() >= (least != null ? least : plan.scoring().equals("add") ? 1 : 0);
    return enough
        && !entrant.excluded()
        && (entrant.registered() || plan.eligible().equals("everybody"));
  }

  private long step(RewardPlan rule, Entrant entrant) {
    long amount = 0;
    for (var step : rule.prizes()) {
      boolean reached =
          plan.fewestWin() ? entrant.points() <= step.to() : entrant.points() >= step.to();
      amount = reached ? step.credits() : amount;
    }
    return amount;
  }

  private long share(RewardPlan rule, long place) {
    long members =
        rule.of().equals("ranked") ? ranked.size() : ranked.stream().filter(this::may).count();
    boolean up = rule.rounding().equals("up");
    for (var band : rule.prizes()) {
      // How many whole members the percentage is, without dividing.
      BigDecimal room = BigDecimal.valueOf(band.to()).multiply(BigDecimal.valueOf(members));
      int room1000 = BigDecimal.valueOf((up ? place - 1 : place) * 1000).compareTo(room);
      if (up ? room1000 < 0 : room1000 <= 0) {
        return band.credits();
      }
    }
    return 0;
  }

  private static boolean areLevel(Entrant one, Entrant other) {
    return one.points() == other.points() && one.then() == other.then();
  }

  private Map<String, Long> places(RewardPlan rule, LongFunction<Long> prize, String method) {
    var given = new TreeMap<String, Long>();
    List<Entrant> queue =
        plan.forfeited().equals("moves-up") ? ranked.stream().filter(this::may).toList() : ranked;
    String way = rule.holdsTies() ? decided : rule.ties();
    long level = 0;
    for (int from = 0, to; from < queue.size(); from = to) {
      to = from + 1;
      while (!method.equals("unique")
          && to < queue.size()
          && areLevel(queue.get(to), queue.get(from))) {
        to++;
      }
      level++;
      long rank = method.equals("dense") ? level : from + 1L;
      long pool = 0;
      for (int i = from; i < to; i++) {
        pool += prize.apply(i + 1L);
      }
      for (int i = from; i < to; i++) {
        boolean more = rule.remainder().equals("first") && i - from < pool % (to - from);
        long amount =
            switch (way) {
              case "each" -> prize.apply(rank);
              case "order" -> prize.apply(i + 1L);
              default -> pool / (to - from) + (more ? 1 : 0);
            };
        if (may(queue.get(i))) {
          given.put(queue.get(i).member(), amount);
        }
      }
    }
    return given;
  }
}
