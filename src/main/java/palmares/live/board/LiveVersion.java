package palmares.live.board;

/**
 * Which state of a live board was looked at: two looks of one version saw the same lines.
 *
 * @param sealed whether nothing changes it any more
 * @param events how many events it has decided
 * @param points the sum of what its members hold; tells boards apart that were made again
 * @param exclusions which list of them it knows
 */
public record LiveVersion(boolean sealed, long events, long points, String exclusions) {}
