package palmares.rules.adoption;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a foreign score says.
 *
 * @param points from 0 to 2^53 - 1
 * @param reachedAt when they were reached, as finely as the score tells; null if it does not
 */
public record DecodedScore(long points, @Nullable Instant reachedAt) {}
