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
    if (revisions.archived(period.id())) {
      throw new AmendmentRefused(
          "%s is archived: its journal is in files, and it cannot be amended any more"
              .formatted(period.label()));
    }
    OtherRules.require(period, definitions.of(period), rules);
    OtherRules.requireSameCurrencies(period, rules(period, base), rules);
    definitions.keep(rules);
    int number = revisions.amend(base, rules.source().hash(), wish.by(), wish.reason());
    Ties ties = wish.ties() == null ? decided(base) : wish.ties();
    computation.amend(period, base.number(), number, rules, wish, ties);
    List<HeldTie> held = awards.heldTies(period, number, rules);
    if (!held.isEmpty() && ties != null) {
      revisions.ties(period.id(), number, ties);
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

  /**
   * Lets only a person approve an amendment who may, by the rules that the period opened under, by
   * those that stand, and by those that it brings.
   *
   * @throws palmares.revision.SamePerson if any of them asks for another than who prepared it
   */
  void requireOther(Period period, Revision amendment, String by) {
    Revision base = revisions.find(period.id(), period.revision()).orElseThrow();
    for (Board rules :
        List.of(definitions.of(period), rules(period, base), rules(period, amendment))) {
      amendment.requireOther(by, rules.payout().control());
    }
  }
}
