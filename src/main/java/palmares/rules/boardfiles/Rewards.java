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
import palmares.platform.form.Choice;
import palmares.platform.form.Field;
import palmares.platform.form.Form;
import palmares.platform.form.FormValue;
import palmares.platform.form.Location;
import palmares.platform.form.Scalar;
import palmares.platform.form.SchemaNode.Entry;
import palmares.platform.form.SchemaNode.ListNode;
import palmares.platform.form.SchemaNode.MapNode;
import palmares.platform.form.Suggestion;
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

  static final Field<String> RULE =
      required(
          "rule",
          name("a rule's name"),
          "The rule's name, part of each payment's key: keep it while its figures change.");
  static final Field<String> CURRENCY =
      optional("currency", name("a currency"), RewardRule.CREDITS, "What the rule pays in.");
  static final Field<List<Entry<RankRange, Long>>> RANKS =
      optional(
          "ranks",
          new MapNode<>("credits by rank", RankRange.scalar(), whole(1, MAX_SAFE_INTEGER)),
          "Credits by final rank, best first: 1: 5000, 2-3: 2000, 4-10: 500.");
  static final Field<List<Entry<BigDecimal, Long>>> TOP =
      optional(
          "top",
          new MapNode<>(
              "credits by top percent", Percent.scalar("a percentage"), whole(1, MAX_SAFE_INTEGER)),
          "Credits for the best percent of the members, best first: 1%: 500, 10%: 50. Each band"
              + " begins where the one before it ends.");
  static final Field<List<Entry<Long, Long>>> POINTS =
      optional(
          "points",
          new MapNode<>("credits by points", points(), whole(1, MAX_SAFE_INTEGER)),
          "Credits for points reached, the easiest step first: 100: 10, 500: 60. The farthest step"
              + " that a member has reached pays. Where the fewest win: at most that number of"
              + " points.");
  static final Field<String> PER =
      optional("per", name("an action's name"), "The action of this board that is paid for.");
  static final Field<Long> CREDITS =
      optional(
          "credits",
          whole(1, MAX_SAFE_INTEGER),
          "What each one of the action pays; undone ones do not.");
  static final Field<Long> TAKING_PART =
      optional("taking-part", whole(1, MAX_SAFE_INTEGER), "What everybody who took part gets.");
  static final Field<Ties> TIES =
      optional(
          "ties",
          choice(List.of(Ties.EACH, Ties.SHARE, Ties.HOLD), Choice::word),
          "each",
          "What members of one rank get: each its prize, the prizes of all the places that they"
              + " take in equal parts (share), or what a person decides before anything is paid"
              + " (hold).");
  static final Field<Remainder> REMAINDER =
      optional(
          "remainder",
          choice(Remainder.values()),
          "first",
          "Credits that do not divide among those who share: one more for each of the first of"
              + " them, or left with the house.");
  static final Field<Denominator> OF =
      optional(
          "of",
          choice(Denominator.values()),
          "ranked",
          "What the percentages are of: all members who have a rank, or those who may have a"
              + " prize.");
  static final Field<Rounding> ROUNDING =
      optional(
          "rounding",
          choice(Rounding.values()),
          "up",
          "What becomes of a fraction of a place: one place more, or none.");
  static final Field<String> GAPS =
      optional(
          "gaps",
          choice(List.of(REFUSED, "allowed"), word -> word),
          "allowed",
          "Whether there may be ranks without a prize between those that have one.");

  static final Form REWARD =
      new Form(
          "a reward rule",
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
      optional(
          "rewards",
          new ListNode<>("a list of rules", REWARD),
          "What a settled period pays: each rule has one of ranks, top, points, taking-part, or per"
              + " and credits.");

  private static Scalar<Long> points() {
    return text(
        "points such as 500, at least 1",
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

    static String names(String separator, List<Basis> bases) {
      return bases.stream().map(basis -> basis.field.name()).collect(Collectors.joining(separator));
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
                "could add up to %d %s on a board of %d members, more than an account can hold: at"
                    + " most %d",
                sum, currency, WorstCase.MEMBERS, Long.MAX_VALUE);
          }
        });
  }

  private @Nullable RewardRule rule(FormValue form) {
    List<Basis> bases = Stream.of(Basis.values()).filter(basis -> form.has(basis.field)).toList();
    if (bases.size() != 1) {
      form.location()
          .fault(
              bases.isEmpty()
                  ? "must have one of ranks, top, points, taking-part, or per and credits"
                  : "must have only one of %s: make a rule of each"
                      .formatted(Basis.names(", ", bases)));
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
        "is allowed only with %s, not with %s: remove it",
        Basis.names(" or ", List.of(allowed)),
        basis.field.name());
    return false;
  }

  private void check(FormValue form, RewardRule rule) {
    if (!names.add(rule.name())) {
      form.fault(RULE, "duplicates a rule above: choose another name than " + rule.name());
    }
    if (rule.currency().equals(counts)) {
      form.fault(
          CURRENCY,
          "must not be %s, which the board's points count: the prize would change the board"
              + " that it is won on",
          counts);
    }
    if (paysEverybody != null) {
      form.location()
          .fault(
              "can never pay: with match: first, rule '%s' above pays every member"
                  .formatted(paysEverybody));
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
        prize.fault(
            "begins at rank %d, but the ranks above it end at %d: put them in order, each rank"
                + " once",
            ranks.from(), last);
      } else if (gapsRefused && ranks.from() > last + 1) {
        prize.fault(
            "leaves %s without a prize, and gaps are refused: add a prize, or set gaps: allowed",
            describeRanks(last + 1, ranks.from() - 1));
      }
      last = ranks.to();
      bands.add(new Band(ranks.from(), ranks.to(), requireNonNull(prize.value())));
    }
    return new RankPrizes(
        rule.get(RULE), rule.get(CURRENCY), bands, rule.get(TIES), rule.get(REMAINDER));
  }

  private static String describeRanks(long from, long to) {
    return from == to ? "rank " + from : "ranks %s-%s".formatted(from, to);
  }

  private TopPercent topPercent(FormValue rule) {
    checkTies(rule);
    var shares = new ArrayList<Share>();
    var last = BigDecimal.ZERO;
    for (var entry : rule.get(TOP)) {
      if (entry.key().compareTo(last) <= 0) {
        entry.fault(
            "must be more than the %s%% above it: put them in order, each once",
            last.toPlainString());
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
      rule.fault(
          TIES,
          "must not be %s with ranks: unique, where no members tie: remove it, or set ranks:"
              + " competition or dense",
          ties.word());
    } else if (ties == Ties.EACH && rule.has(REMAINDER)) {
      rule.fault(
          REMAINDER,
          "is allowed only with ties: share or hold, where prizes are divided: remove it");
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
            "must be %s than the %d above it: list the easiest step first"
                .formatted(context.fewestWin() ? "fewer" : "more", previous));
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
      step.fault("can never be reached: max-points is %d, so it would pay nobody", max);
    } else if (minPoints != null
        && next != null
        && isHarder(next, step.key())
        && (context.fewestWin() ? next >= minPoints : next <= minPoints)) {
      step.fault(
          "can never pay: a member with min-points, %d, has also reached the next step, %d",
          minPoints, next);
    }
  }

  private @Nullable RewardRule perAction(FormValue rule) {
    String action = rule.get(PER);
    String reason = whyNotPayable(action);
    if (reason != null) {
      rule.fault(PER, reason);
      return null;
    }
    Long credits = rule.find(CREDITS);
    if (credits == null) {
      rule.fault(CREDITS, "is missing: what each '%s' pays", action);
      return null;
    }
    return new PerAction(rule.get(RULE), rule.get(CURRENCY), action, credits);
  }

  private @Nullable String whyNotPayable(String action) {
    if (context.isAdopted()) {
      return "is not allowed with adopt, which knows no actions: pay by ranks, top or points";
    }
    if (context.scoring() != null && context.scoring().takesValues()) {
      return "is allowed only with scoring: add: with %s, better values count, not how many"
          .formatted(context.scoring().word());
    }
    var actions = context.actions().keySet();
    return actions.isEmpty() || actions.contains(action)
        ? null
        : "must be one of the board's actions (%s), not '%s'%s"
            .formatted(String.join(", ", actions), action, Suggestion.hint(action, actions));
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
          "a rank such as 1, or ranks such as 4-10",
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
