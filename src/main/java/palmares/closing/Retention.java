package palmares.closing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.period.Agenda;
import palmares.period.Definitions;
import palmares.period.Leases;
import palmares.period.Owner;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;

/** Expires the settled periods whose retention has run out since they were closed. */
@Component
class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

  private final Agenda agenda;
  private final Periods periods;
  private final Definitions definitions;
  private final Leases leases;
  private final Runs runs;
  private final Expiry expiry;

  Retention(
      Agenda agenda,
      Periods periods,
      Definitions definitions,
      Leases leases,
      Runs runs,
      Expiry expiry) {
    this.agenda = agenda;
    this.periods = periods;
    this.definitions = definitions;
    this.leases = leases;
    this.runs = runs;
    this.expiry = expiry;
  }

  void sweep() {
    runs.endSettled();
    agenda.expirable().forEach(this::expire);
  }

  private void expire(PeriodId id) {
    leases
        .take(id, Owner.NAME)
        .ifPresent(
            lease -> {
              Period period = periods.get(id);
              try {
                if (expiry.expire(new Closing(period, definitions.of(period), lease, "schedule"))) {
                  LOG.info("expired board={} period={}", period.board(), period.name());
                }
              } catch (RuntimeException e) {
                LOG.error(
                    "live keys stay board={} period={}; tried again at the next sweep: {}",
                    period.board(),
                    period.name(),
                    e.getMessage());
              } finally {
                leases.release(lease);
              }
            });
  }
}
