package palmares.settlement.closing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedBoards;
import palmares.live.board.LiveBoards;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Leases.Leased;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Population;
import palmares.platform.Refusal;
import palmares.platform.text.Texts;
import palmares.settlement.verification.Verification;

/**
 * Removes the live keys of settled periods whose retention is over, and marks the periods expired.
 *
 * <p>Keys are removed only if the period verifies, and never while an amendment of it is open. The
 * period stays settled until the last key is gone, so an attempt that dies is resumed by the next.
 * A period that fails is put off, and delays no other.
 */
@Component
public class Expiry {
  private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);

  /** All of them are leased during their verification, which is much shorter than a lease. */
  private static final int MAX_PERIODS_PER_VERIFICATION = 100;

  /** The most members, and the most events, of a period that is verified together with others. */
  private static final long MAX_ROWS_OF_SMALL_PERIOD = 1_000;

  private final LeasedTransaction transaction;
  private final LiveBoards live;
  private final AdoptedBoards adopted;
  private final LateWriteCheck lateWrites;
  private final Verification verification;
  private final DuePeriods duePeriods;
  private final BoardDefinitions definitions;
  private final Leases leases;

  Expiry(
      LeasedTransaction transaction,
      LiveBoards live,
      AdoptedBoards adopted,
      LateWriteCheck lateWrites,
      Verification verification,
      DuePeriods duePeriods,
      BoardDefinitions definitions,
      Leases leases) {
    this.transaction = transaction;
    this.live = live;
    this.adopted = adopted;
    this.lateWrites = lateWrites;
    this.verification = verification;
    this.duePeriods = duePeriods;
    this.definitions = definitions;
    this.leases = leases;
  }

  /** Expires the periods that are due, each under its lease. */
  public void expire() {
    expire(duePeriods.expirable());
  }

  /** Expires these periods, each under its lease. */
  public void expire(List<PeriodId> due) {
    expire(due, verified -> {}, done -> {});
  }

  /**
   * Expires these periods, as above.
   *
   * @param verified receives the number of periods that are verified or done
   * @param done receives the number of periods that are done, and at last the number of all
   */
  public void expire(List<PeriodId> due, LongConsumer verified, LongConsumer done) {
    var batch = new ArrayList<Closing>();
    for (int i = 0; i < due.size(); i++) {
      Optional<Closing> leased = lease(due.get(i));
      if (leased.isPresent() && isSmall(leased.get().period())) {
        batch.add(leased.get());
      } else if (leased.isPresent()) {
        expire(leased.get(), false);
      }
      if (batch.size() == MAX_PERIODS_PER_VERIFICATION || i + 1 == due.size() && !batch.isEmpty()) {
        boolean isVerified = verify(batch);
        verified.accept(i + 1);
        for (int n = 0; n < batch.size(); n++) {
          expire(batch.get(n), isVerified);
          done.accept(i + 1 - batch.size() + n);
        }
        batch.clear();
      }
      done.accept(i + 1 - batch.size());
    }
  }

  private Optional<Closing> lease(PeriodId id) {
    Optional<Leased> taken = leases.takeAndRead(id, Lease.THIS_PROCESS);
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Lease lease = taken.get().lease();
    Period period = taken.get().period();
    try {
      return Optional.of(
          new Closing(
              period,
              definitions.of(period),
              lease,
              ClosingCause.of("schedule"),
              new Heartbeat(leases, lease),
              RunProgress.ofNoRun(),
              changed -> {}));
    } catch (RuntimeException e) { // A period that fails must not delay the others.
      putOff(lease, period, e);
      leases.release(lease);
      return Optional.empty();
    }
  }

  private static boolean isSmall(Period period) {
    Population population = period.population();
    return population != null
        && population.members() <= MAX_ROWS_OF_SMALL_PERIOD
        && population.events() <= MAX_ROWS_OF_SMALL_PERIOD;
  }

  /**
   * Verifying many small periods at once takes little longer than verifying one. If any period
   * differs, returns false: each is then verified alone.
   */
  private boolean verify(List<Closing> batch) {
    try {
      return verification.verify(batch.stream().map(each -> each.period().id()).toList()).clean();
    } catch (RuntimeException e) {
      LOG.debug("periods are verified one by one", e);
      return false;
    }
  }

  private void expire(Closing closing, boolean verified) {
    Period period = closing.period();
    try {
      if (removeKeys(closing, verified)) {
        LOG.info("expired board={} period={}", period.board(), period.name());
      }
    } catch (Throwable e) { // A period that fails must not delay the others.
      putOff(closing.lease(), period, e);
    } finally {
      leases.release(closing.lease());
    }
  }

  /** Returns whether the keys are gone; false if the period may not expire yet. */
  private boolean removeKeys(Closing closing, boolean verified) {
    Period period = closing.period();
    if (!duePeriods.isExpirable(period.id())) {
      return false;
    }
    lateWrites.check(closing);
    if (!verified) {
      transaction.run(closing, () -> verification.verify(List.of(period.id())).require());
    }
    // Outside of a transaction: removing a board of millions of members takes minutes.
    closing.heartbeat().run();
    closing
        .board()
        .kind()
        .run(
            () -> live.delete(period, closing.heartbeat()),
            adoption -> adopted.delete(period, closing.board(), closing.heartbeat()));
    if (!period.state().isExpired()) {
      transaction.change(closing, transitions -> transitions.expire(closing.lease()));
    }
    return true;
  }

  private void putOff(Lease lease, Period period, Throwable reason) {
    String failure = Texts.english(Refusal.said(reason));
    duePeriods
        .recordExpiryFailure(lease, failure)
        .ifPresent(
            retryAt ->
                LOG.error(
                    "live keys stay board={} period={}; tried again at {}: {}",
                    period.board(),
                    period.name(),
                    retryAt,
                    failure));
  }
}
