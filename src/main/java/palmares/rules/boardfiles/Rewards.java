package palmares.rules.boardfiles;

import static java.util.Objects.requireNonNull;
import static palmares.platform.form.Field.optional;
import static palmares.platform.form.Field.required;
import static palmares.platform.form.Scalar.MAX_SAFE_INTEGER;
import static palmares.platform.form.Scalar.choice;
import static palmares.platform.form.Scalar.name;
import static palmares.platform.form.Scalar.text;
import static palmares.platform.form.Scalar.whole;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.form.FormValue;
import palmares.platform.form.Location;
import palmares.platform.form.Scalar;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.SchemaNode.ListNode;
import palmares.platform.form.SchemaNode.MapNode;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.rules.payout.Payout.Match;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Band;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.Remainder;
import palmares.rules.payout.RewardRule.Rounding;
import palmares.rules.payout.RewardRule.Share;
import palmares.rules.payout.RewardRule.Step;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;

/**
 * Reads the reward rules of a board file, checks that each can pay somebody and be paid, and
 * describes them.
 */
final class Rewards {
  static final String REFUSED = "refused";

  static final Field<String> RULE = required("rule", name(new BoardFieldSentences.RuleName()));
  static final Field<String> CURRENCY =
      optional("currency", name(new BoardFieldSentences.Currency()), RewardRule.CREDITS);
  static final Field<List<Entry<RankRange, Long>>> RANKS =
      optional(
          "ranks",
          new MapNode<>(
              new BoardFieldSentences.CreditsByRank(),
              RankRange.scalar(),
              whole(1, MAX_SAFE_INTEGER)));
  static final Field<List<Entry<BigDecimal, Long>>> TOP =
      optional(
          "top",
          new MapNode<>(
              new BoardFieldSentences.CreditsByPercent(),
              Percent.scalar(new BoardFieldSentences.Percentage()),
              whole(1, MAX_SAFE_INTEGER)));
  static final Field<List<Entry<Long, Long>>> POINTS =
      optional(
          "points",
          new MapNode<>(
              new BoardFieldSentences.CreditsByPoints(), points(), whole(1, MAX_SAFE_INTEGER)));
  static final Field<String> PER = optional("per", name(new BoardFieldSentences.ActionName()));
  static final Field<Long> CREDITS = optional("credits", whole(1, MAX_SAFE_INTEGER));
  static final Field<Long> TAKING_PART = optional("taking-part", whole(1, MAX_SAFE_INTEGER));
  static final Field<Ties> TIES =
      optional("ties", choice(List.of(Ties.EACH, Ties.SHARE, Ties.HOLD), Choice::word), "each");
  static final Field<Remainder> REMAINDER =
      optional("remainder", choice(Remainder.values()), "first");
  static final Field<Denominator> OF = optional("of", choice(Denominator.values()), "ranked");
  static final Field<Rounding> ROUNDING = optional("rounding", choice(Rounding.values()), "up");
  static final Field<String> GAPS =
      optional("gaps", choice(List.of(REFUSED, "allowed"), word -> word), "allowed");

  static final Form REWARD =
      new Form(
          new BoardFieldSentences.Rule(),
          List.of(
              RULE,
              CURRENCY,
              RANKS,
              TOP,
              POINTS,
              PER,
              CREDITS,
              TAKING_PART,
              TIES,
              REMAINDER,
              OF,
              ROUNDING,
              GAPS));

  static final Field<List<Entry<Integer, FormValue>>> REWARDS =
      optional("rewards", new ListNode<>(new BoardFieldSentences.Rules(), REWARD));

  private static Scalar<Long> points() {
    return text(
        new BoardFieldSentences.Points(),
        "[1-9]\\d{0,15}",
        text -> Long.parseLong(text) <= MAX_SAFE_INTEGER ? Long.parseLong(text) : null);
  }

  /** The field that says what a rule pays for; a rule has exactly one of them. */
  private enum Basis {
    RANKS(Rewards.RANKS),
    TOP(Rewards.TOP),
    POINTS(Rewards.POINTS),
    PER(Rewards.PER),
    TAKING_PART(Rewards.TAKING_PART);

    private final Field<?> field;

    Basis(Field<?> field) {
      this.field = field;
    }

    static List<String> names(List<Basis> bases) {
      return bases.stream().map(basis -> basis.field.name()).toList();
    }
  }

  private final PayoutContext context;
  private final Match match;
  private final @Nullable Long minPoints;
  private final @Nullable String counts;
  private final List<RewardRule> rules = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /** The first rule that pays every member; no rule after it can pay with match: first. */
  private @Nullable String paysEverybody;

  Rewards(PayoutContext context, Match match, @Nullable Long minPoints, @Nullable String counts) {
    this.context = context;
    this.match = match;
    this.minPoints = minPoints;
    this.counts = counts;
  }

  /**
   * Returns the valid rules, and records the faults of the others.
   *
   * @param location of all rules
   */
  List<RewardRule> read(Location location, List<Entry<Integer, FormValue>> entries) {
    for (var entry : entries) {
      FormValue form = entry.value();
      RewardRule rule = form == null || !form.isValid() ? null : rule(form);
      if (form != null && rule != null) {
        check(form, rule);
        rules.add(rule);
      }
    }
    checkThatAccountsCanHold(location);
    return rules;
  }

  private void checkThatAccountsCanHold(Location location) {
    var worst = new WorstCase(context);
    var sums = new LinkedHashMap<String, BigInteger>();
    rules.forEach(rule -> sums.merge(rule.currency(), rule.accept(worst), BigInteger::add));
    sums.forEach(
        (currency, sum) -> {
          if (sum.compareTo(BigInteger.valueOf(Long.MAX_VALUE)) > 0) {
            location.fault(
                new BoardFileSentences.TooMuchToHold(
                    sum, currency, WorstCase.MEMBERS, Long.MAX_VALUE));
          }
        });
  }

  private @Nullable RewardRule rule(FormValue form) {
    List<Basis> bases = Stream.of(Basis.values()).filter(basis -> form.has(basis.field)).toList();
    if (bases.size() != 1) {
      form.location()
          .fault(
              bases.isEmpty()
                  ? new BoardFileSentences.NoBasis()
                  : new BoardFileSentences.SeveralBases(Basis.names(bases)));
      return null;
    }
    Basis basis = bases.get(0);
    if (!isAllowed(form, basis)) {
      return null;
    }
    return switch (basis) {
      case RANKS -> rankPrizes(form);
      case TOP -> topPercent(form);
      case POINTS -> milestones(form);
      case PER -> perAction(form);
      case TAKING_PART -> new TakingPart(form.get(RULE), form.get(CURRENCY), form.get(TAKING_PART));
    };
  }

  private static boolean isAllowed(FormValue form, Basis basis) {
    return isAllowed(form, CREDITS, basis, Basis.PER)
        & isAllowed(form, TIES, basis, Basis.RANKS, Basis.TOP)
        & isAllowed(form, REMAINDER, basis, Basis.RANKS, Basis.TOP)
        & isAllowed(form, OF, basis, Basis.TOP)
        & isAllowed(form, ROUNDING, basis, Basis.TOP)
        & isAllowed(form, GAPS, basis, Basis.RANKS);
  }

  private static boolean isAllowed(FormValue form, Field<?> field, Basis basis, Basis... allowed) {
    if (!form.has(field) || List.of(allowed).contains(basis)) {
      return true;
    }
    form.fault(
        field,
        new BoardFileSentences.OtherBasis(Basis.names(List.of(allowed)), basis.field.name()));
    return false;
  }

  private void check(FormValue form, RewardRule rule) {
    if (!names.add(rule.name())) {
      form.fault(RULE, new BoardFileSentences.RuleNamedTwice(rule.name()));
    }
    if (rule.currency().equals(counts)) {
      form.fault(CURRENCY, new BoardFileSentences.PaysWhatCounts(rule.currency()));
    }
    if (paysEverybody != null) {
      form.location().fault(new BoardFileSentences.NeverReached(paysEverybody));
    } else if (match.isFirstOnly() && rule.paysEverybody()) {
      paysEverybody = rule.name();
    }
  }

  private RankPrizes rankPrizes(FormValue rule) {
    checkTies(rule);
    boolean gapsRefused = rule.get(GAPS).equals(REFUSED);
    var bands = new ArrayList<Band>();
    long last = 0;
    for (var prize : rule.get(RANKS)) {
      RankRange ranks = prize.key();
      if (ranks.from() <= last) {
        prize.fault(new BoardFileSentences.RanksTwice(ranks.from(), last));
      } else if (gapsRefused && ranks.from() > last + 1) {
        prize.fault(gap(last + 1, ranks.from() - 1));
      }
      last = ranks.to();
      bands.add(new Band(ranks.from(), ranks.to(), requireNonNull(prize.value())));
    }
    return new RankPrizes(
        rule.get(RULE), rule.get(CURRENCY), bands, rule.get(TIES), rule.get(REMAINDER));
  }

  private static Sentence gap(long from, long to) {
    return from == to
        ? new BoardFileSentences.GapOfOne(from)
        : new BoardFileSentences.Gap(from, to);
  }

  private TopPercent topPercent(FormValue rule) {
    checkTies(rule);
    var shares = new ArrayList<Share>();
    var last = BigDecimal.ZERO;
    for (var entry : rule.get(TOP)) {
      if (entry.key().compareTo(last) <= 0) {
        entry.fault(new BoardFileSentences.PercentTooSmall(last.toPlainString()));
      }
      last = entry.key();
      shares.add(new Share(last, requireNonNull(entry.value())));
    }
    return new TopPercent(
        rule.get(RULE),
        rule.get(CURRENCY),
        shares,
        rule.get(OF),
        rule.get(ROUNDING),
        rule.get(TIES),
        rule.get(REMAINDER));
  }

  private void checkTies(FormValue rule) {
    Ties ties = rule.get(TIES);
    if (ties != Ties.EACH && context.hasUniqueRanks()) {
      rule.fault(TIES, new BoardFileSentences.TiesOfUnique(ties.word()));
    } else if (ties == Ties.EACH && rule.has(REMAINDER)) {
      rule.fault(REMAINDER, new BoardFileSentences.NothingToDivide());
    }
  }

  private Milestones milestones(FormValue rule) {
    List<Entry<Long, Long>> entries = rule.get(POINTS);
    var steps = new ArrayList<Step>();
    for (int i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      Long previous = i == 0 ? null : entries.get(i - 1).key();
      Long next = i == entries.size() - 1 ? null : entries.get(i + 1).key();
      if (previous != null && !isHarder(entry.key(), previous)) {
        entry.fault(
            context.fewestWin()
                ? new BoardFileSentences.NotFewer(previous)
                : new BoardFileSentences.NotMore(previous));
      } else {
        checkThatItPays(entry, next);
      }
      steps.add(new Step(entry.key(), requireNonNull(entry.value())));
    }
    return new Milestones(rule.get(RULE), rule.get(CURRENCY), steps);
  }

  private boolean isHarder(long points, long other) {
    return context.fewestWin() ? points < other : points > other;
  }

  private void checkThatItPays(Entry<Long, Long> step, @Nullable Long next) {
    Long max = context.maxPoints();
    if (max != null && step.key() > max && !context.fewestWin()) {
      step.fault(new BoardFileSentences.PastMaxPoints(max));
    } else if (minPoints != null
        && next != null
        && isHarder(next, step.key())
        && (context.fewestWin() ? next >= minPoints : next <= minPoints)) {
      step.fault(new BoardFileSentences.BelowMinPoints(minPoints, next));
    }
  }

  private @Nullable RewardRule perAction(FormValue rule) {
    String action = rule.get(PER);
    Sentence reason = whyNotPayable(action);
    if (reason != null) {
      rule.fault(PER, reason);
      return null;
    }
    Long credits = rule.find(CREDITS);
    if (credits == null) {
      rule.fault(CREDITS, new BoardFileSentences.CreditsMissing(action));
      return null;
    }
    return new PerAction(rule.get(RULE), rule.get(CURRENCY), action, credits);
  }

  private @Nullable Sentence whyNotPayable(String action) {
    if (context.isAdopted()) {
      return new BoardFileSentences.ActionOfAdopted();
    }
    if (context.scoring() != null && context.scoring().takesValues()) {
      return new BoardFileSentences.ActionWithValues(context.scoring().word());
    }
    var actions = context.actions().keySet();
    return actions.isEmpty() || actions.contains(action)
        ? null
        : new BoardFileSentences.UnknownAction(
            List.copyOf(actions), action, DidYouMean.of(action, actions));
  }

  /**
   * The ranks that share a prize.
   *
   * @param from the best rank, at least 1
   * @param to the last rank
   */
  private record RankRange(long from, long to) {
    static Scalar<RankRange> scalar() {
      return text(
          new BoardFieldSentences.Ranks(),
          "[1-9]\\d{0,8}(-[1-9]\\d{0,8})?",
          text -> {
            var ends = text.split("-");
            long from = Long.parseLong(ends[0]);
            long to = Long.parseLong(ends[ends.length - 1]);
            return ends.length == 1 || from < to ? new RankRange(from, to) : null;
          });
    }
  }

  /** One line per rule. */
  static Stream<String> describe(List<RewardRule> rules, Phrases phrases) {
    var line = new RuleLine(phrases);
    return rules.stream().map(rule -> rule.accept(line));
  }

  private record RuleLine(Phrases phrases) implements RewardRule.Visitor<String> {
    @Override
    public String rankPrizes(RankPrizes rule) {
      return rule.bands().stream()
          .map(band -> phrases.of("band", ranks(band), band.credits()))
          .collect(
              Collectors.joining(
                  " · ",
                  phrases.of("by-rank", rule.name(), rule.currency()),
                  ties(rule.ties(), rule.remainder())));
    }

    @Override
    public String topPercent(TopPercent rule) {
      return rule.bands().stream()
          .map(band -> phrases.of("band", band.percent().toPlainString() + "%", band.credits()))
          .collect(
              Collectors.joining(
                  " · ",
                  phrases.of("by-percent", rule.name(), rule.currency(), of(rule)),
                  ties(rule.ties(), rule.remainder())));
    }

    @Override
    public String milestones(Milestones rule) {
      String start = phrases.of("by-points", rule.name(), rule.currency());
      return rule.steps().stream()
          .map(step -> phrases.of("step", step.points(), step.credits()))
          .collect(Collectors.joining(" · ", start, ""));
    }

    @Override
    public String perAction(PerAction rule) {
      return phrases.of("per-action", rule.name(), rule.credits(), rule.currency(), rule.action());
    }

    @Override
    public String takingPart(TakingPart rule) {
      return phrases.of("taking-part", rule.name(), rule.credits(), rule.currency());
    }

    private String of(TopPercent top) {
      return phrases.of(top.of().isOfEligible() ? "of-eligible" : "of-ranked")
          + phrases.of(top.rounding().isUp() ? "rounded-up" : "rounded-down");
    }

    private String ties(Ties ties, Remainder remainder) {
      return switch (ties) {
        case SHARE -> phrases.of(remainder.isToFirst() ? "ties-share-first" : "ties-share-house");
        case HOLD -> phrases.of("ties-hold");
        case EACH, ORDER -> "";
      };
    }
  }

  private static String ranks(Band band) {
    return band.from() == band.to() ? "" + band.from() : band.from() + "-" + band.to();
  }

  /**
   * Computes an upper bound of what a rule could pay on a board of a billion members. Where tied
   * members each get the prize, all of them are assumed to tie for the best one.
   *
   * <p>A rule per action counts only what one member at max-points would be paid. The total is
   * known at the closing only, which pays nobody if an account cannot hold it.
   */
  private record WorstCase(PayoutContext context) implements RewardRule.Visitor<BigInteger> {
    static final long MEMBERS = 1_000_000_000;

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    @Override
    public BigInteger rankPrizes(RankPrizes rule) {
      return isPaidOnce(rule.ties())
          ? rule.bands().stream().map(WorstCase::sum).reduce(BigInteger.ZERO, BigInteger::add)
          : toAllMembers(rule.bands().stream().mapToLong(Band::credits).max().orElse(0));
    }

    @Override
    public BigInteger topPercent(TopPercent rule) {
      return isPaidOnce(rule.ties())
          ? sum(rule)
          : toAllMembers(rule.bands().stream().mapToLong(Share::credits).max().orElse(0));
    }

    @Override
    public BigInteger milestones(Milestones rule) {
      return toAllMembers(rule.steps().stream().mapToLong(Step::credits).max().orElse(0));
    }

    @Override
    public BigInteger perAction(PerAction rule) {
      long worth = context.actions().getOrDefault(rule.action(), 0L);
      return worth == 0 || context.maxPoints() == null
          ? BigInteger.ZERO
          : times(rule.credits(), context.maxPoints() / worth);
    }

    @Override
    public BigInteger takingPart(TakingPart rule) {
      return toAllMembers(rule.credits());
    }

    /** Whether each place's prize is paid at most once. */
    private boolean isPaidOnce(Ties ties) {
      return context.hasUniqueRanks() || ties == Ties.SHARE;
    }

    private static BigInteger toAllMembers(long credits) {
      return times(credits, MEMBERS);
    }

    private static BigInteger sum(Band band) {
      return times(band.credits(), band.to() - band.from() + 1);
    }

    private static BigInteger sum(TopPercent rule) {
      var sum = BigInteger.ZERO;
      var taken = BigDecimal.ZERO;
      for (Share share : rule.bands()) {
        BigDecimal members =
            share
                .percent()
                .subtract(taken)
                .multiply(BigDecimal.valueOf(MEMBERS))
                .divide(HUNDRED, 0, RoundingMode.CEILING);
        sum = sum.add(times(share.credits(), members.longValueExact()));
        taken = share.percent();
      }
      return sum;
    }

    private static BigInteger times(long credits, long members) {
      return BigInteger.valueOf(credits).multiply(BigInteger.valueOf(members));
    }
  }
}
