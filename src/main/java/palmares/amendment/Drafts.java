package palmares.amendment;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.board.MemberId;
import palmares.payout.RewardRule.Ties;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.revision.Revision;
import palmares.revision.Revision.Decision;
import palmares.revision.Revisions;
import palmares.revision.Suppositions;
import palmares.reward.Awards;
import palmares.reward.HeldTie;
import palmares.reward.Scrutiny;

/** Computes what an amendment would come to, beside what stands. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class Drafts {
  private final Definitions definitions;
  private final Revisions revisions;
  private final Suppositions suppositions;
  private final Computation computation;
  private final Comparison comparison;
  private final Awards awards;
  private final Scrutiny scrutiny;

  Drafts(
      Definitions definitions,
      Revisions revisions,
      Suppositions suppositions,
      Computation computation,
      Comparison comparison,
      Awards awards,
      Scrutiny scrutiny) {
    this.definitions = definitions;
    this.revisions = revisions;
    this.suppositions = suppositions;
    this.computation = computation;
    this.comparison = comparison;
    this.awards = awards;
    this.scrutiny = scrutiny;
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
    return draft(period, wish, null, named);
  }

  /**
   * The same, only supposed: the transaction must roll back. Nobody who closes, amends or excludes
   * waits for it.
   *
   * @param hidden who would be hidden beside those who are
   * @throws AmendmentRefused if the wish does not fit the period
   */
  Amendment suppose(Period period, Wish wish, Collection<MemberId> hidden, int named) {
    return draft(period, wish, hidden, named);
  }

  private Amendment draft(
      Period period, Wish wish, @Nullable Collection<MemberId> supposed, int named) {
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
    int number =
        supposed == null
            ? revisions.amend(base, rules, wish.by(), wish.reason())
            : suppositions.begin(base, rules, wish.by(), wish.reason());
    Ties ties = wish.ties() == null ? decided(base) : wish.ties();
    computation.correct(period, base.number(), number, wish);
    if (supposed == null) {
      computation.rank(period, number, rules, ties);
    } else {
      computation.suppose(period, number, rules, ties, supposed);
    }
    List<HeldTie> held = awards.heldTies(period, number, rules);
    if (supposed == null) {
      if (!held.isEmpty() && ties != null) {
        revisions.ties(period.id(), number, ties, wish.by());
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
        .flatMap(rules -> scrutiny.overBudget(period, number, rules).stream())
        .distinct()
        .toList();
  }
}
