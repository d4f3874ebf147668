package palmares.operations.amendment;

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
 * @param tierBefore 'up' or 'down' if it went to another tier; null if it stayed
 * @param tierAfter as before; null if it stays
 */
public record MemberDifference(
    String member,
    @Nullable Long rankBefore,
    @Nullable Long rankAfter,
    @Nullable Long pointsBefore,
    @Nullable Long pointsAfter,
    @Nullable String currency,
    long before,
    long after,
    @Nullable String tierBefore,
    @Nullable String tierAfter) {}
