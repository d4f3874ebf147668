package palmares.settlement.wallet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.web.util.UriUtils;

/**
 * Names an award, or the return of one, as deliveries do, independently of the number of its
 * outcome.
 *
 * @param revision the revision that posted it
 * @param isReturn whether it takes an award back
 */
public record AwardKey(
    String board,
    String period,
    int revision,
    String member,
    String rule,
    String currency,
    boolean isReturn) {
  private static final String PREFIX = "award.paid:";
  private static final String PREFIX_OF_RETURNS = "award.returned:";
  private static final String AWARD = "award";
  private static final String RETURN = "return";
  private static final int PARTS = 7;

  /** More than any award's name has, and fewer than an index of the database takes. */
  private static final int MAX_CHARACTERS = 500;

  /**
   * Reads the id of an {@code award.paid} or {@code award.returned} fact, or of its transfer; empty
   * if no award has it.
   */
  public static Optional<AwardKey> parse(String id) {
    if (id.length() > MAX_CHARACTERS || id.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    boolean isReturn = id.endsWith("/" + RETURN);
    String prefix = isReturn ? PREFIX_OF_RETURNS : PREFIX;
    String[] parts = id.substring(id.startsWith(prefix) ? prefix.length() : 0).split("/", -1);
    if (parts.length != PARTS || !parts[PARTS - 1].equals(isReturn ? RETURN : AWARD)) {
      return Optional.empty();
    }
    try {
      String[] plain =
          Arrays.stream(parts).map(part -> UriUtils.decode(part, UTF_8)).toArray(String[]::new);
      return Optional.of(
              new AwardKey(
                  plain[0],
                  plain[1],
                  Integer.parseInt(plain[2]),
                  plain[3],
                  plain[4],
                  plain[5],
                  isReturn))
          .filter(key -> key.text().length() <= MAX_CHARACTERS)
          .filter(key -> Arrays.stream(plain).noneMatch(part -> part.indexOf('\0') >= 0));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The one spelling of the id of an award; of any other text, as much as can be stored. */
  static String canonical(String id) {
    return parse(id)
        .map(AwardKey::text)
        .orElseGet(() -> storable(id.substring(0, Math.min(id.length(), MAX_CHARACTERS))));
  }

  /** Replaces what PostgreSQL cannot store, as its driver would, so that equal texts are one. */
  private static String storable(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).replace('\0', '?');
  }

  /** The id of the transfer, which is also that of its fact after the colon. */
  public String text() {
    return join(
        board, period, String.valueOf(revision), member, rule, currency, isReturn ? RETURN : AWARD);
  }

  /** Joins the parts by slashes and escapes each as in the path of a URL, so that keys differ. */
  public static String join(String... parts) {
    return Arrays.stream(parts)
        .map(part -> UriUtils.encodePathSegment(part, UTF_8))
        .collect(Collectors.joining("/"));
  }
}
