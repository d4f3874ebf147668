package palmares.live.board;

import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;

/**
 * Keeps the ends that live boards know equal to those of their periods, which a person may extend.
 *
 * <p>Redis gets the new end just before PostgreSQL commits it: the other way round, it would refuse
 * events of an extended period. If the commit fails, Redis gets the former end back. If the process
 * dies between the two, or Redis loses the change, the next drain repairs it. Until then the live
 * board takes at most what was on its way to it when the former end passed.
 */
@Component
public class LiveEnds {
  private final LiveBoards live;
  private final LiveExclusions exclusions;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final TransactionTemplate apart;

  LiveEnds(
      LiveBoards live,
      LiveExclusions exclusions,
      Periods periods,
      BoardDefinitions definitions,
      PlatformTransactionManager transactions) {
    this.live = live;
    this.exclusions = exclusions;
    this.periods = periods;
    this.definitions = definitions;
    this.apart = new TransactionTemplate(transactions);
    this.apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
  }

  /**
   * Sends the end that the transaction gives to a period when the transaction commits. If Redis
   * does not take it, the transaction is rolled back.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void sendWithCommit(PeriodId id) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          private boolean sent;

          @Override
          public void beforeCommit(boolean readOnly) {
            sent = true;
            send(periods.get(id));
          }

          @Override
          public void afterCompletion(int status) {
            if (sent && status != STATUS_COMMITTED) {
              repair(id);
            }
          }
        });
  }

  /** Gives the live board of a period, if that is open, the end that PostgreSQL has committed. */
  public void repair(PeriodId id) {
    apart.executeWithoutResult(
        status -> {
          // An extension that is about to commit has locked the row.
          if (periods.lock(id).state() == PeriodState.OPEN) {
            send(periods.get(id));
          }
        });
  }

  /** Another end may let other exclusions apply. */
  private void send(Period period) {
    live.replaceRules(period, definitions.of(period));
    exclusions.update(period);
  }
}
