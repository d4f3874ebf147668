package palmares.period.exclusion;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/**
 * One exclusion, as its row stands.
 *
 * @param id counts all exclusions
 * @param by who made it
 * @param lift who took it back; null while it is in force
 */
public record Exclusion(
    long id, Terms terms, String reason, String by, Instant at, @Nullable Lift lift) {

  /**
   * Whom it excludes, how far, and where. It is in force for each period that begins before its end
   * and ends after its start.
   *
   * @param board null for every board
   * @param startsAt null for ever before
   * @param endsAt the first time at which it is over; null for ever after
   */
  public record Terms(
      MemberId member,
      ExclusionLevel level,
      @Nullable BoardId board,
      @Nullable Instant startsAt,
      @Nullable Instant endsAt) {

    /**
     * @throws IllegalArgumentException if it ends before it starts, or at once
     */
    public Terms {
      if (startsAt != null && endsAt != null && !startsAt.isBefore(endsAt)) {
        throw new IllegalArgumentException(
            "an exclusion ends after it starts, not from %s until %s".formatted(startsAt, endsAt));
      }
    }

    /** On every board, for ever. */
    public static Terms always(MemberId member, ExclusionLevel level) {
      return new Terms(member, level, null, null, null);
    }
  }

  /** Who took it back, when and why. */
  public record Lift(String by, Instant at, String reason) {}
}
