package palmares.client;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fact that Palmares delivers to webhooks: at least once, and always the same under one id.
 *
 * @param id by which a receiver recognizes repeats
 * @param type such as {@code period.settled} or {@code award.paid}
 * @param board null, as the period, if it is not about a period
 * @param revision null if it is not about a posted revision
 * @param data further fields, which depend on the type
 */
public record Fact(
    String id,
    String type,
    Instant time,
    @Nullable String board,
    @Nullable String period,
    @Nullable Long revision,
    Map<String, Object> data) {
  /** The type of a fact by which a member gets an amount. */
  public static final String AWARD_PAID = "award.paid";

  /** The type of a fact by which an amendment takes an amount back from a member's account. */
  public static final String AWARD_RETURNED = "award.returned";

  /**
   * A transfer between the house and a member.
   *
   * @param transfer its id
   * @param rule the reward rule
   * @param amount positive in either direction; the fact's type says which
   */
  public record Award(String transfer, String member, String rule, long amount, String currency) {}

  /**
   * Returns the transfer of a fact whose type begins with {@code award.}.
   *
   * @throws IllegalArgumentException if it has none
   */
  public Award award() {
    Long amount = Json.number(data, "amount");
    if (!type.startsWith("award.") || amount == null) {
      throw new IllegalArgumentException(id + " has no transfer");
    }
    return new Award(
        Json.required(data, "transfer"),
        Json.required(data, "member"),
        Json.required(data, "rule"),
        amount,
        Json.required(data, "currency"));
  }

  static Fact of(Map<String, Object> json) {
    return new Fact(
        Json.required(json, "id"),
        Json.required(json, "type"),
        Instant.parse(Json.required(json, "time")),
        Json.text(json, "board"),
        Json.text(json, "period"),
        Json.number(json, "revision"),
        Json.map(json, "data"));
  }
}
