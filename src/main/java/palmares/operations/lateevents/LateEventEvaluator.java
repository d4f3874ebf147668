package palmares.operations.lateevents;

import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;

/** Brings together what a late event is judged by: journal, snapshot and earlier corrections. */
@Component
class LateEventEvaluator {
  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;
  private final CorrectionRows lines;
  private final LateEventRows rows;

  LateEventEvaluator(
      JdbcClient jdbc, BoardDefinitions definitions, CorrectionRows lines, LateEventRows rows) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.lines = lines;
    this.rows = rows;
  }

  /** How the period's corrections change its lines. */
  LineCorrection amending(Period period) {
    return LineCorrection.of(
        definitions.of(period), Objects.requireNonNull(period.population(), "sealed").events());
  }

  /** On top of a revision, with the corrections that it has. */
  LateEventEvaluation open(Period period, int revision, String member) {
    requireJournal(period);
    Board rules = definitions.of(period);
    LineCorrection amending = amending(period);
    List<Correction> made = lines.corrections(period.id(), revision, member);
    MemberScore snapshot = lines.snapshot(period.id(), List.of(member)).get(member);
    return new LateEventEvaluation(
        rules,
        period.slot(),
        amending,
        deeds(period, rules, member, made),
        amending.all(snapshot, made));
  }

  private MemberActions deeds(Period period, Board rules, String member, List<Correction> made) {
    var memberActions = new MemberActions(rules);
    journal(period.id(), rules, member, memberActions);
    Map<String, LateEvent> late = late(period, made);
    for (Correction correction : made) {
      LateEvent event = correction.byHand() ? null : late.get(correction.eventId());
      Action action = event == null ? null : rules.actions().get(event.action());
      if (event != null && action != null) {
        LateEventEvaluation.keep(memberActions, event, action, correction);
      }
    }
    return memberActions;
  }

  private Map<String, LateEvent> late(Period period, List<Correction> made) {
    var byId = new HashMap<String, LateEvent>();
    var ids = made.stream().filter(one -> !one.byHand()).map(one -> one.eventId() + "").toList();
    rows.byIds(period, ids).forEach(event -> byId.put(event.id(), event));
    return byId;
  }

  private void journal(PeriodId period, Board rules, String member, MemberActions memberActions) {
    jdbc.sql(
            """
            select action, subject, outcome, quantity, points, then_by, occurred_at
            from event
            where period_id = :period
              and member = :member
              and outcome in ('applied', 'undone', 'unchanged')
            order by seq
            """)
        .param("period", period.value())
        .param("member", member)
        .query(
            row -> {
              Action action = rules.actions().get(row.getString("action"));
              if (action == null) {
                return;
              }
              if (row.getString("outcome").equals("undone")) {
                memberActions.undid(action, row.getString("subject"));
              } else {
                memberActions.did(
                    action,
                    row.getString("subject"),
                    row.getObject("occurred_at", OffsetDateTime.class).toInstant(),
                    row.getLong("quantity"),
                    row.getLong("points"),
                    row.getLong("then_by"));
              }
            });
  }

  /** Without the journal nobody can tell what counted already. */
  private void requireJournal(Period period) {
    long decided = Objects.requireNonNull(period.population(), "sealed").events();
    if (decided > 0 && !hasJournal(period.id())) {
      throw new LateEventRefused(
          "the journal of %s is not in the database any more, and without it nobody can tell what"
                  .formatted(period.label())
              + " counted already: bring it back from its archive first");
    }
  }

  private boolean hasJournal(PeriodId period) {
    return jdbc.sql("select exists (select from event where period_id = :period)")
        .param("period", period.value())
        .query(Boolean.class)
        .single();
  }

  /** Whether the journal has an event under this id: it was decided in time. */
  boolean inTime(PeriodId period, String id) {
    return jdbc.sql("select exists (select from event where period_id = :period and id = :id)")
        .param("period", period.value())
        .param("id", id)
        .query(Boolean.class)
        .single();
  }
}
