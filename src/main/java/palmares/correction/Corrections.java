package palmares.correction;

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
import palmares.board.Board;
import palmares.board.Holding;
import palmares.board.MemberId;
import palmares.correction.Hearing.Effect;
import palmares.correction.LateEvent.Decision;
import palmares.correction.Lines.Reason;
import palmares.period.Definitions;
import palmares.period.Period;

/**
 * Makes the lines of an amendment other than the snapshot's. For a revision that has just begun, in
 * one transaction with its ranking: {@link #carry}, {@link #acceptLate}, {@link #points} for each
 * member that a person names, and then {@link #apply}. What events are worth, and how lines change,
 * is as the rules say that the period opened under, whatever rules the revision awards by.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Corrections {
  private final Lines lines;
  private final LateRows late;
  private final Hearings hearings;
  private final Definitions definitions;
  private final Clock clock;

  Corrections(Lines lines, LateRows late, Hearings hearings, Definitions definitions, Clock clock) {
    this.lines = lines;
    this.late = late;
    this.hearings = hearings;
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
   * @throws Uncorrectable if one does not count any more, as things stand now
   */
  public int acceptLate(Period period, int revision) {
    List<LateEvent> accepted = late.accepted(period, revision, null);
    var heard = new HashMap<String, Hearing>();
    int n = accepted.isEmpty() ? 0 : lines.next(period.id(), revision);
    for (LateEvent event : accepted) {
      Hearing hearing =
          heard.computeIfAbsent(event.member(), member -> hearings.open(period, revision, member));
      Effect effect = hearing.take(event, n);
      if (effect.objection() != null) {
        throw new Uncorrectable(
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
   * @throws Uncorrectable if the board has no such points, the member holds them already, or nobody
   *     ever heard of the member
   */
  public void points(
      Period period, int revision, MemberId member, long points, String reason, String by) {
    Board rules = definitions.of(period);
    String id = member.value();
    if (points < 0 || points > rules.scale().maxPoints()) {
      throw new Uncorrectable(
          "%s cannot hold %d points on %s: they are from 0 to %d"
              .formatted(id, points, period.label(), rules.scale().maxPoints()));
    }
    Holding held =
        hearings
            .amending(period)
            .all(
                lines.snapshot(period.id(), List.of(id)).get(id),
                lines.corrections(period.id(), revision, id));
    if (held == null && !lines.knows(period.id(), id)) {
      throw new Uncorrectable(
          "nobody ever heard of the member '%s': it has no line on %s, no event on any board, and"
                  .formatted(id, period.label())
              + " has not registered");
    }
    if (points == (held == null ? 0 : held.points())) {
      throw new Uncorrectable(
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
   * @throws Uncorrectable if a member would hold what the board has no room for
   */
  public void apply(Period period, int revision) {
    Map<String, List<Correction>> byMember = new LinkedHashMap<>();
    for (Correction one : lines.corrections(period.id(), revision, null)) {
      byMember.computeIfAbsent(one.member(), member -> new ArrayList<>()).add(one);
    }
    Amending amending = hearings.amending(period);
    Map<String, Holding> snapshot = lines.snapshot(period.id(), byMember.keySet());
    var amended = new ArrayList<Holding>();
    byMember.forEach(
        (member, corrections) -> {
          Holding line =
              Objects.requireNonNull(amending.all(snapshot.get(member), corrections), member);
          String objection = Hearing.room(amending.scale(), line);
          if (objection != null) {
            throw new Uncorrectable(
                "revision %d of %s cannot be: %s".formatted(revision, period.label(), objection));
          }
          amended.add(line);
        });
    lines.amend(period.id(), revision, amended);
  }
}
