package palmares.operations.lateevents;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.board.Scale;
import palmares.rules.board.TimeResolution;

/**
 * What corrections make of a line, one after the other, in the order of their numbers.
 *
 * <ul>
 *   <li>A late event changes it as it would have changed the live board; where arrivals break ties,
 *       as one that came after all others.
 *   <li>Points put right by hand leave the time alone: the member came to hold what it holds when
 *       it did.
 * </ul>
 *
 * @param scale of the rules that the period opened under
 * @param events how many the period decided before its seal
 */
record LineCorrection(Scale scale, long events) {

  static LineCorrection of(Board rules, long events) {
    return new LineCorrection(rules.scale(), events);
  }

  /** The line after all of them; null if there was none and there are no corrections. */
  @Nullable MemberScore all(@Nullable MemberScore line, List<Correction> corrections) {
    @Nullable MemberScore held = line;
    for (Correction correction : corrections) {
      held = after(held, correction);
    }
    return held;
  }

  MemberScore after(@Nullable MemberScore held, Correction correction) {
    if (held == null) {
      return fresh(correction);
    }
    if (correction.byHand()) {
      return new MemberScore(
          held.member(),
          Math.addExact(held.points(), correction.points()),
          Math.addExact(held.thenBy(), correction.thenBy()),
          held.arrival(),
          held.reachedAt());
    }
    MemberScore late = fresh(correction);
    if (!scale.scoring().takesValues()) {
      return new MemberScore(
          held.member(),
          Math.addExact(held.points(), late.points()),
          Math.addExact(held.thenBy(), late.thenBy()),
          late.arrival(),
          arrivals() ? late.reachedAt() : later(held.reachedAt(), late.reachedAt()));
    }
    return takesOver(held, late) ? late : held;
  }

  private MemberScore fresh(Correction correction) {
    Instant at = correction.at();
    TimeResolution resolution = scale.resolution();
    return new MemberScore(
        correction.member(),
        correction.points(),
        correction.thenBy(),
        arrivals() ? events + correction.n() : 0,
        at == null ? null : resolution.instant(resolution.tick(at)));
  }

  /** Of values, in the words of the live boards' script. */
  private boolean takesOver(MemberScore held, MemberScore late) {
    boolean earlier = !arrivals() && at(late).isBefore(at(held));
    return switch (scale.scoring()) {
      case LATEST -> !earlier;
      case BEST, LOWEST_BEST -> {
        int better = scale.byLevel().compare(held, late);
        yield better > 0 || (better == 0 && earlier);
      }
      case ADD -> throw new IllegalStateException("points add up here");
    };
  }

  private boolean arrivals() {
    return switch (scale.tiebreak()) {
      case TIME -> false;
      case ARRIVAL -> true;
    };
  }

  private static Instant at(MemberScore memberScore) {
    return Objects.requireNonNull(memberScore.reachedAt(), memberScore.member());
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }
}
