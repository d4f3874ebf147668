package palmares.settlement.verification;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import palmares.platform.text.Choice;
import palmares.platform.time.ZoneOffsets;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.Qualification;
import palmares.rules.board.Board.Invites.Review;
import palmares.rules.board.Scale;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.payout.Budget;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.MemberRule;
import palmares.rules.payout.RewardRule.Milestones;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.rules.payout.RewardRule.PlaceRule;
import palmares.rules.payout.RewardRule.RankPrizes;
import palmares.rules.payout.RewardRule.TakingPart;
import palmares.rules.payout.RewardRule.Ties;
import palmares.rules.payout.RewardRule.TopPercent;
import palmares.rules.payout.RewardRule.Visitor;

/**
 * A board's scale, actions and payout as parameters of checks. Rules and their bands are parallel
 * arrays, so that one statement derives the awards of all.
 */
record RuleParameters(Board board, List<Row> rows, List<Band> bands) {
  /** The words by which {@code parts/awards.sql} knows kinds of rules. */
  enum Kind implements Choice {
    RANKS,
    TOP,
    POINTS,
    ACTION,
    PART
  }

  /** A rule. What its kind does not have is empty or false. */
  record Row(
      String name,
      Kind kind,
      String currency,
      Ties ties,
      boolean toFirst,
      boolean ofEligible,
      boolean up,
      String action) {}

  /**
   * What a rule pays for.
   *
   * @param rule the rule's number, from 1
   * @param after the rank or percentage before the first that is paid
   * @param last the last rank or percentage that is paid, or the points of a milestone
   */
  record Band(long rule, BigDecimal after, BigDecimal last, long credits) {
    static Band of(int rule, long after, long last, long credits) {
      return new Band(rule, BigDecimal.valueOf(after), BigDecimal.valueOf(last), credits);
    }
  }

  static RuleParameters of(Board board) {
    var rules = new RuleParameters(board, new ArrayList<>(), new ArrayList<>());
    board.payout().rules().forEach(rules::add);
    return rules;
  }

  /** Whether a rule leaves ties to a person. */
  boolean leaveTies() {
    return rows.stream().anyMatch(row -> row.ties() == Ties.HOLD);
  }

  /** Whether a rule counts actions, which only the journal has. */
  boolean countActions() {
    return has(Kind.ACTION);
  }

  /** Whether what a member did earns its award, by each rule for actions, no matter what else. */
  boolean payForActionsAlone() {
    Payout payout = board.payout();
    return countActions()
        && board.scale().scoring() == Scoring.ADD
        && payout.minPoints() == null
        && !payout.eligible().isRegisteredOnly()
        && !payout.match().isFirstOnly();
  }

  /** Whether all points of a line come from one action. */
  private boolean hasOnlyAction() {
    return board.scale().scoring() == Scoring.ADD && board.actions().size() == 1;
  }

  private boolean has(Kind kind) {
    return rows.stream().anyMatch(row -> row.kind() == kind);
  }

  private void add(RewardRule rule) {
    RowAndBands added = rule.accept(new ByKind(rows.size() + 1));
    rows.add(added.row());
    bands.addAll(added.bands());
  }

  private record RowAndBands(Row row, List<Band> bands) {}

  /**
   * Makes the row and bands of a rule of each kind.
   *
   * @param n the rule's number, from 1
   */
  private record ByKind(int n) implements Visitor<RowAndBands> {
    @Override
    public RowAndBands rankPrizes(RankPrizes rule) {
      return new RowAndBands(
          placed(rule, Kind.RANKS, false, false),
          rule.bands().stream()
              .map(band -> Band.of(n, band.from() - 1, band.to(), band.credits()))
              .toList());
    }

    @Override
    public RowAndBands topPercent(TopPercent rule) {
      var bands = new ArrayList<Band>();
      BigDecimal after = BigDecimal.ZERO;
      for (var share : rule.bands()) {
        bands.add(new Band(n, after, share.percent(), share.credits()));
        after = share.percent();
      }
      boolean eligible = rule.of().isOfEligible();
      return new RowAndBands(placed(rule, Kind.TOP, eligible, rule.rounding().isUp()), bands);
    }

    @Override
    public RowAndBands milestones(Milestones rule) {
      return new RowAndBands(
          plain(rule, Kind.POINTS, ""),
          rule.steps().stream().map(step -> Band.of(n, 0, step.points(), step.credits())).toList());
    }

    @Override
    public RowAndBands perAction(PerAction rule) {
      return new RowAndBands(
          plain(rule, Kind.ACTION, rule.action()), List.of(Band.of(n, 0, 0, rule.credits())));
    }

    @Override
    public RowAndBands takingPart(TakingPart rule) {
      return new RowAndBands(plain(rule, Kind.PART, ""), List.of(Band.of(n, 0, 0, rule.credits())));
    }

    private static Row placed(PlaceRule rule, Kind kind, boolean eligible, boolean up) {
      boolean toFirst = rule.remainder().isToFirst();
      return new Row(rule.name(), kind, rule.currency(), rule.ties(), toFirst, eligible, up, "");
    }

    private static Row plain(MemberRule rule, Kind kind, String action) {
      return new Row(rule.name(), kind, rule.currency(), Ties.EACH, false, false, false, action);
    }
  }

  /** Whether a closing that pays too much, or an unusual amount, needs a person's approval. */
  boolean haveBounds() {
    Payout payout = board.payout();
    return !payout.budgets().isEmpty() || payout.approvalPolicy().unusual() != null;
  }

  private Map<String, Object> bounds() {
    var budgets = new TreeMap<>(board.payout().budgets());
    Integer unusual = board.payout().approvalPolicy().unusual();
    var bounds = new HashMap<String, Object>(ZoneOffsets.parameters(board.zone()));
    bounds.put("unusual", unusual == null ? 0 : unusual);
    bounds.put("budgetCurrencies", budgets.keySet());
    bounds.put("periodBudgets", budgets.values().stream().map(Budget::period).toList());
    bounds.put("monthBudgets", budgets.values().stream().map(Budget::month).toList());
    return bounds;
  }

  Map<String, Object> parameters() {
    var parameters = new HashMap<String, Object>(payout());
    parameters.putAll(bounds());
    parameters.putAll(order());
    var actions = List.copyOf(board.actions().values());
    parameters.put("pointRules", has(Kind.POINTS));
    parameters.put("takingPart", has(Kind.PART));
    parameters.put("actionRules", countActions());
    parameters.put("onlyAction", hasOnlyAction());
    parameters.put("actions", actions.stream().map(Action::name).toList());
    parameters.put("points", actions.stream().map(Action::points).toList());
    parameters.put("ruleNames", rows.stream().map(Row::name).toList());
    parameters.put("ruleKinds", rows.stream().map(row -> row.kind().word()).toList());
    parameters.put("ruleCurrencies", rows.stream().map(Row::currency).toList());
    parameters.put("ruleTies", rows.stream().map(row -> row.ties().word()).toList());
    parameters.put("ruleFirsts", rows.stream().map(Row::toFirst).toList());
    parameters.put("ruleEligibles", rows.stream().map(Row::ofEligible).toList());
    parameters.put("ruleUps", rows.stream().map(Row::up).toList());
    parameters.put("ruleActions", rows.stream().map(Row::action).toList());
    parameters.put("ruleWorths", rows.stream().map(this::worth).toList());
    parameters.put("bandRules", bands.stream().map(Band::rule).toList());
    parameters.put("bandAfters", bands.stream().map(Band::after).toList());
    parameters.put("bandLasts", bands.stream().map(Band::last).toList());
    parameters.put("bandCredits", bands.stream().map(Band::credits).toList());
    return parameters;
  }

  /** How invites qualify on the board; empty if they need not. */
  static Map<String, Object> ofQualification(Board board) {
    Invites invites = board.invites();
    Qualification qualification = invites == null ? null : invites.qualification();
    if (invites == null || qualification == null) {
      return Map.of();
    }
    return Map.of(
        "creditAction", invites.action(),
        "eventBoard", Objects.requireNonNullElse(qualification.board(), board.id()).value(),
        "eventAction", qualification.action(),
        "atLeast", qualification.atLeast(),
        "within", qualification.within().toSeconds() + " seconds",
        "countedIn", qualification.countedIn().word());
  }

  /** Whether inviters are flagged on the board. */
  static boolean haveReview(Board board) {
    return board.invites() != null && board.invites().review() != null;
  }

  /** Which inviters are flagged on the board; nobody is by limits that are null. */
  static Map<String, Object> ofReview(Board board) {
    Invites invites = board.invites();
    Review review = invites == null ? null : invites.review();
    var parameters = new HashMap<String, Object>();
    parameters.put("creditAction", invites == null ? null : invites.action());
    parameters.put("chain", review == null ? null : review.chain());
    parameters.put("sameAddress", review == null ? null : review.sameAddress());
    parameters.put("sameDevice", review == null ? null : review.sameDevice());
    return parameters;
  }

  private long worth(Row row) {
    Action action = board.actions().get(row.action());
    return action == null ? 1 : action.points();
  }

  private Map<String, Object> payout() {
    Payout payout = board.payout();
    boolean fewest = board.scale().scoring().fewestWin();
    long usual = board.scale().scoring().takesValues() ? 0 : 1;
    long least = payout.minPoints() == null ? usual : payout.minPoints();
    return Map.of(
        "fewestWin", fewest,
        "paidFrom", fewest ? 0 : least,
        "paidTo", fewest && payout.minPoints() != null ? least : Long.MAX_VALUE,
        "registeredOnly", payout.eligible().isRegisteredOnly(),
        "movesUp", payout.forfeited().movesUp(),
        "matchFirst", payout.match().isFirstOnly(),
        "approvalRequired", payout.approvalPolicy().approval().isRequired(),
        "twoPeopleRequired", payout.approvalPolicy().approval().isOfTwoPeople(),
        "releases", payout.approvalPolicy().releaseAt() != null);
  }

  private Map<String, Object> order() {
    Scale scale = board.scale();
    return Map.of(
        "tick", scale.resolution().micros(),
        "method", board.ranks(),
        "scoring", scale.scoring(),
        "tiebreak", scale.tiebreak(),
        "seconds", scale.thenBy() != null,
        "pointsSign", scale.scoring().fewestWin() ? 1 : -1,
        "thenSign", scale.fewestThen() ? 1 : -1);
  }
}
