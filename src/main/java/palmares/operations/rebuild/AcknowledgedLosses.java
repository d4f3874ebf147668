package palmares.operations.rebuild;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Refusal;
import palmares.platform.time.SqlTime;
import palmares.settlement.lines.Shortfall;
import palmares.settlement.lines.Shortfalls;

/**
 * Prevents a sealed period from closing with fewer members, points or events than were sealed,
 * unless a person acknowledges the loss.
 */
@Component
class AcknowledgedLosses {
  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;
  private final Shortfalls shortfalls;
  private final AuditLog auditLog;

  AcknowledgedLosses(
      JdbcClient jdbc, BoardDefinitions definitions, Shortfalls shortfalls, AuditLog auditLog) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.shortfalls = shortfalls;
    this.auditLog = auditLog;
  }

  /**
   * Compares what the journal would rebuild with a sealed board, before anything is changed.
   *
   * @throws Refusal if it lacks anything that nobody has acknowledged
   */
  void check(Period period, @Nullable Acknowledgement acknowledged) {
    if (period.state() != PeriodState.OPEN) {
      find(period, shortfalls.journaled(period, definitions.of(period)), acknowledged);
    }
  }

  /**
   * Finds what a rebuilt board lacks of the sealed one.
   *
   * @throws Refusal if it lacks anything that nobody has acknowledged
   */
  Optional<Shortfall> find(
      Period period, Population rebuilt, @Nullable Acknowledgement acknowledged) {
    Optional<Shortfall> lacks = shortfalls.find(period, rebuilt);
    if (lacks.isPresent() && acknowledged == null) {
      throw new Refusal(
          Refusal.Reason.EVENTS_MISSING,
          ("%1$s cannot be rebuilt as it was sealed, so nobody is paid: %2$s. Restore Redis or"
                  + " PostgreSQL to a state that has them; to close without them:"
                  + " 'palmares rebuild %1$s --replace --accept-loss --reason TEXT'")
              .formatted(period.label(), lacks.get().sentence()));
    }
    return lacks;
  }

  /** Records who acknowledged the loss, and what is left. */
  @Transactional(propagation = Propagation.MANDATORY)
  void keep(Lease lease, Shortfall lacks, Acknowledgement acknowledged) {
    Period period = lacks.period();
    Instant at =
        auditLog.append(
            AuditEntry.of(
                period.board(),
                period.name(),
                acknowledged.by(),
                "accept-loss",
                acknowledged.reason()));
    jdbc.sql(
            """
            insert into acknowledged_loss (
              period_id, fence, members, points, events, reason, made_by, made_at)
            values (:period, :fence, :members, :points, :events, :reason, :by, :at)
            """)
        .param("period", period.id().value())
        .param("fence", lease.fence())
        .param("members", lacks.rebuilt().members())
        .param("points", lacks.rebuilt().points())
        .param("events", lacks.rebuilt().events())
        .param("reason", acknowledged.reason())
        .param("by", acknowledged.by())
        .param("at", SqlTime.utc(at))
        .update();
  }
}
