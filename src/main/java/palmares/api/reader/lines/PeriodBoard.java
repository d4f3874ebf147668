package palmares.api.reader.lines;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberId;

/**
 * One period's board, live or settled: the same questions, the same answers. Lists hold those who
 * have a rank; whoever is excluded from the ranks is found by name only, and whoever is hidden
 * stands on no board.
 */
public interface PeriodBoard {

  /** What it has come to, without a look at its lines. */
  Version version();

  Section top(int count);

  /** Lines from the first on that has the rank or the next worse that somebody has. */
  Section fromRank(long rank, int count);

  /** Lines below where the cursor stands. */
  Section after(Cursor cursor, int count);

  /**
   * A member and its neighbours; without lines if it is not on the board. One that is excluded from
   * the ranks has no neighbours.
   */
  Section around(MemberId member, int neighbours);

  /** The lines of those of the members who are on the board. */
  Section find(List<MemberId> members);

  /** One member's line; empty if it is not on the board. */
  Optional<Standing> member(MemberId member);

  /** The line that decides who holds the rank; without lines if the board has fewer ranks. */
  Section holding(long rank);

  /**
   * The points with which a newcomer would now hold the rank or a better one; null if none can, or
   * if the period is settled.
   *
   * @param holding what {@link #holding} said of the rank
   */
  @Nullable Long needed(Section holding);

  /**
   * What a board has come to.
   *
   * @param over whether nothing changes it any more
   * @param word as long as this is the same, so is every answer
   */
  record Version(boolean over, String word) {}

  /**
   * Some lines.
   *
   * @param members how many have a rank on the board
   * @param end where the last line stands; null if there is no line
   */
  record Section(Version version, long members, List<LineView> lines, @Nullable Cursor end) {}

  /**
   * One line among all.
   *
   * @param ahead how many members stand ahead of it; null if it is excluded from the ranks
   */
  record Standing(Version version, long members, LineView line, @Nullable Long ahead) {}
}
