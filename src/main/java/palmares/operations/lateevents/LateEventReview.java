package palmares.operations.lateevents;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.lateevents.LateEventEvaluation.Effect;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberScore;
import palmares.rules.calendar.PeriodName;

/** Lists late events, and what each would change if it counted. */
@Component
public class LateEventReview {
  private final LateEventRows rows;
  private final LateEventEvaluator evaluator;
  private final StandingRanks ranks;
  private final LateEventDecisions decisions;
  private final Periods periods;

  LateEventReview(
      LateEventRows rows,
      LateEventEvaluator evaluator,
      StandingRanks ranks,
      LateEventDecisions decisions,
      Periods periods) {
    this.rows = rows;
    this.evaluator = evaluator;
    this.ranks = ranks;
    this.decisions = decisions;
    this.periods = periods;
  }

  /** A position in the list of late events. */
  public record Position(String board, String period, Instant arrivedAt, String id) {}

  /**
   * Late events in order of board, period and arrival.
   *
   * @param board only this board's; null for all
   * @param period only that period's; null for all
   * @param undecided whether to leave out those that are decided
   * @param after only those after this one, in that order; null for all
   * @param most how many at most
   */
  @Transactional(readOnly = true)
  public List<EvaluatedLateEvent> list(
      @Nullable BoardId board,
      @Nullable PeriodName period,
      boolean undecided,
      @Nullable Position after,
      int most) {
    Map<String, Optional<Period>> found = new HashMap<>();
    var evaluated = new ArrayList<EvaluatedLateEvent>();
    for (LateEvent event : rows.all(value(board), value(period), undecided, after, most)) {
      Optional<Period> of =
          found.computeIfAbsent(
              event.board() + " " + event.period(),
              label -> periods.find(new BoardId(event.board()), new PeriodName(event.period())));
      evaluated.add(
          of.map(known -> evaluate(known, event))
              .orElseGet(
                  () -> EvaluatedLateEvent.of(event, new LateEventSentences.NeverOpened(), null)));
    }
    return evaluated;
  }

  /** How many late events there are, on all pages of {@link #list}. */
  public long count(@Nullable BoardId board, @Nullable PeriodName period, boolean undecided) {
    return rows.count(value(board), value(period), undecided);
  }

  /**
   * The late events of a period without a decision.
   *
   * @param since when the first of them arrived
   * @param opened whether the period was ever opened; if not, they can only be dismissed
   */
  public record UndecidedEvents(
      String board, String period, long events, Instant since, boolean opened) {}

  /** The periods with late events that need a decision; evaluates none of them. */
  public List<UndecidedEvents> undecided() {
    return rows.undecided();
  }

  /**
   * The late events of a period that were accepted, and that no revision counts which is posted or
   * undecided.
   *
   * @param since when the first of them was accepted
   * @param prepared whether another amendment of the period is undecided
   */
  public record AcceptedEvents(
      String board, String period, long events, Instant since, boolean prepared) {}

  /** The periods with accepted late events that still need an amendment. */
  public List<AcceptedEvents> accepted() {
    return rows.acceptedAndUncounted();
  }

  /** The late events of one member in a period, in order of arrival. */
  @Transactional(readOnly = true)
  public List<EvaluatedLateEvent> of(Period period, String member) {
    return rows.ofMember(period, member).stream().map(event -> evaluate(period, event)).toList();
  }

  private EvaluatedLateEvent evaluate(Period period, LateEvent event) {
    if (!period.state().isSettled()) {
      return EvaluatedLateEvent.of(event, new LateEventSentences.NotSettled(period.state()), null);
    }
    var included =
        event.isAccepted()
            ? rows.included(period, event.id())
            : Optional.<LateEventRows.Included>empty();
    if (included.isPresent()) {
      return EvaluatedLateEvent.of(event, included.get().revision());
    }
    int revision = decisions.currentRevision(period);
    Long currentRank = ranks.current(period, revision, event.member());
    if (evaluator.arrivedInTime(period.id(), event.id())) {
      return EvaluatedLateEvent.of(event, new LateEventSentences.AlsoInTime(), currentRank);
    }
    Effect effect;
    try {
      effect = evaluator.begin(period, revision, event.member()).evaluate(event, Integer.MAX_VALUE);
    } catch (WrongState e) {
      return EvaluatedLateEvent.of(event, e.said(), currentRank);
    }
    MemberScore line = effect.line();
    return line == null
        ? EvaluatedLateEvent.of(event, Objects.requireNonNull(effect.rejection()), currentRank)
        : new EvaluatedLateEvent(
            event,
            null,
            null,
            effect.change(),
            line.points(),
            ranks.of(period, revision, line),
            currentRank);
  }

  private static @Nullable String value(@Nullable BoardId board) {
    return board == null ? null : board.value();
  }

  private static @Nullable String value(@Nullable PeriodName period) {
    return period == null ? null : period.value();
  }

  /**
   * A late event, and what it would change in the current revision.
   *
   * @param included the first revision that counts it; null if none does
   * @param rejection why it cannot count or be evaluated; null if it can
   * @param change the points that its member would gain; negative for fewer, 0 if it cannot count
   * @param points the points that its member would have; null if it cannot count
   * @param rank the rank that its member would have; null if it cannot count, or if the member
   *     would have none
   * @param currentRank the member's rank in the current revision; null if it has none
   */
  public record EvaluatedLateEvent(
      LateEvent event,
      @Nullable Integer included,
      @Nullable Sentence rejection,
      long change,
      @Nullable Long points,
      @Nullable Long rank,
      @Nullable Long currentRank) {
    static EvaluatedLateEvent of(LateEvent event, Integer revision) {
      return new EvaluatedLateEvent(event, revision, null, 0, null, null, null);
    }

    static EvaluatedLateEvent of(LateEvent event, Sentence rejection, @Nullable Long currentRank) {
      return new EvaluatedLateEvent(event, null, rejection, 0, null, null, currentRank);
    }
  }
}
