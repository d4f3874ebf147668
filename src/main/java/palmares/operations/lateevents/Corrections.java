package palmares.operations.lateevents;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.lateevents.CorrectionRows.Reason;
import palmares.operations.lateevents.LateEvent.Decision;
import palmares.operations.lateevents.LateEventEvaluation.Effect;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;

/**
 * Corrects the lines of a new revision, in one transaction with its ranking: {@link #copy}, {@link
 * #acceptLate}, {@link #setPoints} for each member that a person names, then {@link #apply}. Events
 * are worth what the rules say that the period opened under, even if the revision awards by others.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Corrections {
  /** What is said of points that are corrected. */
  interface CorrectionSentences {
    record PointsPastLimit(String member, long points, String period, long most)
        implements Sentence {}

    record UnknownMember(String member, String period) implements Sentence {}

    record NoLine(String member, String period) implements Sentence {}

    record SamePoints(String member, long points, String period) implements Sentence {}

    record NotComputed(int revision, String period, Sentence why) implements Sentence {}
  }

  private final CorrectionRows rows;
  private final LateEventRows lateEvents;
  private final LateEventEvaluator evaluator;
  private final BoardDefinitions definitions;
  private final Clock clock;

  Corrections(
      CorrectionRows rows,
      LateEventRows lateEvents,
      LateEventEvaluator evaluator,
      BoardDefinitions definitions,
      Clock clock) {
    this.rows = rows;
    this.lateEvents = lateEvents;
    this.evaluator = evaluator;
    this.definitions = definitions;
    this.clock = clock;
  }

  /** Copies the corrections of the revision that is amended, under the same numbers. */
  public void copy(Period period, int base, int revision) {
    rows.copy(period.id(), base, revision);
  }

  /**
   * Adds a correction for each accepted late event that the revision does not have yet, in the
   * order of acceptance.
   *
   * @return how many were added
   * @throws WrongState if one cannot count any more
   */
  public int acceptLate(Period period, int revision) {
    List<LateEvent> accepted = lateEvents.accepted(period, revision);
    var evaluations = new HashMap<String, LateEventEvaluation>();
    int n = accepted.isEmpty() ? 0 : rows.next(period.id(), revision);
    for (LateEvent event : accepted) {
      Effect effect =
          evaluations
              .computeIfAbsent(event.member(), member -> evaluator.begin(period, revision, member))
              .apply(event, n);
      if (effect.rejection() != null) {
        throw new WrongState(
                new LateEventSentences.CannotCountAnyMore(
                    event.id(), period.label(), effect.rejection()))
            .then(LateEventDecisions.again("dismiss-late", event));
      }
      add(period, revision, event, Objects.requireNonNull(effect.correction()));
      n++;
    }
    return accepted.size();
  }

  private void add(Period period, int revision, LateEvent event, Correction correction) {
    Decision decision = Objects.requireNonNull(event.decision());
    rows.add(
        period.id(),
        revision,
        correction,
        new Reason(decision.reason(), decision.by(), decision.at()));
  }

  /**
   * Sets a member's points by hand, stored as the difference to those in the revision so far. The
   * member keeps its time. A member without a line gets the last instant of the period, so that it
   * ranks behind all with equal points.
   *
   * @param points the points that the member shall have, 0 or more
   * @throws WrongState if the board does not allow these points, the member has them already, or
   *     the member is unknown
   */
  public void setPoints(
      Period period, int revision, MemberId member, long points, String reason, String by) {
    Board rules = definitions.of(period);
    String id = member.value();
    if (points < 0 || points > rules.scale().maxPoints()) {
      throw new WrongState(
          new CorrectionSentences.PointsPastLimit(
              id, points, period.label(), rules.scale().maxPoints()));
    }
    MemberScore held =
        evaluator
            .correction(period)
            .applyAll(
                rows.closingLines(period.id(), List.of(id)).get(id),
                rows.corrections(period.id(), revision, id));
    if (held == null && !rows.knows(period.id(), id)) {
      throw new WrongState(new CorrectionSentences.UnknownMember(id, period.label()));
    }
    if (points == (held == null ? 0 : held.points())) {
      throw new WrongState(
          held == null
              ? new CorrectionSentences.NoLine(id, period.label())
              : new CorrectionSentences.SamePoints(id, points, period.label()));
    }
    rows.add(
        period.id(),
        revision,
        new Correction(
            rows.next(period.id(), revision),
            id,
            null,
            points - (held == null ? 0 : held.points()),
            0,
            held == null ? lastInstant(period, rules) : null),
        new Reason(reason, by, clock.instant()));
  }

  /** Null if the board's lines have no time. */
  private static @Nullable Instant lastInstant(Period period, Board rules) {
    return rules.kind().storesTime() ? period.slot().endsAt().minus(1, ChronoUnit.MICROS) : null;
  }

  /**
   * Writes the amended line of each member that the revision's corrections concern.
   *
   * @throws WrongState if a member would exceed the limits of the board
   */
  public void apply(Period period, int revision) {
    Map<String, List<Correction>> byMember = new LinkedHashMap<>();
    for (Correction one : rows.corrections(period.id(), revision, null)) {
      byMember.computeIfAbsent(one.member(), member -> new ArrayList<>()).add(one);
    }
    LineCorrection lineCorrection = evaluator.correction(period);
    Map<String, MemberScore> closing = rows.closingLines(period.id(), byMember.keySet());
    var amended = new ArrayList<MemberScore>();
    byMember.forEach(
        (member, corrections) -> {
          MemberScore line =
              Objects.requireNonNull(
                  lineCorrection.applyAll(closing.get(member), corrections), member);
          Sentence rejection = LateEventEvaluation.exceededLimit(lineCorrection.scale(), line);
          if (rejection != null) {
            throw new WrongState(
                new CorrectionSentences.NotComputed(revision, period.label(), rejection));
          }
          amended.add(line);
        });
    rows.addAmendedLines(period.id(), revision, amended);
  }
}
