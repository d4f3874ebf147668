package palmares.operations.lateevents;

import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.Verdict;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.WrongState;
import palmares.platform.text.Next;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.settlement.outcome.Revisions;

/** Evaluates late events against a settled period: its journal, lines and earlier corrections. */
@Component
class LateEventEvaluator {
  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;
  private final CorrectionRows corrections;
  private final LateEventRows lateEvents;
  private final Revisions revisions;

  LateEventEvaluator(
      JdbcClient jdbc,
      BoardDefinitions definitions,
      CorrectionRows corrections,
      LateEventRows lateEvents,
      Revisions revisions) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.corrections = corrections;
    this.lateEvents = lateEvents;
    this.revisions = revisions;
  }

  /** How corrections change the period's lines. */
  LineCorrection correction(Period period) {
    return LineCorrection.of(
        definitions.of(period), Objects.requireNonNull(period.population(), "sealed").events());
  }

  /**
   * Begins to evaluate late events of one member, on top of a revision and its corrections.
   *
   * @throws WrongState if the journal is archived
   */
  LateEventEvaluation begin(Period period, int revision, String member) {
    requireJournal(period);
    Board rules = definitions.of(period);
    LineCorrection lineCorrection = correction(period);
    List<Correction> made = corrections.corrections(period.id(), revision, member);
    MemberScore closing = corrections.closingLines(period.id(), List.of(member)).get(member);
    return new LateEventEvaluation(
        rules,
        period.slot(),
        lineCorrection,
        actions(period, rules, member, made),
        lineCorrection.applyAll(closing, made));
  }

  private MemberActions actions(Period period, Board rules, String member, List<Correction> made) {
    var actions = new MemberActions(rules);
    addJournal(period.id(), rules, member, actions);
    Map<String, LateEvent> late = lateEvents(period, made);
    for (Correction correction : made) {
      LateEvent event = correction.byHand() ? null : late.get(correction.eventId());
      Action action = event == null ? null : rules.actions().get(event.action());
      if (event != null && action != null) {
        LateEventEvaluation.record(actions, event, action, correction);
      }
    }
    return actions;
  }

  private Map<String, LateEvent> lateEvents(Period period, List<Correction> made) {
    var byId = new HashMap<String, LateEvent>();
    var ids = made.stream().filter(one -> !one.byHand()).map(one -> one.eventId() + "").toList();
    lateEvents.byIds(period, ids).forEach(event -> byId.put(event.id(), event));
    return byId;
  }

  private void addJournal(PeriodId period, Board rules, String member, MemberActions actions) {
    jdbc.sql(
            """
            select action, subject, outcome, quantity, points, then_by, occurred_at
            from event
            where period_id = :period
              and member = :member
              and outcome in ('applied', 'undone', 'unchanged')
            order by seq
            """)
        .param("period", period)
        .param("member", member)
        .query(Row.class)
        .list()
        .forEach(row -> row.addTo(actions, rules));
  }

  private record Row(
      String action,
      @Nullable String subject,
      Verdict outcome,
      long quantity,
      long points,
      long thenBy,
      Instant occurredAt) {
    void addTo(MemberActions actions, Board rules) {
      Action counted = rules.actions().get(action);
      if (counted != null && outcome == Verdict.UNDONE) {
        actions.undid(counted, subject, occurredAt);
      } else if (counted != null) {
        actions.did(counted, subject, occurredAt, quantity, points, thenBy);
      }
    }
  }

  private void requireJournal(Period period) {
    long decided = Objects.requireNonNull(period.population(), "sealed").events();
    if (revisions.isArchived(period.id()) || decided > 0 && !hasJournal(period.id())) {
      throw new WrongState(new LateEventSentences.ArchivedPeriod(period.label()))
          .then(Next.of("dismiss-late", period.board(), period.name()));
    }
  }

  /** The zone of the period's days. */
  ZoneId zone(Period period) {
    return definitions.of(period).zone();
  }

  private boolean hasJournal(PeriodId period) {
    return jdbc.sql("select exists (select from event where period_id = :period)")
        .param("period", period)
        .query(Boolean.class)
        .single();
  }

  /** Whether the journal has an event with this id, so that it was decided in time. */
  boolean arrivedInTime(PeriodId period, String id) {
    return jdbc.sql("select exists (select from event where period_id = :period and id = :id)")
        .param("period", period)
        .param("id", id)
        .query(Boolean.class)
        .single();
  }
}
