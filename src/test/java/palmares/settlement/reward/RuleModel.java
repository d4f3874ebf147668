package palmares.settlement.reward;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.PlaceRule;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Remainder;
import palmares.rules.payout.RewardRule.Rounding;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;

/** What rules give, worked out member by member in plain Java. */
final class RuleModel {
  private final Board board;
  private final List<Entrant> ranked;
  private final @Nullable Ties decided;
  private final Map<String, Long> credits = new TreeMap<>();

  private RuleModel(Board board, List<Entrant> entrants, @Nullable Ties decided) {
    this.board = board;
    this.ranked = Podium.ordered(board, entrants).stream().filter(Entrant::ranked).toList();
    this.decided = decided;
  }

  static Map<String, Long> credits(Board board, List<Entrant> entrants, @Nullable Ties decided) {
    var model = new RuleModel(board, entrants, decided);
    board.payout().rules().forEach(model::award);
    return model.credits;
  }

  /**
   * Ties that a rule leaves to a person, as {@code rule points}, where the answer changes a prize.
   */
  static Set<String> held(Board board, List<Entrant> entrants) {
    var held = new TreeSet<String>();
    for (RewardRule rule : board.payout().rules()) {
      var first = new RuleModel(board, entrants, Ties.EACH).given(rule);
      for (Ties answer : rule.holdsTies() ? List.of(Ties.SHARE, Ties.ORDER) : List.<Ties>of()) {
        var other = new RuleModel(board, entrants, answer).given(rule);
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

  /** 0 for who has none. */
  static List<Long> ranks(Board board, List<Entrant> lines) {
    var ranks = new ArrayList<Long>();
    for (int i = 0; i < lines.size(); i++) {
      Entrant line = lines.get(i);
      boolean tied = i > 0 && lines.get(i - 1).points() == line.points();
      if (!line.ranked()) {
        ranks.add(0L);
      } else if (tied && board.ranks() != RankMethod.UNIQUE) {
        ranks.add(ranks.get(i - 1));
      } else {
        ranks.add(board.ranks() == RankMethod.DENSE && i > 0 ? ranks.get(i - 1) + 1 : i + 1L);
      }
    }
    return ranks;
  }

  private void award(RewardRule rule) {
    boolean first = board.payout().match() == Payout.Match.FIRST;
    given(rule)
        .forEach(
            (member, amount) -> {
              if (amount > 0 && !(first && has(member))) {
                credits.put(member + " " + rule.name() + " " + rule.currency(), amount);
              }
            });
  }

  private Map<String, Long> given(RewardRule rule) {
    return rule.accept(new GivenByKind());
  }

  private final class GivenByKind implements RewardRule.Visitor<Map<String, Long>> {
    @Override
    public Map<String, Long> rankPrizes(RankPrizes rule) {
      LongFunction<Long> prize =
          rank ->
              rule.bands().stream()
                  .filter(band -> band.from() <= rank && rank <= band.to())
                  .mapToLong(RewardRule.Band::credits)
                  .sum();
      return places(rule, prize, board.ranks());
    }

    @Override
    public Map<String, Long> topPercent(TopPercent rule) {
      RankMethod method =
          board.ranks() == RankMethod.UNIQUE ? RankMethod.UNIQUE : RankMethod.COMPETITION;
      return places(rule, place -> share(rule, place), method);
    }

    @Override
    public Map<String, Long> milestones(Milestones rule) {
      return each(entrant -> step(rule, entrant));
    }

    @Override
    public Map<String, Long> perAction(PerAction rule) {
      return each(entrant -> (entrant.actions() + entrant.late()) * rule.credits());
    }

    @Override
    public Map<String, Long> takingPart(TakingPart rule) {
      return each(entrant -> rule.credits());
    }
  }

  private Map<String, Long> each(ToLongFunction<Entrant> credits) {
    var given = new TreeMap<String, Long>();
    ranked.stream()
        .filter(this::may)
        .forEach(entrant -> given.put(entrant.member(), credits.applyAsLong(entrant)));
    return given;
  }

  private boolean has(String member) {
    return credits.keySet().stream().anyMatch(key -> key.startsWith(member + " "));
  }

  private boolean may(Entrant entrant) {
    Payout payout = board.payout();
    Long least = payout.minPoints();
    boolean enough =
        board.scale().scoring().fewestWin()
            ? least == null || entrant.points() <= least
            : entrant.points()
                >= (least != null ? least : board.scale().scoring().takesValues() ? 0 : 1);
    return enough
        && !entrant.excluded()
        && (entrant.registered() || payout.eligible() == Payout.Eligible.EVERYBODY);
  }

  private long step(Milestones rule, Entrant entrant) {
    long credits = 0;
    for (var step : rule.steps()) {
      boolean reached =
          board.scale().scoring().fewestWin()
              ? entrant.points() <= step.points()
              : entrant.points() >= step.points();
      credits = reached ? step.credits() : credits;
    }
    return credits;
  }

  private long share(TopPercent rule, long place) {
    long members =
        rule.of() == Denominator.RANKED ? ranked.size() : ranked.stream().filter(this::may).count();
    for (var band : rule.bands()) {
      // How many whole members the percentage is, without dividing.
      BigDecimal room = band.percent().multiply(BigDecimal.valueOf(members));
      long counted = rule.rounding() == Rounding.UP ? place - 1 : place;
      int room100 = BigDecimal.valueOf(counted * 100).compareTo(room);
      if (rule.rounding() == Rounding.UP ? room100 < 0 : room100 <= 0) {
        return band.credits();
      }
    }
    return 0;
  }

  private Map<String, Long> places(PlaceRule rule, LongFunction<Long> prize, RankMethod method) {
    var given = new TreeMap<String, Long>();
    List<Entrant> queue =
        board.payout().forfeited() == Payout.Forfeited.MOVES_UP
            ? ranked.stream().filter(this::may).toList()
            : ranked;
    Ties way = rule.holdsTies() ? decided == null ? Ties.SHARE : decided : rule.ties();
    long level = 0;
    for (int from = 0, to; from < queue.size(); from = to) {
      to = from + 1;
      while (method != RankMethod.UNIQUE
          && to < queue.size()
          && queue.get(to).points() == queue.get(from).points()) {
        to++;
      }
      level++;
      long rank = method == RankMethod.DENSE ? level : from + 1L;
      long pool = 0;
      for (int i = from; i < to; i++) {
        pool += prize.apply(i + 1L);
      }
      for (int i = from; i < to; i++) {
        boolean more = rule.remainder() == Remainder.FIRST && i - from < pool % (to - from);
        long amount =
            switch (way) {
              case EACH -> prize.apply(rank);
              case ORDER -> prize.apply(i + 1L);
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
