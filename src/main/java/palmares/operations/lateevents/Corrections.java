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
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;

/**
 * Makes the lines of an amendment other than the snapshot's. For a revision that has just begun, in
 * one transaction with its ranking: {@link #carry}, {@link #acceptLate}, {@link #points} for each
 * member that a person names, and then {@link #apply}. What events are worth, and how lines change,
 * is as the rules say that the period opened under, whatever rules the revision awards by.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Corrections {
  private final CorrectionRows lines;
  private final LateEventRows late;
  private final LateEventEvaluator lateEventEvaluator;
  private final BoardDefinitions definitions;
  private final Clock clock;

  Corrections(
      CorrectionRows lines,
      LateEventRows late,
      LateEventEvaluator lateEventEvaluator,
      BoardDefinitions definitions,
      Clock clock) {
    this.lines = lines;
    this.late = late;
    this.lateEventEvaluator = lateEventEvaluator;
    this.definitions = definitions;
    this.clock = clock;
  }

  /** Gives the revision the corrections of the one that it amends, under the same numbers. */
  public void carry(Period period, int base, int revision) {
    lines.copy(period.id(), base, revision);
  }

  /**
   * Adds a correction for each late event of the period that is accepted and that the revision does
   * not have, in the order in which they were accepted.
   *
   * @return how many there were
   * @throws LateEventRefused if one does not count any more, as things stand now
   */
  public int acceptLate(Period period, int revision) {
    List<LateEvent> accepted = late.accepted(period, revision, null);
    var heard = new HashMap<String, LateEventEvaluation>();
    int n = accepted.isEmpty() ? 0 : lines.next(period.id(), revision);
    for (LateEvent event : accepted) {
      LateEventEvaluation lateEventEvaluation =
          heard.computeIfAbsent(
              event.member(), member -> lateEventEvaluator.open(period, revision, member));
      Effect effect = lateEventEvaluation.take(event, n);
      if (effect.objection() != null) {
        throw new LateEventRefused(
            "the late event '%s' of %s is accepted, but does not count as things stand: %s; dismiss"
                    .formatted(event.id(), period.label(), effect.objection())
                + " it first, with --change");
      }
      add(period, revision, event, Objects.requireNonNull(effect.correction()));
      n++;
    }
    return accepted.size();
  }

  private void add(Period period, int revision, LateEvent event, Correction correction) {
    Decision decision = Objects.requireNonNull(event.decision());
    lines.add(
        period.id(),
        revision,
        correction,
        new Reason(decision.reason(), decision.by(), decision.at()));
  }

  /**
   * Puts a member's points right by hand. Kept as the difference to what the member holds in the
   * revision so far. The member keeps its time; one who has no line comes to hold them in the last
   * moment of the period, behind all who hold as many.
   *
   * @param points those that the member shall hold; 0 or more
   * @throws LateEventRefused if the board has no such points, the member holds them already, or
   *     nobody ever heard of the member
   */
  public void points(
      Period period, int revision, MemberId member, long points, String reason, String by) {
    Board rules = definitions.of(period);
    String id = member.value();
    if (points < 0 || points > rules.scale().maxPoints()) {
      throw new LateEventRefused(
          "%s cannot hold %d points on %s: they are from 0 to %d"
              .formatted(id, points, period.label(), rules.scale().maxPoints()));
    }
    MemberScore held =
        lateEventEvaluator
            .amending(period)
            .all(
                lines.snapshot(period.id(), List.of(id)).get(id),
                lines.corrections(period.id(), revision, id));
    if (held == null && !lines.knows(period.id(), id)) {
      throw new LateEventRefused(
          "nobody ever heard of the member '%s': it has no line on %s, no event on any board, and"
                  .formatted(id, period.label())
              + " has not registered");
    }
    if (points == (held == null ? 0 : held.points())) {
      throw new LateEventRefused(
          held == null
              ? "%s has no line on %s, and 0 points would be none".formatted(id, period.label())
              : "%s holds %d points on %s already".formatted(id, points, period.label()));
    }
    lines.add(
        period.id(),
        revision,
        new Correction(
            lines.next(period.id(), revision),
            id,
            null,
            points - (held == null ? 0 : held.points()),
            0,
            held == null ? lastMoment(period, rules) : null),
        new Reason(reason, by, clock.instant()));
  }

  /** Null where the board's lines have no time. */
  private static @Nullable Instant lastMoment(Period period, Board rules) {
    boolean timed = rules.adoption() == null || rules.adoption().encoding().tellsTime();
    return timed ? period.slot().endsAt().minus(1, ChronoUnit.MICROS) : null;
  }

  /**
   * Writes the line of each member that the revision's corrections are about.
   *
   * @throws LateEventRefused if a member would hold what the board has no room for
   */
  public void apply(Period period, int revision) {
    Map<String, List<Correction>> byMember = new LinkedHashMap<>();
    for (Correction one : lines.corrections(period.id(), revision, null)) {
      byMember.computeIfAbsent(one.member(), member -> new ArrayList<>()).add(one);
    }
    LineCorrection amending = lateEventEvaluator.amending(period);
    Map<String, MemberScore> snapshot = lines.snapshot(period.id(), byMember.keySet());
    var amended = new ArrayList<MemberScore>();
    byMember.forEach(
        (member, corrections) -> {
          MemberScore line =
              Objects.requireNonNull(amending.all(snapshot.get(member), corrections), member);
          String objection = LateEventEvaluation.room(amending.scale(), line);
          if (objection != null) {
            throw new LateEventRefused(
                "revision %d of %s cannot be: %s".formatted(revision, period.label(), objection));
          }
          amended.add(line);
        });
    lines.amend(period.id(), revision, amended);
  }
}
