package palmares.settlement.closing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.Population;
import palmares.settlement.verification.Verification;

/**
 * Expires the settled periods whose retention has run out. A period that cannot be expired, since
 * it does not verify or Redis does not answer, is put off by itself and holds up no other.
 */
@Component
class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

  /** All of them are leased while they are verified, well within the length of a lease. */
  private static final int MAX_PERIODS_PER_VERIFICATION = 100;

  /** Of members, and of events. */
  private static final long MAX_LINES_PER_PERIOD = 1_000;

  private final DuePeriods duePeriods;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Leases leases;
  private final Verification verification;
  private final Expiry expiry;

  Retention(
      DuePeriods duePeriods,
      Periods periods,
      BoardDefinitions definitions,
      Leases leases,
      Verification verification,
      Expiry expiry) {
    this.duePeriods = duePeriods;
    this.periods = periods;
    this.definitions = definitions;
    this.leases = leases;
    this.verification = verification;
    this.expiry = expiry;
  }

  /** Expires those that are due, each under its lease. */
  void expire() {
    expire(duePeriods.expirable(), done -> {});
  }

  /**
   * Expires these, each under its lease.
   *
   * @param progress receives how many of them are done with
   */
  void expire(List<PeriodId> due, LongConsumer progress) {
    var batch = new ArrayList<Closing>();
    for (int i = 0; i < due.size(); i++) {
      Optional<Closing> leased = lease(due.get(i));
      progress.accept(i);
      if (leased.isEmpty()) {
        continue;
      }
      if (isSmall(leased.get().period())) {
        batch.add(leased.get());
      } else {
        expire(leased.get(), false);
      }
      if (batch.size() == MAX_PERIODS_PER_VERIFICATION) {
        expireTogether(batch);
        batch.clear();
      }
    }
    expireTogether(batch);
  }

  private Optional<Closing> lease(PeriodId id) {
    Optional<Lease> lease = leases.take(id, Lease.THIS_PROCESS);
    if (lease.isEmpty()) {
      return Optional.empty();
    }
    Period period = periods.get(id);
    try {
      return Optional.of(
          new Closing(period, definitions.of(period), lease.get(), ClosingCause.of("schedule")));
    } catch (RuntimeException e) { // One period must not keep the others.
      putOff(lease.get(), period, e);
      leases.release(lease.get());
      return Optional.empty();
    }
  }

  private static boolean isSmall(Period period) {
    Population population = period.population();
    return population != null
        && population.members() <= MAX_LINES_PER_PERIOD
        && population.events() <= MAX_LINES_PER_PERIOD;
  }

  /** One verification of many small periods costs little more than that of one. */
  private void expireTogether(List<Closing> batch) {
    boolean verified = verify(batch);
    batch.forEach(closing -> expire(closing, verified));
  }

  /** False if any of them differs: then each is verified alone, so that one holds up no other. */
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
      if (expiry.expire(closing, verified)) {
        LOG.info("expired board={} period={}", period.board(), period.name());
      }
    } catch (Throwable e) { // One period must not keep the others.
      putOff(closing.lease(), period, e);
    } finally {
      leases.release(closing.lease());
    }
  }

  private void putOff(Lease lease, Period period, Throwable reason) {
    String failure = reason.getMessage() == null ? reason.toString() : reason.getMessage();
    duePeriods
        .recordExpiryFailure(lease, failure)
        .ifPresent(
            again ->
                LOG.error(
                    "live keys stay board={} period={}; tried again at {}: {}",
                    period.board(),
                    period.name(),
                    again,
                    failure));
  }
}
