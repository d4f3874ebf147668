package palmares.client;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event: something that a member did.
 *
 * @param id the idempotency key, 1 to 128 bytes, which the caller chooses once, before the first
 *     attempt; a repeat of the event has the same
 * @param member who did it, 1 to 64 bytes
 * @param action what; every board that has the action counts it, unless {@code board} names one
 * @param subject what it was done to; null for none
 * @param undo whether it takes back what the action on the subject gave in the same period
 * @param quantity how many; null for 1
 * @param value what the member has reached, on boards that rank by values; null elsewhere
 * @param thenBy what it adds to the board's second key; null for nothing
 * @param occurredAt when; null for the time at which the server takes it
 * @param board the only board that counts it; null for all that have the action
 */
public record Event(
    String id,
    String member,
    String action,
    @Nullable String subject,
    boolean undo,
    @Nullable Long quantity,
    @Nullable Long value,
    @Nullable Long thenBy,
    @Nullable Instant occurredAt,
    @Nullable String board) {
  /**
   * @throws IllegalArgumentException if id, member or action is empty
   */
  public Event {
    requireText("id", id);
    requireText("member", member);
    requireText("action", action);
  }

  private static void requireText(String field, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("the event's %s is empty".formatted(field));
    }
  }

  /** Returns an event without the optional fields. */
  public static Event of(String id, String member, String action) {
    return new Event(id, member, action, null, false, null, null, null, null, null);
  }

  /** Returns the event with what it was done to. */
  public Event on(String newSubject) {
    return new Event(
        id, member, action, newSubject, undo, quantity, value, thenBy, occurredAt, board);
  }

  /** Returns an event that takes back what its action on its subject gave. */
  public Event undone() {
    return new Event(id, member, action, subject, true, quantity, value, thenBy, occurredAt, board);
  }

  /** Returns the event with how many. */
  public Event times(long newQuantity) {
    return new Event(
        id, member, action, subject, undo, newQuantity, value, thenBy, occurredAt, board);
  }

  /** Returns the event with what the member has reached. */
  public Event reaching(long newValue) {
    return new Event(
        id, member, action, subject, undo, quantity, newValue, thenBy, occurredAt, board);
  }

  /** Returns the event with what it adds to the board's second key. */
  public Event thenBy(long amount) {
    return new Event(id, member, action, subject, undo, quantity, value, amount, occurredAt, board);
  }

  /** Returns the event with its time. */
  public Event at(Instant time) {
    return new Event(id, member, action, subject, undo, quantity, value, thenBy, time, board);
  }

  /** Returns the event for one board only. */
  public Event only(String newBoard) {
    return new Event(
        id, member, action, subject, undo, quantity, value, thenBy, occurredAt, newBoard);
  }

  /** Returns the event in the JSON that the API takes. */
  public String toJson() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("id", id);
    fields.put("member", member);
    fields.put("action", action);
    put(fields, "subject", subject);
    put(fields, "undo", undo ? true : null);
    put(fields, "quantity", quantity);
    put(fields, "value", value);
    put(fields, "thenBy", thenBy);
    put(fields, "occurredAt", occurredAt == null ? null : occurredAt.toString());
    put(fields, "board", board);
    return new String(Json.write(fields), StandardCharsets.UTF_8);
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  /**
   * Reads what {@link #toJson} has written.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Event parse(String json) {
    Map<String, Object> fields = Json.object(json.getBytes(StandardCharsets.UTF_8));
    return new Event(
        Json.required(fields, "id"),
        Json.required(fields, "member"),
        Json.required(fields, "action"),
        Json.text(fields, "subject"),
        Boolean.TRUE.equals(fields.get("undo")),
        Json.number(fields, "quantity"),
        Json.number(fields, "value"),
        Json.number(fields, "thenBy"),
        Json.time(fields, "occurredAt"),
        Json.text(fields, "board"));
  }
}
