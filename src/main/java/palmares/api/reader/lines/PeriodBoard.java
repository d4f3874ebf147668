package palmares.api.reader.lines;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberId;

/**
 * Reads the lines of one period. Pages contain ranked members only. Members that are excluded from
 * ranking are found by id only; hidden members are not found.
 */
public interface PeriodBoard {

  /** Returns the current version without reading lines. */
  Version version();

  Section top(int count);

  /** Returns lines from the first one with the rank, or with the next existing rank. */
  Section fromRank(long rank, int count);

  /** Returns lines below the cursor's position. */
  Section after(Cursor cursor, int count);

  /**
   * Returns the lines of a member and its neighbours. Returns none if the member is not on the
   * board, and no neighbours if it is excluded from ranking.
   */
  Section around(MemberId member, int neighbours);

  /** Returns the lines of those of the members that are on the board. */
  Section find(List<MemberId> members);

  /** Returns a member's line; empty if it is not on the board. */
  Optional<Standing> member(MemberId member);

  /** Returns the last line with the rank or a better one; no line if there are fewer ranks. */
  Section holding(long rank);

  /**
   * Returns the points with which a new member would have the rank or a better one. Returns null if
   * that is impossible or the period is settled.
   *
   * @param holding the result of {@link #holding} for the rank
   */
  @Nullable Long needed(Section holding);

  /**
   * The version of a board.
   *
   * @param over whether the board is final
   * @param word changes whenever a result may change
   */
  record Version(boolean over, String word) {}

  /**
   * Some lines.
   *
   * @param asOf when the live board was read, by the clock of Redis; null if the lines are final
   * @param members number of ranked members
   * @param end the position of the last line; null if there is no line
   */
  record Section(
      Version version,
      @Nullable Instant asOf,
      long members,
      List<LineView> lines,
      @Nullable Cursor end) {}

  /**
   * A line in relation to the whole board.
   *
   * @param asOf when the live board was read, by the clock of Redis; null if the line is final
   * @param ahead number of members ahead of it; null if it is excluded from ranking
   */
  record Standing(
      Version version, @Nullable Instant asOf, long members, LineView line, @Nullable Long ahead) {}
}
