package palmares.closing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.period.Agenda;
import palmares.period.Definitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Owner;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;

/**
 * Expires the settled periods whose retention has run out. A period that cannot be expired, since
 * it does not verify or Redis does not answer, is put off by itself and holds up no other.
 */
@Component
class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

  private final Agenda agenda;
  private final Periods periods;
  private final Definitions definitions;
  private final Leases leases;
  private final Expiry expiry;

  Retention(Agenda agenda, Periods periods, Definitions definitions, Leases leases, Expiry expiry) {
    this.agenda = agenda;
    this.periods = periods;
    this.definitions = definitions;
    this.leases = leases;
    this.expiry = expiry;
  }

  /** Expires those that are due, each under its lease. */
  void expire() {
    agenda.expirable().forEach(this::expire);
  }

  /** As {@link #expire()}, those that failed a short while ago, too. */
  void expireOnDemand() {
    agenda.expirableOnDemand().forEach(this::expire);
  }

  private void expire(PeriodId id) {
    leases
        .take(id, Owner.NAME)
        .ifPresent(
            lease -> {
              Period period = periods.get(id);
              try {
                if (expiry.expire(
                    new Closing(period, definitions.of(period), lease, Cause.of("schedule")))) {
                  LOG.info("expired board={} period={}", period.board(), period.name());
                }
              } catch (Throwable e) { // One period must not keep the others.
                putOff(lease, period, e);
              } finally {
                leases.release(lease);
              }
            });
  }

  private void putOff(Lease lease, Period period, Throwable reason) {
    String failure = reason.getMessage() == null ? reason.toString() : reason.getMessage();
    agenda
        .putOffExpiry(lease, failure)
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
