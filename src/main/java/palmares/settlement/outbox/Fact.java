package palmares.settlement.outbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fact for other systems, in the form that is delivered.
 *
 * @param id unique, and the same in each delivery of the fact
 * @param type one of {@link Subscription#TYPES}, or what became of a member's award: {@code
 *     award.paid}, {@code award.returned}, {@code award.owed}, {@code award.written-off}, {@code
 *     award.restored}
 * @param time ISO 8601 in UTC
 * @param board null, as the period, if it is not about a period
 * @param revision null if it is not about a posted revision
 * @param data further fields, which depend on the type
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "type", "time", "board", "period", "revision", "data"})
record Fact(
    String id,
    String type,
    String time,
    @Nullable String board,
    @Nullable String period,
    @Nullable Integer revision,
    Map<String, Object> data) {}
