package palmares.settlement.nightly;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The result of a nightly verification.
 *
 * @param night the day, in UTC, on which it was due
 * @param since it verified what was settled or amended from this time on
 * @param by the process that verified
 * @param differences the number of differences
 * @param first the first difference; null if there is none
 */
public record NightlyResult(
    LocalDate night,
    Instant since,
    Instant startedAt,
    Instant endedAt,
    String by,
    long periods,
    long differences,
    String summary,
    @Nullable String first) {}
