package palmares.testing;

import java.util.LinkedHashMap;
import java.util.Map;

/** A board file in the making: one that counts likes, coins and invitations, and what differs. */
public final class Rules {
  private final Map<String, String> fields = new LinkedHashMap<>();

  private Rules(String period) {
    with("title: A board of a test");
    with("period: " + period);
    with("max-points: 1000000");
    with("public: true");
    with(
        """
        actions:
          like: { points: 1, undo: true }
          coin: { points: 1, undo: true, max-quantity: 1000000 }
          invite: 100
        """);
  }

  /** In UTC, by the server's clock, with the default grace of ten minutes. */
  public static Rules of(String period) {
    return new Rules(period);
  }

  public static Rules day() {
    return of("day");
  }

  /** A day's board that a program writes, and that pays 100 to the first. */
  public static Rules adopting(String key, String encoding) {
    var rules = new Rules("day");
    rules.fields.remove("max-points");
    rules.fields.remove("actions");
    return rules
        .with("adopt: { key: '%s', encoding: %s }".formatted(key, encoding))
        .with("rewards: [{ rule: podium, ranks: { 1: 100 } }]");
  }

  /** Sets a field, or replaces it; the text is that of the file. */
  public Rules with(String field) {
    fields.put(field.substring(0, field.indexOf(':')), field.strip());
    return this;
  }

  public String text() {
    return String.join("\n", fields.values()) + "\n";
  }
}
