package palmares.rules.adoption;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The points and the time that a score of another program contains.
 *
 * @param points from 0 to 2^53 - 1
 * @param reachedAt when they were reached, at the precision of the score; null if it has no time
 */
public record DecodedScore(long points, @Nullable Instant reachedAt) {}
