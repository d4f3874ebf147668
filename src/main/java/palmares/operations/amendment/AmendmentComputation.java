package palmares.operations.amendment;

import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.lateevents.Corrections;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditDetails;
import palmares.period.exclusion.FrozenExclusions;
import palmares.rules.board.Board;
import palmares.rules.board.Board.LineRule;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.lines.Ranking;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.BudgetCheck;
import palmares.settlement.reward.BudgetCheck.Shown;
import palmares.settlement.reward.HeldTie;

/** Computes the next revision of a settled period: its lines, ranks and awards. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class AmendmentComputation {
  private final BoardDefinitions definitions;
  private final Revisions revisions;
  private final Corrections corrections;
  private final FrozenExclusions exclusions;
  private final Ranking ranking;
  private final Awards awards;
  private final BudgetCheck budgetCheck;
  private final Comparison comparison;

  AmendmentComputation(
      BoardDefinitions definitions,
      Revisions revisions,
      Corrections corrections,
      FrozenExclusions exclusions,
      Ranking ranking,
      Awards awards,
      BudgetCheck budgetCheck,
      Comparison comparison) {
    this.definitions = definitions;
    this.revisions = revisions;
    this.corrections = corrections;
    this.exclusions = exclusions;
    this.ranking = ranking;
    this.awards = awards;
    this.budgetCheck = budgetCheck;
    this.comparison = comparison;
  }

  /** The rules that a revision awards by. */
  Board rules(Period period, Revision revision) {
    return definitions.of(period.board(), revision.definitionHash());
  }

  /**
   * Computes and stores the period's next revision. If nothing would change, the caller must remove
   * it.
   *
   * @param maxNamed how many differences to name at most
   * @throws WrongState if the request does not fit the period
   */
  Amendment next(Period period, AmendmentRequest request, int maxNamed) {
    Revision base = base(period);
    Board rules = requireRules(period, base, request);
    definitions.store(rules);
    int number = revisions.amend(base, rules, request.by(), request.reason());
    Ties ties = ties(base, request);
    correct(period, base, number, request);
    exclusions.freeze(period, number);
    int outcome = award(period, number, rules, ties);
    List<HeldTie> held = awards.heldTies(period, number, rules);
    if (!held.isEmpty() && ties != null) {
      revisions.decideTies(period.id(), number, ties, request.by());
    }
    RevisionDifferences differences = comparison.of(period.id(), base.number(), number, maxNamed);
    if (!differences.none()) {
      // As late as possible: until the transaction ends, some outcomes cannot be attached. Budgets
      // read the payments of all parts, and see only those that are attached.
      revisions.index(outcome);
      revisions.attach(outcome);
      revisions.hold(period.id(), number, overBudget(period, base, number, rules), null);
    }
    return amendment(period, number, differences, held, ties);
  }

  /**
   * Computes the next revision without locking the period. The caller's transaction must roll back.
   *
   * @param hidden members to hide in addition to those who are
   * @param maxNamed how many differences to name at most
   * @throws WrongState if the request does not fit the period
   */
  Amendment dryRun(
      Period period, AmendmentRequest request, Collection<MemberId> hidden, int maxNamed) {
    Revision base = base(period);
    Board rules = requireRules(period, base, request);
    int number = revisions.beginDryRun(base, rules, request.by(), request.reason());
    Ties ties = ties(base, request);
    correct(period, base, number, request);
    exclusions.freezeForDryRun(period, number, rules.exclusionLists(), hidden);
    award(period, number, rules, ties);
    List<HeldTie> held = awards.heldTies(period, number, rules);
    RevisionDifferences differences = comparison.of(period.id(), base.number(), number, maxNamed);
    return amendment(period, number, differences, held, ties);
  }

  private Revision base(Period period) {
    return revisions.find(period.id(), period.revision()).orElseThrow();
  }

  private Board requireRules(Period period, Revision base, AmendmentRequest request) {
    Board before = rules(period, base);
    Board rules = request.rules() == null ? before : request.rules();
    if (revisions.isArchived(period.id())) {
      throw new WrongState(new AmendmentSentences.Archived(period.label()));
    }
    requireSameMeasure(period, definitions.of(period), rules);
    requireSameCurrencies(period, before, rules);
    return rules;
  }

  /** Refuses rules by which the lines themselves would differ: only ranks and payout may. */
  private static void requireSameMeasure(Period period, Board opened, Board rules) {
    LineRule what = opened.firstDifference(rules);
    if (what != null) {
      throw new WrongState(new AmendmentSentences.ChangesSettled(period.label(), what));
    }
  }

  /** A rule keeps its currency, because payments and debts of the rule are set off. */
  private static void requireSameCurrencies(Period period, Board before, Board after) {
    var currencies = new HashMap<String, String>();
    before.payout().rules().forEach(rule -> currencies.put(rule.name(), rule.currency()));
    for (RewardRule rule : after.payout().rules()) {
      String former = currencies.get(rule.name());
      if (former != null && !former.equals(rule.currency())) {
        throw new WrongState(
            new AmendmentSentences.OtherCurrency(
                rule.name(), former, period.label(), rule.currency()));
      }
    }
  }

  private static @Nullable Ties ties(Revision base, AmendmentRequest request) {
    return request.ties() == null ? base.ties() : request.ties();
  }

  private void correct(Period period, Revision base, int number, AmendmentRequest request) {
    corrections.copy(period, base.number(), number);
    corrections.acceptLate(period, number);
    request
        .points()
        .forEach(
            (member, points) ->
                corrections.setPoints(
                    period, number, member, points, request.reason(), request.by()));
    corrections.apply(period, number);
  }

  /** Returns the number of the outcome. */
  private int award(Period period, int number, Board rules, @Nullable Ties ties) {
    int outcome = revisions.outcome(period.id(), number);
    ranking.rank(period, number, outcome, rules);
    awards.award(period, number, rules, ties);
    return outcome;
  }

  private Amendment amendment(
      Period period,
      int number,
      RevisionDifferences differences,
      List<HeldTie> held,
      @Nullable Ties ties) {
    return new Amendment(
        period, revisions.find(period.id(), number).orElseThrow(), differences, held, ties);
  }

  /** The zone of the period's times. */
  ZoneId zone(Period period) {
    return definitions.of(period).zone();
  }

  /** The budgets that an amendment exceeds. */
  List<HoldReason> overBudget(Period period, Revision amendment) {
    return overBudget(period, base(period), amendment.number(), rules(period, amendment));
  }

  /** The budgets that an amendment exceeds by more than a person was shown. */
  List<HoldReason> overBudgetBeyond(Shown shown, Period period, Revision amendment) {
    return each(
        period,
        base(period),
        rules(period, amendment),
        rules -> budgetCheck.overBudgetBeyond(shown, period, amendment.number(), rules));
  }

  /** What an approval of an amendment lets it move, and take of the budgets of its rules. */
  AuditDetails approved(Period period, Revision amendment) {
    return budgetCheck.approved(period, amendment, rules(period, amendment));
  }

  private List<HoldReason> overBudget(Period period, Revision base, int number, Board rules) {
    return each(period, base, rules, those -> budgetCheck.overBudget(period, number, those));
  }

  /** Asks the rules that the period opened under, the current ones and the new ones. */
  private List<HoldReason> each(
      Period period, Revision base, Board rules, Function<Board, List<HoldReason>> budgets) {
    return Stream.of(definitions.of(period), rules(period, base), rules)
        .flatMap(those -> budgets.apply(those).stream())
        .distinct()
        .toList();
  }
}
