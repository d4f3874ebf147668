package palmares.operations.lateevents;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.lateevents.LateEventEvaluation.Effect;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberScore;
import palmares.rules.calendar.PeriodName;

/** Late events, and what each would change if it counted. */
@Component
public class LateEventReview {
  private final LateEventRows rows;
  private final LateEventEvaluator lateEventEvaluator;
  private final StandingRanks ranks;
  private final LateEventDecisions lateEventDecisions;
  private final Periods periods;

  LateEventReview(
      LateEventRows rows,
      LateEventEvaluator lateEventEvaluator,
      StandingRanks ranks,
      LateEventDecisions lateEventDecisions,
      Periods periods) {
    this.rows = rows;
    this.lateEventEvaluator = lateEventEvaluator;
    this.ranks = ranks;
    this.lateEventDecisions = lateEventDecisions;
    this.periods = periods;
  }

  /**
   * In order of board, period and arrival.
   *
   * @param board only this one's; null for all
   * @param period only that one's; null for all
   * @param undecided only those that nobody has decided on
   */
  @Transactional(readOnly = true)
  public List<EvaluatedLateEvent> list(
      @Nullable BoardId board, @Nullable PeriodName period, boolean undecided, int most) {
    Map<String, Optional<Period>> found = new HashMap<>();
    var cases = new ArrayList<EvaluatedLateEvent>();
    for (LateEvent event : rows.all(value(board), value(period), undecided, most)) {
      Optional<Period> of =
          found.computeIfAbsent(
              event.board() + " " + event.period(),
              label -> periods.find(new BoardId(event.board()), new PeriodName(event.period())));
      cases.add(
          of.map(there -> lateCase(there, event))
              .orElseGet(
                  () ->
                      EvaluatedLateEvent.of(
                          event, "nobody had opened its period, so nothing pays it", null)));
    }
    return cases;
  }

  /** How many there are. */
  public long count(@Nullable BoardId board, @Nullable PeriodName period, boolean undecided) {
    return rows.count(value(board), value(period), undecided);
  }

  /** Those of one member in a period, as they came. */
  @Transactional(readOnly = true)
  public List<EvaluatedLateEvent> of(Period period, String member) {
    return rows.ofMember(period, member).stream().map(event -> lateCase(period, event)).toList();
  }

  private EvaluatedLateEvent lateCase(Period period, LateEvent event) {
    if (!period.state().isSettled()) {
      return EvaluatedLateEvent.of(
          event, "the period is not settled yet, it is " + period.state().word(), null);
    }
    var included =
        event.accepted()
            ? rows.included(period, event.id())
            : Optional.<LateEventRows.Included>empty();
    if (included.isPresent()) {
      return EvaluatedLateEvent.of(event, included.get().revision());
    }
    int revision = lateEventDecisions.standing(period);
    Long present = ranks.present(period, revision, event.member());
    if (lateEventEvaluator.inTime(period.id(), event.id())) {
      return EvaluatedLateEvent.of(event, "it came in time, too, and was decided then", present);
    }
    Effect effect;
    try {
      effect =
          lateEventEvaluator.open(period, revision, event.member()).hear(event, Integer.MAX_VALUE);
    } catch (LateEventRefused e) {
      return EvaluatedLateEvent.of(event, String.valueOf(e.getMessage()), present);
    }
    MemberScore line = effect.line();
    return line == null
        ? EvaluatedLateEvent.of(event, String.valueOf(effect.objection()), present)
        : new EvaluatedLateEvent(
            event,
            null,
            null,
            effect.change(),
            line.points(),
            ranks.of(period, revision, line),
            present);
  }

  private static @Nullable String value(@Nullable BoardId board) {
    return board == null ? null : board.value();
  }

  private static @Nullable String value(@Nullable PeriodName period) {
    return period == null ? null : period.value();
  }
}
