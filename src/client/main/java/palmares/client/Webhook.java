package palmares.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Verifies and reads what a webhook receives, signed as Standard Webhooks defines. */
public final class Webhook {
  /** The header with the id of a delivery. */
  public static final String ID = "webhook-id";

  /** The header with the time of a delivery, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** The header with the signatures, one for each secret of the sender, separated by spaces. */
  public static final String SIGNATURE = "webhook-signature";

  /** How far the time of a delivery may be from now. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final String PREFIX = "whsec_";
  private static final String VERSION = "v1,";

  private final List<SecretKeySpec> keys;
  private final Duration tolerance;
  private final Clock clock;

  /**
   * @param secrets each {@code whsec_} and Base64, as the sender has them; several while they are
   *     changed
   * @throws IllegalArgumentException if there is none or one is wrong; the message does not show it
   */
  public Webhook(List<String> secrets, Duration tolerance, Clock clock) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException("a webhook needs at least one secret");
    }
    this.keys = secrets.stream().map(Webhook::key).toList();
    this.tolerance = tolerance;
    this.clock = clock;
  }

  private static SecretKeySpec key(String secret) {
    String text = secret.strip();
    if (text.startsWith(PREFIX)) {
      try {
        byte[] key = Base64.getDecoder().decode(text.substring(PREFIX.length()));
        return new SecretKeySpec(key, "HmacSHA256");
      } catch (IllegalArgumentException notBase64OrEmpty) {
        // The message below must not show the secret.
      }
    }
    throw new IllegalArgumentException("a secret of the webhook is not 'whsec_' and Base64");
  }

  /** Says that a delivery was not signed by a secret that is known, or not now. */
  public static final class NotGenuine extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private NotGenuine(String message) {
      super(message);
    }
  }

  /**
   * Returns the facts of a delivery, in their order.
   *
   * @param id the header {@link #ID}; null if it is missing, as with the other two
   * @param body its bytes, before anything has read them
   * @throws NotGenuine if a header is missing, the time is too far from now, or no signature fits
   * @throws IllegalArgumentException if the body has no facts
   */
  public List<Fact> read(
      @Nullable String id, @Nullable String timestamp, @Nullable String signatures, byte[] body) {
    if (id == null || timestamp == null || signatures == null) {
      throw new NotGenuine("%s, %s and %s are needed".formatted(ID, TIMESTAMP, SIGNATURE));
    }
    requireNow(timestamp);
    byte[] signed = (id + "." + timestamp + ".").getBytes(UTF_8);
    if (List.of(signatures.split(" ")).stream()
        .filter(each -> each.startsWith(VERSION))
        .map(each -> each.substring(VERSION.length()).getBytes(UTF_8))
        .noneMatch(each -> isOfAKey(each, signed, body))) {
      throw new NotGenuine("no signature fits a secret: compare the secrets of both sides");
    }
    var facts = Json.object(body);
    if (!(facts.get("facts") instanceof List<?>)) {
      throw new IllegalArgumentException("the field 'facts' is no list");
    }
    return Json.list(facts.get("facts"), Fact::of);
  }

  private void requireNow(String timestamp) {
    long seconds;
    try {
      seconds = Long.parseLong(timestamp);
    } catch (NumberFormatException e) {
      throw new NotGenuine("%s is no number of seconds".formatted(TIMESTAMP));
    }
    long off = Math.abs(clock.instant().getEpochSecond() - seconds);
    if (off < 0 || off > tolerance.toSeconds()) {
      throw new NotGenuine(
          "%s is %d s from now, and may be %d s: compare the clocks of both sides"
              .formatted(TIMESTAMP, off, tolerance.toSeconds()));
    }
  }

  /** Compares with each key, so that the time says nothing of which fits. */
  private boolean isOfAKey(byte[] signature, byte[] signed, byte[] body) {
    boolean fits = false;
    for (SecretKeySpec key : keys) {
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update(signed);
        fits |= MessageDigest.isEqual(Base64.getEncoder().encode(mac.doFinal(body)), signature);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e); // Every JDK has it.
      }
    }
    return fits;
  }
}
