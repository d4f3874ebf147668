package palmares.api.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to hold a rank.
 *
 * @param members how many stand on the board
 * @param points what the last line holds that has the rank or a better one; null if the board has
 *     fewer ranks
 * @param needed with how many points a newcomer would now have the rank or a better one; null if
 *     that is past the board's most points, or the period is settled
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RankView(long rank, long members, @Nullable Long points, @Nullable Long needed) {}
