package palmares.correction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.BoardId;
import palmares.board.Holding;
import palmares.calendar.PeriodName;
import palmares.correction.Hearing.Effect;
import palmares.period.Period;
import palmares.period.Periods;

/** Late events, and what each would change if it counted. */
@Component
public class LateCases {
  private final LateRows rows;
  private final Hearings hearings;
  private final StandingRanks ranks;
  private final Lateness lateness;
  private final Periods periods;

  LateCases(
      LateRows rows, Hearings hearings, StandingRanks ranks, Lateness lateness, Periods periods) {
    this.rows = rows;
    this.hearings = hearings;
    this.ranks = ranks;
    this.lateness = lateness;
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
  public List<LateCase> list(
      @Nullable BoardId board, @Nullable PeriodName period, boolean undecided, int most) {
    Map<String, Optional<Period>> found = new HashMap<>();
    var cases = new ArrayList<LateCase>();
    for (LateEvent event : rows.all(value(board), value(period), undecided, most)) {
      Optional<Period> of =
          found.computeIfAbsent(
              event.board() + " " + event.period(),
              label -> periods.find(new BoardId(event.board()), new PeriodName(event.period())));
      cases.add(
          of.map(there -> lateCase(there, event))
              .orElseGet(
                  () ->
                      LateCase.of(
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
  public List<LateCase> of(Period period, String member) {
    return rows.ofMember(period, member).stream().map(event -> lateCase(period, event)).toList();
  }

  private LateCase lateCase(Period period, LateEvent event) {
    if (!period.state().isSettled()) {
      return LateCase.of(
          event, "the period is not settled yet, it is " + period.state().word(), null);
    }
    var included =
        event.accepted() ? rows.included(period, event.id()) : Optional.<LateRows.Included>empty();
    if (included.isPresent()) {
      return LateCase.of(event, included.get().revision());
    }
    int revision = lateness.standing(period);
    Long present = ranks.present(period, revision, event.member());
    if (hearings.inTime(period.id(), event.id())) {
      return LateCase.of(event, "it came in time, too, and was decided then", present);
    }
    Effect effect;
    try {
      effect = hearings.open(period, revision, event.member()).hear(event, Integer.MAX_VALUE);
    } catch (Uncorrectable e) {
      return LateCase.of(event, String.valueOf(e.getMessage()), present);
    }
    Holding line = effect.line();
    return line == null
        ? LateCase.of(event, String.valueOf(effect.objection()), present)
        : new LateCase(
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
