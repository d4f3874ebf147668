package palmares.operations.lateevents;

import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;
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
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Keeps people's decisions on late events. Accepted ones count from the next amendment on. */
@Component
public class LateEventDecisions {
  private static final int MAX_NAMED_REJECTIONS = 10;

  private final LateEventRows rows;
  private final LateEventEvaluator evaluator;
  private final Periods periods;
  private final AuditLog auditLog;
  private final JdbcClient jdbc;
  private final Clock clock;

  LateEventDecisions(
      LateEventRows rows,
      LateEventEvaluator evaluator,
      Periods periods,
      AuditLog auditLog,
      JdbcClient jdbc,
      Clock clock) {
    this.rows = rows;
    this.evaluator = evaluator;
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
   * Decides on late events of the period: all of those named, or none.
   *
   * @param ids the events; empty for all that are not decided yet, or if earlier decisions are
   *     changed, for all that were accepted and count in no revision
   * @return the events that were decided, in order of arrival
   * @throws WrongState if one does not exist, is decided already, or cannot count
   */
  @Transactional
  public List<LateEvent> decide(Period period, Collection<String> ids, Choice choice) {
    periods.lock(period.id());
    List<LateEvent> chosen =
        ids.isEmpty() && choice.change()
            ? uncounted(period)
            : chosen(period.board(), period.name(), rows.of(period), ids);
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
      auditLog.append(auditEntry(event, choice), decision.at());
    }
    requireAllCount(period, chosen);
    return chosen;
  }

  /**
   * Dismisses late events of a period that was never opened: all of those named, or none. They
   * could count nowhere.
   *
   * @param ids the events; empty for all that are not decided yet
   * @return the events that were dismissed, in order of arrival
   * @throws WrongState if one does not exist, or is decided already
   */
  @Transactional
  public List<LateEvent> dismiss(
      BoardId board, PeriodName period, Collection<String> ids, String by, String reason) {
    rows.lock(board, period);
    var choice = new Choice(Verdict.DISMISSED, by, reason, false);
    List<LateEvent> chosen = chosen(board, period, rows.of(board, period), ids);
    var decision = new Decision(choice.verdict(), by, clock.instant(), reason);
    for (LateEvent event : chosen) {
      if (event.decision() != null) {
        throw decided(event, event.decision(), choice, ZoneOffset.UTC);
      }
      rows.decide(event, decision);
      auditLog.append(auditEntry(event, choice), decision.at());
    }
    return chosen;
  }

  private static AuditEntry auditEntry(LateEvent event, Choice choice) {
    return new AuditEntry(
            choice.by(),
            choice.verdict() == Verdict.ACCEPTED ? "accept" : "dismiss",
            event.board(),
            event.period(),
            null,
            event.member(),
            choice.reason())
        .with("lateEvent", event.id())
        .with("before", event.decision() == null ? null : event.decision().verdict().word());
  }

  private static List<LateEvent> chosen(
      BoardId board, PeriodName period, List<LateEvent> all, Collection<String> ids) {
    String label = board + " " + period;
    if (ids.isEmpty()) {
      List<LateEvent> undecided = all.stream().filter(event -> event.decision() == null).toList();
      if (undecided.isEmpty()) {
        throw new WrongState(new LateEventSentences.NoneUndecided(label));
      }
      return undecided;
    }
    var missing = new TreeSet<String>(ids);
    all.forEach(event -> missing.remove(event.id()));
    if (!missing.isEmpty()) {
      throw new WrongState(new LateEventSentences.Unknown(label, missing.first()))
          .then(Next.of("late", board, period));
    }
    return all.stream().filter(event -> ids.contains(event.id())).toList();
  }

  /** Those that were accepted, and that no revision counts which is posted or undecided. */
  private List<LateEvent> uncounted(Period period) {
    List<LateEvent> uncounted =
        rows.of(period).stream()
            .filter(event -> event.isAccepted() && rows.included(period, event.id()).isEmpty())
            .toList();
    if (uncounted.isEmpty()) {
      throw new WrongState(new LateEventSentences.NoneUncounted(period.label()));
    }
    return uncounted;
  }

  private static void requireSettled(Period period) {
    if (!period.state().isSettled()) {
      throw new WrongState(new LateEventSentences.UnsettledPeriod(period.label(), period.state()));
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
              String label = period.label();
              throw in.posted()
                  ? new WrongState(new LateEventSentences.Paid(event.id(), in.revision(), label))
                      .then(Next.of("amend", period.board(), period.name()))
                  : new WrongState(
                          new LateEventSentences.Prepared(event.id(), in.revision(), label))
                      .then(
                          Next.of("reject", period.board(), period.name())
                              .with("revision", in.revision()));
            });
    if (!choice.change() || before.verdict() == choice.verdict()) {
      throw decided(event, before, choice, evaluator.zone(period));
    }
  }

  private static WrongState decided(LateEvent event, Decision before, Choice choice, ZoneId zone) {
    var refusal =
        new WrongState(
            new LateEventSentences.DecidedBefore(
                event.id(),
                event.board() + " " + event.period(),
                before.verdict(),
                before.by(),
                before.at().atZone(zone),
                before.reason()));
    return before.verdict() == choice.verdict()
        ? refusal
        : refusal.then(
            again(choice.verdict() == Verdict.ACCEPTED ? "accept-late" : "dismiss-late", event));
  }

  /** Decides on an event again. */
  static Next again(String verb, LateEvent event) {
    return Next.of(verb, event.board(), event.period())
        .with("ids", event.id())
        .with("change", true);
  }

  private void requireNotInTime(Period period, LateEvent event, Verdict verdict) {
    if (verdict == Verdict.ACCEPTED && evaluator.arrivedInTime(period.id(), event.id())) {
      throw new WrongState(new LateEventSentences.ArrivedInTime(event.id(), period.label()))
          .then(Next.of("dismiss-late", event.board(), event.period()).with("ids", event.id()));
    }
  }

  /** Evaluates all accepted and unpaid events in order, on top of the current revision. */
  private void requireAllCount(Period period, List<LateEvent> chosen) {
    if (!period.state().isSettled()) {
      return;
    }
    int revision = currentRevision(period);
    var rejections = new ArrayList<Sentence>();
    var members = chosen.stream().map(LateEvent::member).collect(Collectors.toSet());
    Map<String, LateEventEvaluation> evaluations = new HashMap<>();
    int n = 0;
    for (LateEvent event : rows.accepted(period, revision)) {
      if (members.contains(event.member())) {
        Effect effect =
            evaluations
                .computeIfAbsent(
                    event.member(), member -> evaluator.begin(period, revision, member))
                .apply(event, ++n);
        if (effect.rejection() != null) {
          rejections.add(new LateEventSentences.CannotCount(event.id(), effect.rejection()));
        }
      }
    }
    if (!rejections.isEmpty()) {
      throw new WrongState(
          new LateEventSentences.NoneDecided(
              period.label(), ListSentences.lines(rejections, MAX_NAMED_REJECTIONS)));
    }
  }

  int currentRevision(Period period) {
    return jdbc.sql("select revision from period where id = :id")
        .param("id", period.id())
        .query(Integer.class)
        .single();
  }
}
