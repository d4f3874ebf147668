package palmares.operations.amendment;

import java.util.Collection;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.period.exclusion.ExclusionSentences;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Next;
import palmares.rules.board.MemberId;

/** Shows what an amendment would change: runs the same computation and rolls it back. */
@Component
public class DryRun {
  private final TransactionTemplate transaction;
  private final Periods periods;
  private final AmendmentComputation computation;
  private final KnownMembers known;

  DryRun(
      TransactionTemplate transaction,
      Periods periods,
      AmendmentComputation computation,
      KnownMembers known) {
    this.transaction = transaction;
    this.periods = periods;
    this.computation = computation;
    this.known = known;
  }

  /**
   * Computes an amendment of a settled period, even if another one is not decided yet. Blocks
   * nobody who closes, amends, excludes or runs another one.
   *
   * @param hidden members to hide in addition to those who are
   * @param maxNamed how many differences to name at most
   * @throws Refusal if the period is not settled, or a member is unknown
   */
  public Amendment run(
      PeriodId id, AmendmentRequest request, Collection<MemberId> hidden, int maxNamed) {
    return transaction.execute(
        status -> {
          status.setRollbackOnly();
          Period period = periods.get(id);
          if (!period.state().isSettled()) {
            throw new WrongState(new AmendmentSentences.NothingToCompare(period.label()))
                .then(Next.of("preview", period.board(), period.name()));
          }
          hidden.forEach(this::requireKnown);
          return computation.dryRun(period, request, hidden, maxNamed);
        });
  }

  private void requireKnown(MemberId member) {
    if (!known.knows(member)) {
      throw new Refusal(
          Problem.UNKNOWN_MEMBER, new ExclusionSentences.UnknownMember(member.value()));
    }
  }
}
