package palmares.operations.rebuild;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.LiveRebuild;
import palmares.live.board.LiveRebuild.ChangedLine;
import palmares.live.journal.MissingEvents;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.Repair;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Said;
import palmares.settlement.lines.Shortfall;
import palmares.settlement.lines.Shortfalls;

/**
 * Prevents a rebuild from losing events, and a sealed period from closing with fewer members,
 * points or events than were sealed, unless a person acknowledges the loss.
 */
@Component
class AcknowledgedLosses {
  private static final String FENCE = "fence";
  private static final int MAX_LISTED_MEMBERS = 100;

  private final JdbcClient jdbc;
  private final LiveRebuild live;
  private final BoardDefinitions definitions;
  private final Shortfalls shortfalls;
  private final AuditLog auditLog;

  AcknowledgedLosses(
      JdbcClient jdbc,
      LiveRebuild live,
      BoardDefinitions definitions,
      Shortfalls shortfalls,
      AuditLog auditLog) {
    this.jdbc = jdbc;
    this.live = live;
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
      Population sealed = lacks.get().sealed();
      throw new Refusal(
              Problem.EVENTS_MISSING,
              new RebuildSentences.WouldLose(
                  period.label(),
                  rebuilt.events(),
                  sealed.events(),
                  rebuilt.members(),
                  sealed.members(),
                  rebuilt.points(),
                  sealed.points()))
          .then(Repair.ACCEPT_LOSS.next(period.board(), period.name()));
    }
    return lacks;
  }

  /**
   * Returns what an interrupted rebuild was to give up; empty if there is none, or if the loss is
   * recorded.
   */
  Optional<Loss> givenUp(Period period) {
    Map<String, String> kept = live.keptMissing(period);
    if (kept.isEmpty()) {
      return Optional.empty();
    }
    boolean recorded =
        jdbc.sql(
                """
                select exists (
                  select from acknowledged_loss where period_id = :period and fence = :fence)
                """)
            .param("period", period.id())
            .param("fence", Long.valueOf(kept.getOrDefault(FENCE, "0")))
            .query(Boolean.class)
            .single();
    return recorded ? Optional.empty() : Optional.of(Loss.of(kept));
  }

  /** Remembers in Redis what is given up, until the loss is recorded. */
  void giveUp(Period period, Lease lease, Loss loss) {
    if (!loss.isNone()) {
      var facts = new HashMap<>(loss.facts());
      facts.put(FENCE, Long.toString(lease.fence()));
      live.keepMissing(period, facts);
    }
  }

  /** Finds whose points are others than before. */
  GivenUp compare(Period period, MissingEvents missing) {
    var lines = new ArrayList<ChangedLine>();
    long[] members = {0};
    live.changedLines(
        period,
        definitions.of(period),
        line -> {
          members[0]++;
          if (lines.size() < MAX_LISTED_MEMBERS) {
            lines.add(line);
          }
        });
    return new GivenUp(missing, members[0], lines);
  }

  /**
   * Records who acknowledged a loss, and what is left.
   *
   * @param loss what PostgreSQL lacks
   * @param givenUp the events that are given up; null if none are, or they are not known one by one
   */
  @Transactional(propagation = Propagation.MANDATORY)
  void keep(
      Lease lease,
      Period period,
      Population rebuilt,
      Loss loss,
      @Nullable GivenUp givenUp,
      Acknowledgement acknowledged) {
    String forgotten = loss.forgotten() == null ? null : loss.forgotten().word();
    Instant at =
        auditLog.append(
            AuditEntry.of(
                    period.board(),
                    period.name(),
                    acknowledged.by(),
                    "accept-loss",
                    acknowledged.reason())
                .with("members", rebuilt.members())
                .with("points", rebuilt.points())
                .with("events", rebuilt.events())
                .with("missing", givenUp == null ? null : givenUp.events().multirange())
                .with("missingEvents", givenUp == null ? null : givenUp.events().count())
                .with("changedMembers", givenUp == null ? null : givenUp.members())
                .with("forgotten", forgotten));
    jdbc.sql(
            """
            insert into acknowledged_loss (
              period_id, fence, members, points, events, missing, missing_events, changed_members,
              forgotten, given_up, reason, made_by, made_at)
            values (:period, :fence, :members, :points, :events, :missing::int8multirange,
              :missingEvents, :changedMembers, :forgotten, :givenUp::jsonb, :reason, :by, :at)
            """)
        .param("period", period.id())
        .param("fence", lease.fence())
        .param("members", rebuilt.members())
        .param("points", rebuilt.points())
        .param("events", rebuilt.events())
        .param("missing", givenUp == null ? null : givenUp.events().multirange())
        .param("missingEvents", givenUp == null ? null : givenUp.events().count())
        .param("changedMembers", givenUp == null ? null : givenUp.members())
        .param("forgotten", forgotten)
        .param("givenUp", givenUp == null ? null : Said.toJson(givenUp.said()))
        .param("reason", acknowledged.reason())
        .param("by", acknowledged.by())
        .param("at", at)
        .update();
  }
}
