package palmares.settlement.closing;

import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.HELD;
import static palmares.period.PeriodState.SETTLED;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.board.ClosedMarks;
import palmares.period.Period;
import palmares.period.Transitions;
import palmares.period.WrongState;
import palmares.period.exclusion.ExclusionLists.Reranked;
import palmares.platform.redis.RedisUnavailable;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.manifest.Manifests;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.RulesReason;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Posted;
import palmares.settlement.reward.ApprovalCheck;

/**
 * Posts the outcome, or holds it for a person's approval.
 *
 * <p>Before: the period is filled, held or approved. After: either the period is settled and its
 * payments are money, or it is held and the closing ends. Verdict, posting, manifest, fact and
 * state commit together. If the process dies before that, nothing is paid, and the next attempt
 * begins this step again. If it dies after that, only the anchor is missing, which the next call of
 * {@link Anchors#keep} writes.
 */
@Component
class PayStep implements ClosingStep {
  private static final Logger LOG = LoggerFactory.getLogger(PayStep.class);

  private final LeasedTransaction transaction;
  private final Revisions revisions;
  private final Transitions transitions;
  private final ApprovalCheck approvalCheck;
  private final Manifests manifests;
  private final Outbox outbox;
  private final Anchors anchors;
  private final ClosedMarks closed;

  PayStep(
      LeasedTransaction transaction,
      Revisions revisions,
      Transitions transitions,
      ApprovalCheck approvalCheck,
      Manifests manifests,
      Outbox outbox,
      Anchors anchors,
      ClosedMarks closed) {
    this.transaction = transaction;
    this.revisions = revisions;
    this.transitions = transitions;
    this.approvalCheck = approvalCheck;
    this.manifests = manifests;
    this.outbox = outbox;
    this.anchors = anchors;
    this.closed = closed;
  }

  @Override
  public boolean run(Closing closing) {
    if (closing.period().state().isSettled()) {
      return true;
    }
    Period period = transaction.call(closing, () -> settleIfApproved(closing));
    closing.changed().accept(period);
    if (period.state().isSettled()) {
      anchors.keep();
      mark(period);
    }
    return period.state().isSettled();
  }

  /**
   * Nothing but the detection of a PostgreSQL that went back depends on the mark. If it is missing,
   * the sweep marks the board.
   */
  private void mark(Period settled) {
    try {
      closed.mark(settled, SETTLED);
    } catch (RedisUnavailable e) {
      LOG.warn("{} is not marked as settled in Redis: {}", settled.label(), e.getMessage());
    }
  }

  /** Returns the period as it is afterwards. */
  private Period settleIfApproved(Closing closing) {
    return switch (closing.period().state()) {
      case FILLED -> approveOrHold(closing);
      case HELD -> release(closing);
      case APPROVED -> settle(closing, revisions.post(closing.lease(), Revision.FIRST));
      case OPEN, SEALED, REJECTED, SETTLED, EXPIRED -> closing.period();
    };
  }

  private Period settle(Closing closing, Posted posted) {
    closed.markPaying(closing.period());
    Period settled = transitions.settle(closing.lease(), closing.period().state());
    manifests.write(closing.period(), Revision.FIRST, posted.outcome(), closing.board());
    outbox.settled(closing.period());
    closing.progress().step().expect("payments", posted.payments());
    closing.progress().step().reach(posted.payments());
    closing.progress().endStep();
    return settled;
  }

  private Period approveOrHold(Closing closing) {
    List<HoldReason> reasons =
        approvalCheck.reasons(closing.period(), Revision.FIRST, closing.board());
    if (reasons.isEmpty()) {
      return approve(closing, RulesReason.NO_PERSON_ASKED);
    }
    Period held = transitions.advance(closing.lease(), FILLED, HELD);
    outbox.held(closing.period(), closing.lease(), reasons, hold(closing, reasons));
    return held;
  }

  /** Returns when it is released if nobody objects; null if only a person releases it. */
  private @Nullable Instant hold(Closing closing, List<HoldReason> reasons) {
    Instant release = approvalCheck.release(closing.period(), Revision.FIRST, closing.board());
    revisions.hold(closing.period().id(), Revision.FIRST, reasons, release);
    return release;
  }

  /**
   * Approves a held outcome whose time of release has come, unless it exceeds the budget by now, or
   * exclusions have changed. Then another fact says so, since the first one has that time.
   */
  private Period release(Closing closing) {
    Period period = closing.period();
    if (!revisions.isReleasable(period.id(), Revision.FIRST)) {
      return period;
    }
    if (approvalCheck.keepsFromRelease(period, closing.board())) {
      List<HoldReason> reasons = approvalCheck.reasons(period, Revision.FIRST, closing.board());
      outbox.held(period, closing.lease(), reasons, hold(closing, reasons));
      return period;
    }
    return approve(closing, RulesReason.NOBODY_OBJECTED);
  }

  /**
   * Approves and posts in one statement; a verdict of the rules is never without a posting. The
   * posting of a big period takes minutes, in which somebody may exclude or lift.
   */
  private Period approve(Closing closing, RulesReason reason) {
    Posted posted = revisions.approveAndPost(closing.lease(), Revision.FIRST, reason);
    List<Reranked> reranked = approvalCheck.lockedReranked(closing.period());
    if (!reranked.isEmpty()) {
      throw new WrongState(
          new ClosingSentences.WillBeHeld(
              closing.period().label(), ApprovalCheck.changedExclusions(reranked)));
    }
    return settle(closing, posted);
  }
}
