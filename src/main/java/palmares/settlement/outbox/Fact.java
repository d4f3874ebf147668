package palmares.settlement.outbox;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;

/**
 * Is one fact for other systems, in the form that is delivered.
 *
 * @param id unique, and the same in each delivery of the fact
 * @param type {@code period.settled}, {@code period.amended}, or what became of a member's award:
 *     {@code award.paid}, {@code award.returned}, {@code award.owed}, {@code award.written-off},
 *     {@code award.restored}
 * @param time ISO 8601 in UTC
 * @param data further fields, which depend on the type
 */
@JsonPropertyOrder({"id", "type", "time", "board", "period", "revision", "data"})
record Fact(
    String id,
    String type,
    String time,
    String board,
    String period,
    int revision,
    Map<String, Object> data) {}
