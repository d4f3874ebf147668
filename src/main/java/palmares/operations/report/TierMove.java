package palmares.operations.report;

import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;

/**
 * Somebody who moves between the tiers of a family.
 *
 * @param tier the one that it leaves
 * @param board the board that was that tier
 * @param place where it ended there
 * @param up whether to a better tier
 * @param toBoard the board of the tier that it goes to; null if none had a period then
 */
public record TierMove(
    int tier,
    BoardId board,
    long place,
    String member,
    long points,
    boolean up,
    int toTier,
    @Nullable BoardId toBoard) {}
