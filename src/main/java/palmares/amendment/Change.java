package palmares.amendment;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of one member from one revision to another, in one currency.
 *
 * @param rankBefore null if it had none
 * @param rankAfter null if it has none
 * @param pointsBefore null if it had no line
 * @param pointsAfter null if it has no line
 * @param currency null if it gets nothing in either
 * @param before what it was awarded
 * @param after what it is awarded
 */
public record Change(
    String member,
    @Nullable Long rankBefore,
    @Nullable Long rankAfter,
    @Nullable Long pointsBefore,
    @Nullable Long pointsAfter,
    @Nullable String currency,
    long before,
    long after) {}
