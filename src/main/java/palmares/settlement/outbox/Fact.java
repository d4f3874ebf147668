package palmares.settlement.outbox;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;

/**
 * One thing that happened, as others are told it.
 *
 * @param id the same whenever it is told, and of no other fact
 * @param type {@code period.settled}, {@code period.amended}, or what became of a member's award:
 *     {@code award.paid}, {@code award.returned}, {@code award.owed}, {@code award.written-off},
 *     {@code award.restored}
 * @param time ISO 8601 in UTC
 * @param data what the type brings
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
