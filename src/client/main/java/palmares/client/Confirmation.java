package palmares.client;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a wallet says became of an award, or of the return of one: it acts on each id once, however
 * often it is delivered.
 *
 * @param id the id of the fact {@code award.paid} or {@code award.returned}
 * @param amount what was credited or returned; null if it was refused
 * @param reason why it was refused; null if it was not
 */
public record Confirmation(
    String id, Result result, @Nullable Long amount, @Nullable String reason) {
  private static final int MAX_REASON_CHARACTERS = 500;

  /** What became of it. */
  public enum Result {
    /** The member has the award. */
    CREDITED,
    /** The member has the award no longer: it was taken back, or never credited. */
    RETURNED,
    /** The wallet does not credit the award, or does not take it back. May change later. */
    REFUSED;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static Result of(String word) {
      for (Result result : values()) {
        if (result.word().equals(word)) {
          return result;
        }
      }
      throw new IllegalArgumentException("'%s' is no outcome of an award".formatted(word));
    }
  }

  /**
   * @throws IllegalArgumentException if a credit or return has no amount, or a refusal no reason
   */
  public Confirmation {
    boolean isRefused = result == Result.REFUSED;
    if (isRefused ? reason == null || reason.isBlank() : amount == null) {
      throw new IllegalArgumentException(
          "%s: %s needs %s".formatted(id, result.word(), isRefused ? "a reason" : "an amount"));
    }
  }

  /**
   * Says that the wallet has credited an award as it was delivered; say so only of what is
   * committed together with it.
   *
   * @throws IllegalArgumentException if the fact is no {@code award.paid}
   */
  public static Confirmation credited(Fact fact) {
    return new Confirmation(
        require(fact, Fact.AWARD_PAID).id(), Result.CREDITED, fact.award().amount(), null);
  }

  /**
   * Says that the member has the amount no longer, because the wallet has taken it back or never
   * credited it; say so only of what is committed together with it.
   *
   * @throws IllegalArgumentException if the fact is no {@code award.returned}
   */
  public static Confirmation returned(Fact fact) {
    return new Confirmation(
        require(fact, Fact.AWARD_RETURNED).id(), Result.RETURNED, fact.award().amount(), null);
  }

  /**
   * Says that the wallet does not credit an award, or does not take it back.
   *
   * @param reason for people; cut to 500 characters
   * @throws IllegalArgumentException if the fact is neither {@code award.paid} nor {@code
   *     award.returned}, or the reason is blank
   */
  public static Confirmation refused(Fact fact, String reason) {
    return new Confirmation(
        require(fact, Fact.AWARD_PAID, Fact.AWARD_RETURNED).id(),
        Result.REFUSED,
        null,
        reason.substring(0, Math.min(reason.length(), MAX_REASON_CHARACTERS)));
  }

  private static Fact require(Fact fact, String... types) {
    if (!List.of(types).contains(fact.type())) {
      throw new IllegalArgumentException(
          "%s is no %s, which alone is confirmed so"
              .formatted(fact.id(), String.join(" or ", types)));
    }
    return fact;
  }

  /** Whether the wallet has refused it, which is not final. */
  public boolean isRefused() {
    return result == Result.REFUSED;
  }

  /** Returns the fields that the API takes, without the id, which is in the address. */
  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("outcome", result.word());
    if (amount != null) {
      fields.put("amount", amount);
    }
    if (reason != null) {
      fields.put("reason", reason);
    }
    return fields;
  }

  private Map<String, Object> named() {
    Map<String, Object> fields = json();
    fields.put("id", id);
    return fields;
  }

  /** Returns it as JSON, for {@link #parse}. */
  public String toJson() {
    return new String(Json.write(named()), StandardCharsets.UTF_8);
  }

  /**
   * Reads what {@link #toJson} has written.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Confirmation parse(String json) {
    Map<String, Object> fields = Json.object(json.getBytes(StandardCharsets.UTF_8));
    return new Confirmation(
        Json.required(fields, "id"),
        Result.of(Json.required(fields, "outcome")),
        Json.number(fields, "amount"),
        Json.text(fields, "reason"));
  }

  /** Returns the body of an answer to a delivery. */
  public static byte[] answer(List<Confirmation> confirmations) {
    return Json.write(Map.of("outcomes", confirmations.stream().map(Confirmation::named).toList()));
  }
}
