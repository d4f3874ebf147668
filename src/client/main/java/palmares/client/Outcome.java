package palmares.client;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of an event.
 *
 * @param id the event's; null if the server could not read it
 * @param kind the best of its boards
 * @param reason the word that says why it does not count; null if it counts
 * @param detail the reason in words; null if there is none
 * @param boards what became of it on each board
 */
public record Outcome(
    @Nullable String id,
    Kind kind,
    @Nullable String reason,
    @Nullable String detail,
    List<OnBoard> boards) {
  /** The kinds of outcome, the best first. */
  public enum Kind {
    /** It counts. */
    APPLIED,
    /** It took back an earlier event. */
    UNDONE,
    /** It is stored, and counts as soon as its live board takes it. */
    ACCEPTED,
    /** An event with this id was decided before; nothing changed. */
    DUPLICATE,
    /** It came after the seal or the grace, and is kept for staff. */
    LATE,
    /** It does not count. */
    REFUSED;

    private static Kind of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * What became of an event on one board.
   *
   * @param period null if there is none
   * @param reason why it does not count there; null if it counts
   * @param change the points that it added; negative if it took points away
   * @param points the member's points after it; null if they are no longer known
   */
  public record OnBoard(
      String board,
      @Nullable String period,
      Kind kind,
      @Nullable String reason,
      long change,
      @Nullable Long points) {
    private static OnBoard of(Map<String, Object> json) {
      Long change = Json.number(json, "change");
      return new OnBoard(
          Json.required(json, "board"),
          Json.text(json, "period"),
          Kind.of(Json.required(json, "outcome")),
          Json.text(json, "reason"),
          change == null ? 0 : change,
          Json.number(json, "points"));
    }
  }

  /** Whether it counts on no board. The repeat of a refused event is refused, too. */
  public boolean isRefused() {
    return kind == Kind.LATE || kind == Kind.REFUSED || reason != null;
  }

  static Outcome of(Map<String, Object> json) {
    return new Outcome(
        Json.text(json, "id"),
        Kind.of(Json.required(json, "outcome")),
        Json.text(json, "reason"),
        Json.text(json, "detail"),
        Json.list(json.get("boards"), OnBoard::of));
  }
}
