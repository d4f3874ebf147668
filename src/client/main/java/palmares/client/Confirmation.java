package palmares.client;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a wallet says became of an award: it credits each id once, however often it is delivered.
 *
 * @param id the id of the fact {@code award.paid}
 * @param credited whether the member has it; false if the wallet refuses it
 * @param amount what was credited; null if it was refused
 * @param reason why it was refused; null if it was credited
 */
public record Confirmation(
    String id, boolean credited, @Nullable Long amount, @Nullable String reason) {
  private static final int MAX_REASON_CHARACTERS = 500;

  /**
   * @throws IllegalArgumentException if a credit has no amount, or a refusal no reason
   */
  public Confirmation {
    if (credited ? amount == null : reason == null || reason.isBlank()) {
      throw new IllegalArgumentException(
          "%s: %s"
              .formatted(id, credited ? "a credit needs an amount" : "a refusal needs a reason"));
    }
  }

  /**
   * Says that the wallet has credited an award as it was delivered; say so only of what is
   * committed together with it.
   *
   * @throws IllegalArgumentException if the fact is no {@code award.paid}
   */
  public static Confirmation credited(Fact fact) {
    return new Confirmation(paid(fact).id(), true, fact.award().amount(), null);
  }

  /**
   * Says that the wallet does not credit an award.
   *
   * @param reason for people; cut to 500 characters
   * @throws IllegalArgumentException if the fact is no {@code award.paid}, or the reason is blank
   */
  public static Confirmation refused(Fact fact, String reason) {
    return new Confirmation(
        paid(fact).id(),
        false,
        null,
        reason.substring(0, Math.min(reason.length(), MAX_REASON_CHARACTERS)));
  }

  private static Fact paid(Fact fact) {
    if (!fact.type().equals(Fact.AWARD_PAID)) {
      throw new IllegalArgumentException(
          "%s is no %s, which alone is confirmed".formatted(fact.id(), Fact.AWARD_PAID));
    }
    return fact;
  }

  /** Returns the fields that the API takes, without the id, which is in the address. */
  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("outcome", credited ? "credited" : "refused");
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
        Json.required(fields, "outcome").equals("credited"),
        Json.number(fields, "amount"),
        Json.text(fields, "reason"));
  }

  /** Returns the body of an answer to a delivery. */
  public static byte[] answer(List<Confirmation> confirmations) {
    return Json.write(Map.of("outcomes", confirmations.stream().map(Confirmation::named).toList()));
  }
}
