package palmares.amendment;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.payout.RewardRule.Ties;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.revision.Revision;
import palmares.revision.Revision.Decision;
import palmares.revision.Revisions;
import palmares.reward.Awards;
import palmares.reward.HeldTie;

/** Computes what an amendment would come to, beside what stands. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class Drafts {
  private final Definitions definitions;
  private final Revisions revisions;
  private final Computation computation;
  private final Comparison comparison;
  private final Awards awards;

  Drafts(
      Definitions definitions,
      Revisions revisions,
      Computation computation,
      Comparison comparison,
      Awards awards) {
    this.definitions = definitions;
    this.revisions = revisions;
    this.computation = computation;
    this.comparison = comparison;
    this.awards = awards;
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
  Amendment next(Period period, Wish wish, int named) {
    Revision base = revisions.find(period.id(), period.revision()).orElseThrow();
    Board rules = wish.rules() == null ? rules(period, base) : wish.rules();
    OtherRules.require(period, definitions.of(period), rules);
    OtherRules.requireSameCurrencies(period, rules(period, base), rules);
    definitions.keep(rules);
    int number = revisions.amend(base, rules.source().hash(), wish.by(), wish.reason());
    Ties ties = decided(base);
    computation.amend(period, base.number(), number, rules, wish, ties);
    return new Amendment(
        period,
        revisions.find(period.id(), number).orElseThrow(),
        comparison.of(period.id(), base.number(), number, named),
        ties(period, number, rules));
  }

  /** As a person decided for the revision before. */
  private static @Nullable Ties decided(Revision base) {
    Decision decision = Objects.requireNonNull(base.decision(), "posted");
    return decision.ties();
  }

  /** The ties of a revision that a person must decide. */
  List<HeldTie> ties(Period period, int revision, Board rules) {
    return awards.heldTies(period, revision, rules);
  }
}
