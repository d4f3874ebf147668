package palmares.period.exclusion;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.sql.RecordMapper.Prefixed;
import palmares.platform.text.Fault;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/**
 * An exclusion of a member.
 *
 * @param by the person who made it
 * @param at when it was made
 * @param lift how it was lifted; null while it is in force
 */
public record Exclusion(
    long id, Terms terms, String reason, String by, Instant at, @Prefixed @Nullable Lift lift) {
  /**
   * The member, level and scope of an exclusion. It is in force for each period that starts before
   * {@code endsAt} and ends after {@code startsAt}.
   *
   * @param board null for every board, or if it is of a list
   * @param list the list that it is an entry of: it is in force on the boards whose files refer to
   *     the list; null if it is of none
   * @param startsAt null for no limit
   * @param endsAt exclusive; null for no limit
   */
  public record Terms(
      MemberId member,
      ExclusionLevel level,
      @Nullable BoardId board,
      @Nullable String list,
      @Nullable Instant startsAt,
      @Nullable Instant endsAt) {
    /**
     * @throws Refusal unless it starts before it ends
     */
    public Terms {
      if (startsAt != null && endsAt != null && !startsAt.isBefore(endsAt)) {
        var said = new ExclusionSentences.EndsBeforeStart(startsAt.atZone(UTC), endsAt.atZone(UTC));
        throw new Refusal(Problem.INVALID_FIELD, List.of(Fault.of("until", said)));
      }
      if (board != null && list != null) {
        throw new IllegalArgumentException(
            "an exclusion is of the board %s or of the list %s, not of both"
                .formatted(board, list));
      }
    }

    /** The terms of an exclusion that is of no list. */
    public Terms(
        MemberId member,
        ExclusionLevel level,
        @Nullable BoardId board,
        @Nullable Instant startsAt,
        @Nullable Instant endsAt) {
      this(member, level, board, null, startsAt, endsAt);
    }

    /** Excludes the member from every board without limit of time. */
    public static Terms always(MemberId member, ExclusionLevel level) {
      return new Terms(member, level, null, null, null);
    }

    /** Makes the member an entry of a list. */
    public static Terms listed(String list, MemberId member, ExclusionLevel level) {
      return new Terms(member, level, null, list, null, null);
    }

    /** The scope as the audit log stores it: the board, or the list; null for every board. */
    public @Nullable String scope() {
      return list != null ? "list:" + list : board == null ? null : board.value();
    }
  }

  public record Lift(String by, Instant at, String reason) {}
}
