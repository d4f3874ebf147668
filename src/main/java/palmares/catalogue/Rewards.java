package palmares.catalogue;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.payout.RewardRule;
import palmares.board.Scoring;
import palmares.form.Entry;
import palmares.form.Filled;
import palmares.form.Nearest;

/** Makes a board's reward rules of its file, and checks that they can be paid as they stand. */
final class Rewards {
  private static final BigInteger MOST_PAID = BigInteger.valueOf(Long.MAX_VALUE);

  private final List<Entry<String, Worth>> actions;
  private final @Nullable Long maxPoints;
  private final @Nullable Scoring scoring;
  private final boolean adopted;
  private BigInteger paid = BigInteger.ZERO;

  private Rewards(Filled file) {
    var found = file.find(ActionForm.ACTIONS);
    this.actions = found == null ? List.of() : found;
    this.maxPoints = file.find(ScaleForm.MAX_POINTS);
    this.scoring = file.find(ScaleForm.SCORING);
    this.adopted = file.has(BoardForm.ADOPT);
  }

  /** The rules that are right; faults of the others are noted. */
  static List<RewardRule> read(Filled file) {
    var entries = file.find(BoardForm.REWARDS);
    return entries == null ? List.of() : new Rewards(file).rules(entries, file);
  }

  private List<RewardRule> rules(List<Entry<Integer, Filled>> entries, Filled file) {
    var rules = new ArrayList<RewardRule>();
    var names = new HashSet<String>();
    for (var entry : entries) {
      var filled = entry.value();
      var rule = filled == null || !filled.whole() ? null : rule(filled);
      if (rule != null) {
        rules.add(rule);
        if (!names.add(rule.name())) {
          requireNonNull(filled)
              .spot(BoardForm.RULE)
              .fault("is the name of a rule above: name it otherwise, not " + rule.name());
        }
      }
    }
    if (paid.compareTo(MOST_PAID) > 0) {
      file.spot(BoardForm.REWARDS)
          .fault(
              "could add up to %d credits, more than an account can hold: at most %d"
                  .formatted(paid, MOST_PAID));
    }
    return rules;
  }

  private @Nullable RewardRule rule(Filled filled) {
    var prizes = filled.find(BoardForm.PRIZES);
    var per = filled.find(BoardForm.PER);
    var credits = filled.find(BoardForm.CREDITS);
    var name = filled.get(BoardForm.RULE);
    if (prizes != null && per == null && credits == null) {
      return new RewardRule.RankPrizes(
          name,
          RewardRule.CREDITS,
          bands(prizes),
          RewardRule.Ties.EACH,
          RewardRule.Remainder.FIRST);
    }
    if (prizes == null && per != null && credits != null) {
      return perAction(filled, name, per, credits);
    }
    filled.spot().fault("must have either ranks, or both per and credits");
    return null;
  }

  private List<RewardRule.Band> bands(List<Entry<Ranks, Long>> prizes) {
    var bands = new ArrayList<RewardRule.Band>();
    long lastTaken = 0;
    for (var prize : prizes) {
      var ranks = prize.key();
      var credits = requireNonNull(prize.value());
      if (ranks.from() <= lastTaken) {
        prize
            .spot()
            .fault(
                "begins at rank %d, but the ranks above it go down to %d: put them in order, each"
                        .formatted(ranks.from(), lastTaken)
                    + " rank once");
      }
      lastTaken = ranks.to();
      paid = paid.add(BigInteger.valueOf(credits).multiply(BigInteger.valueOf(ranks.count())));
      bands.add(new RewardRule.Band(ranks.from(), ranks.to(), credits));
    }
    return bands;
  }

  private @Nullable RewardRule perAction(Filled filled, String name, String per, long credits) {
    if (adopted) {
      filled
          .spot(BoardForm.PER)
          .fault("does not go with adopt: nobody sends us the actions, only ranks can be paid");
      return null;
    }
    if (scoring != null && scoring.takesValues()) {
      filled
          .spot(BoardForm.PER)
          .fault(
              "goes only with scoring: add: with %s, better values count, not how many"
                  .formatted(scoring.word()));
      return null;
    }
    var names = actions.stream().map(Entry::key).toList();
    if (!names.isEmpty() && !names.contains(per)) {
      filled
          .spot(BoardForm.PER)
          .fault(
              "must be one of the board's actions (%s), not '%s'%s"
                  .formatted(String.join(", ", names), per, Nearest.hint(per, names)));
      return null;
    }
    actions.stream()
        .filter(action -> action.key().equals(per))
        .map(Entry::value)
        .forEach(worth -> addMost(worth, credits));
    return new RewardRule.PerAction(name, RewardRule.CREDITS, per, credits);
  }

  /** What one member at max-points would be paid, had it come by this action alone. */
  private void addMost(@Nullable Worth worth, long credits) {
    if (worth != null && worth.points() != null && maxPoints != null) {
      var times = BigInteger.valueOf(maxPoints / worth.points());
      paid = paid.add(times.multiply(BigInteger.valueOf(credits)));
    }
  }
}
