package palmares.operations.lateevents;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.lateevents.LateEvent.Decision;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventEvaluation.Effect;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;

/** Decides on late events: accepted ones count from the period's next amendment on. */
@Component
public class LateEventDecisions {
  /** So many objections are told at once. */
  private static final int TOLD = 10;

  private final LateEventRows rows;
  private final LateEventEvaluator lateEventEvaluator;
  private final Periods periods;
  private final AuditLog auditLog;
  private final JdbcClient jdbc;
  private final Clock clock;

  LateEventDecisions(
      LateEventRows rows,
      LateEventEvaluator lateEventEvaluator,
      Periods periods,
      AuditLog auditLog,
      JdbcClient jdbc,
      Clock clock) {
    this.rows = rows;
    this.lateEventEvaluator = lateEventEvaluator;
    this.periods = periods;
    this.auditLog = auditLog;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * A person's decision.
   *
   * @param change whether it may replace an earlier one
   */
  public record Choice(Verdict verdict, String by, String reason, boolean change) {}

  /**
   * Decides on some late events of the period, or on all that nobody has decided on. All of them,
   * or none.
   *
   * @param ids none for all
   * @return those that were decided on, in the order in which they came
   * @throws LateEventRefused if one is not there, is decided on already, or could not count
   */
  @Transactional
  public List<LateEvent> decide(Period period, Collection<String> ids, Choice choice) {
    periods.lock(period.id());
    List<LateEvent> chosen = chosen(period, ids);
    if (choice.verdict() == Verdict.ACCEPTED) {
      requireSettled(period);
    }
    for (LateEvent event : chosen) {
      requireUndecided(period, event, choice);
      requireNotInTime(period, event, choice.verdict());
    }
    var decision = new Decision(choice.verdict(), choice.by(), clock.instant(), choice.reason());
    for (LateEvent event : chosen) {
      rows.decide(event, decision);
      auditLog.append(act(period, event, choice));
    }
    requireAllCount(period, chosen);
    return chosen;
  }

  private static AuditEntry act(Period period, LateEvent event, Choice choice) {
    return new AuditEntry(
        choice.by(),
        choice.verdict() == Verdict.ACCEPTED ? "accept" : "dismiss",
        period.board().value(),
        period.name().value(),
        null,
        event.member(),
        "late event %s: %s".formatted(event.id(), choice.reason()));
  }

  private List<LateEvent> chosen(Period period, Collection<String> ids) {
    List<LateEvent> all = rows.of(period);
    if (ids.isEmpty()) {
      List<LateEvent> open = all.stream().filter(event -> event.decision() == null).toList();
      if (open.isEmpty()) {
        throw new LateEventRefused(
            "%s has no late event that nobody has decided on".formatted(period.label()));
      }
      return open;
    }
    var missing = new TreeSet<String>(ids);
    all.forEach(event -> missing.remove(event.id()));
    if (!missing.isEmpty()) {
      throw new LateEventRefused(
          "%s has no late event '%s': 'palmares late %s' lists those that it has"
              .formatted(period.label(), missing.first(), period.label()));
    }
    return all.stream().filter(event -> ids.contains(event.id())).toList();
  }

  private static void requireSettled(Period period) {
    if (!period.state().isSettled()) {
      throw new LateEventRefused(
          "%s is not settled yet, it is %s: accept its late events once it is"
              .formatted(period.label(), period.state().word()));
    }
  }

  private void requireUndecided(Period period, LateEvent event, Choice choice) {
    Decision before = event.decision();
    if (before == null) {
      return;
    }
    rows.included(period, event.id())
        .ifPresent(
            in -> {
              throw new LateEventRefused(
                  in.posted()
                      ? "late event '%s' counts in revision %d of %s, which is paid: put the points"
                              .formatted(event.id(), in.revision(), period.label())
                          + " of its member right by hand instead, in an amendment"
                      : "late event '%s' counts in revision %d of %s, which waits for a verdict:"
                              .formatted(event.id(), in.revision(), period.label())
                          + " reject that first");
            });
    if (!choice.change() || before.verdict() == choice.verdict()) {
      throw new LateEventRefused(
          "late event '%s' of %s was %s by %s at %s already (%s)%s"
              .formatted(
                  event.id(),
                  period.label(),
                  before.verdict().word(),
                  before.by(),
                  before.at(),
                  before.reason(),
                  before.verdict() == choice.verdict() ? "" : ": --change decides anew"));
    }
  }

  private void requireNotInTime(Period period, LateEvent event, Verdict verdict) {
    if (verdict == Verdict.ACCEPTED && lateEventEvaluator.inTime(period.id(), event.id())) {
      throw new LateEventRefused(
          "late event '%s' of %s came in time, too, and was decided then: dismiss it"
              .formatted(event.id(), period.label()));
    }
  }

  /** All that is accepted and not paid yet, one after the other, on top of what stands. */
  private void requireAllCount(Period period, List<LateEvent> chosen) {
    if (!period.state().isSettled()) {
      return;
    }
    int revision = standing(period);
    var objections = new ArrayList<String>();
    var members = chosen.stream().map(LateEvent::member).collect(Collectors.toSet());
    Map<String, LateEventEvaluation> heard = new HashMap<>();
    int n = 0;
    for (LateEvent event : rows.accepted(period, revision, null)) {
      if (members.contains(event.member())) {
        Effect effect =
            heard
                .computeIfAbsent(
                    event.member(), member -> lateEventEvaluator.open(period, revision, member))
                .take(event, ++n);
        if (effect.objection() != null) {
          objections.add("late event '%s': %s".formatted(event.id(), effect.objection()));
        }
      }
    }
    if (!objections.isEmpty()) {
      throw new LateEventRefused(told(period, objections));
    }
  }

  private static String told(Period period, List<String> objections) {
    String first = objections.stream().limit(TOLD).collect(Collectors.joining("\n  "));
    return "of %s, these could not count, so nothing was changed:\n  %s%s"
        .formatted(
            period.label(),
            first,
            objections.size() > TOLD ? "\n  and %d more".formatted(objections.size() - TOLD) : "");
  }

  /** The revision of the period that stands. */
  int standing(Period period) {
    return jdbc.sql("select revision from period where id = :id")
        .param("id", period.id().value())
        .query(Integer.class)
        .single();
  }
}
