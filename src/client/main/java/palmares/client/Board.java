package palmares.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The top of a board in one period, as of one moment.
 *
 * @param state such as {@code open}, {@code sealed} or {@code settled}
 * @param closesAt when it is due to close; null if it never closes
 * @param asOf when it was read; null if the period is settled
 * @param members how many have a rank
 * @param json all fields of the answer
 */
public record Board(
    String board,
    String period,
    String state,
    @Nullable Instant closesAt,
    @Nullable Instant asOf,
    long members,
    List<Line> lines,
    Map<String, Object> json) {
  /**
   * One member's line.
   *
   * @param place the position in the exact order, from 1
   * @param rank what the board's method makes of it
   * @param credits what was paid for it; null until the period is settled
   * @param json all fields of the line
   */
  public record Line(
      long place,
      long rank,
      String member,
      long points,
      @Nullable Long credits,
      Map<String, Object> json) {
    private static Line of(Map<String, Object> json) {
      return new Line(
          number(json, "place"),
          number(json, "rank"),
          Json.required(json, "member"),
          number(json, "points"),
          Json.number(json, "credits"),
          json);
    }
  }

  static Board of(Map<String, Object> json) {
    return new Board(
        Json.required(json, "board"),
        Json.required(json, "period"),
        Json.required(json, "state"),
        Json.time(json, "closesAt"),
        Json.time(json, "asOf"),
        number(json, "members"),
        Json.list(json.get("lines"), Line::of),
        json);
  }

  private static long number(Map<String, Object> json, String field) {
    Long number = Json.number(json, field);
    return number == null ? 0 : number;
  }
}
