package palmares.operations.amendment;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Decision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.ApprovalCheck;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.HeldTie;

/** Computes what an amendment would come to, beside what stands. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class DryRun {
  private final BoardDefinitions definitions;
  private final Revisions revisions;
  private final AmendmentComputation computation;
  private final Comparison comparison;
  private final Awards awards;
  private final ApprovalCheck approvalCheck;

  DryRun(
      BoardDefinitions definitions,
      Revisions revisions,
      AmendmentComputation computation,
      Comparison comparison,
      Awards awards,
      ApprovalCheck approvalCheck) {
    this.definitions = definitions;
    this.revisions = revisions;
    this.computation = computation;
    this.comparison = comparison;
    this.awards = awards;
    this.approvalCheck = approvalCheck;
  }

  /** The rules that a revision awards by. */
  Board rules(Period period, Revision revision) {
    return definitions.of(period.board(), revision.definitionHash());
  }

  /**
   * Computes the period's next revision.
   *
   * @param named how many changes to name
   * @throws AmendmentRefused if the wish does not fit the period
   */
  Amendment next(Period period, AmendmentRequest amendmentRequest, int named) {
    return draft(period, amendmentRequest, null, named);
  }

  /**
   * The same, only supposed: the transaction must roll back. Nobody who closes, amends or excludes
   * waits for it.
   *
   * @param hidden who would be hidden beside those who are
   * @throws AmendmentRefused if the wish does not fit the period
   */
  Amendment suppose(
      Period period, AmendmentRequest amendmentRequest, Collection<MemberId> hidden, int named) {
    return draft(period, amendmentRequest, hidden, named);
  }

  private Amendment draft(
      Period period,
      AmendmentRequest amendmentRequest,
      @Nullable Collection<MemberId> supposed,
      int named) {
    Revision base = revisions.find(period.id(), period.revision()).orElseThrow();
    Board rules = amendmentRequest.rules() == null ? rules(period, base) : amendmentRequest.rules();
    if (revisions.isArchived(period.id())) {
      throw new AmendmentRefused(
          "%s is archived: its journal is in files, and it cannot be amended any more"
              .formatted(period.label()));
    }
    RuleReplacement.require(period, definitions.of(period), rules);
    RuleReplacement.requireSameCurrencies(period, rules(period, base), rules);
    definitions.keep(rules);
    int number =
        supposed == null
            ? revisions.amend(base, rules, amendmentRequest.by(), amendmentRequest.reason())
            : revisions.beginDryRun(base, rules, amendmentRequest.by(), amendmentRequest.reason());
    Ties ties = amendmentRequest.ties() == null ? decided(base) : amendmentRequest.ties();
    computation.correct(period, base.number(), number, amendmentRequest);
    if (supposed == null) {
      computation.rank(period, number, rules, ties);
    } else {
      computation.suppose(period, number, rules, ties, supposed);
    }
    List<HeldTie> held = awards.heldTies(period, number, rules);
    if (supposed == null) {
      if (!held.isEmpty() && ties != null) {
        revisions.decideTies(period.id(), number, ties, amendmentRequest.by());
      }
      revisions.hold(period.id(), number, overBudget(period, base, number, rules), null);
    }
    return new Amendment(
        period,
        revisions.find(period.id(), number).orElseThrow(),
        comparison.of(period.id(), base.number(), number, named),
        held,
        ties);
  }

  /** As a person decided for the revision before. */
  private static @Nullable Ties decided(Revision base) {
    Decision decision = Objects.requireNonNull(base.decision(), "posted");
    return decision.ties();
  }

  /** The budgets that an amendment passes: see the other. */
  List<String> overBudget(Period period, Revision amendment) {
    Revision base = revisions.find(period.id(), period.revision()).orElseThrow();
    return overBudget(period, base, amendment.number(), rules(period, amendment));
  }

  /**
   * By the rules that the period opened under, by those that stand, and by those that it brings.
   */
  private List<String> overBudget(Period period, Revision base, int number, Board brought) {
    return Stream.of(definitions.of(period), rules(period, base), brought)
        .flatMap(rules -> approvalCheck.overBudget(period, number, rules).stream())
        .distinct()
        .toList();
  }
}
