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
 * Applies corrections to a line, in the order of their numbers.
 *
 * <ul>
 *   <li>A late event changes the line as it would have changed the live board. Where arrivals break
 *       ties, it arrives after all others.
 *   <li>A correction by hand leaves the line's time as it is.
 * </ul>
 *
 * @param scale the scale of the rules that the period opened under
 * @param events the number of events at the seal
 */
record LineCorrection(Scale scale, long events) {
  static LineCorrection of(Board rules, long events) {
    return new LineCorrection(rules.scale(), events);
  }

  /** The line after all corrections; null if there was none and there are no corrections. */
  @Nullable MemberScore applyAll(@Nullable MemberScore line, List<Correction> corrections) {
    @Nullable MemberScore held = line;
    for (Correction correction : corrections) {
      held = apply(held, correction);
    }
    return held;
  }

  MemberScore apply(@Nullable MemberScore held, Correction correction) {
    if (held == null) {
      return ofCorrection(correction);
    }
    if (correction.byHand()) {
      return new MemberScore(
          held.member(),
          Math.addExact(held.points(), correction.points()),
          Math.addExact(held.thenBy(), correction.thenBy()),
          held.arrival(),
          held.reachedAt());
    }
    MemberScore late = ofCorrection(correction);
    if (!scale.scoring().takesValues()) {
      return new MemberScore(
          held.member(),
          Math.addExact(held.points(), late.points()),
          Math.addExact(held.thenBy(), late.thenBy()),
          late.arrival(),
          scale.tiebreak().byArrival()
              ? late.reachedAt()
              : later(held.reachedAt(), late.reachedAt()));
    }
    return replaces(held, late) ? late : held;
  }

  private MemberScore ofCorrection(Correction correction) {
    Instant at = correction.at();
    TimeResolution resolution = scale.resolution();
    return new MemberScore(
        correction.member(),
        correction.points(),
        correction.thenBy(),
        scale.tiebreak().byArrival() ? events + correction.n() : 0,
        at == null ? null : resolution.instant(resolution.tick(at)));
  }

  /** Whether the late value replaces the one held, as in the live boards' script. */
  private boolean replaces(MemberScore held, MemberScore late) {
    boolean earlier = !scale.tiebreak().byArrival() && at(late).isBefore(at(held));
    return switch (scale.scoring()) {
      case LATEST -> !earlier;
      case BEST, LOWEST_BEST -> {
        int better = scale.byLevel().compare(held, late);
        yield better > 0 || (better == 0 && earlier);
      }
      case ADD -> throw new IllegalStateException("points add up on this board");
    };
  }

  private static Instant at(MemberScore memberScore) {
    return Objects.requireNonNull(memberScore.reachedAt(), memberScore.member());
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }
}
