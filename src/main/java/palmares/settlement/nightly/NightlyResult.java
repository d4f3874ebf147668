package palmares.settlement.nightly;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What a night's verification found.
 *
 * @param night the day, in UTC, at whose time it was due
 * @param since it looked at what was settled or amended from here on
 * @param by the process that did it
 * @param differences how many; 0 if all is as it must be
 * @param first the first of them; null if there is none
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
