package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as the Standard Webhooks specification says, so that its libraries can verify. */
record Signature(SecretKeySpec key) {
  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int FEWEST_BYTES = 24;
  private static final int MOST_BYTES = 64;

  /**
   * @throws IllegalArgumentException if the secret is not {@code whsec_} and Base64 of 24 to 64
   *     bytes; the message does not show it
   */
  static Signature of(String secret) {
    String text = secret.strip();
    try {
      byte[] key = Base64.getDecoder().decode(text.replaceFirst("^" + PREFIX, ""));
      if (text.startsWith(PREFIX) && key.length >= FEWEST_BYTES && key.length <= MOST_BYTES) {
        return new Signature(new SecretKeySpec(key, ALGORITHM));
      }
    } catch (IllegalArgumentException notBase64) {
      // Said below, without showing any of it.
    }
    throw WebhookSettings.wrong(
        "secret is not 'whsec_' and Base64 of %d to %d bytes: make one with 'echo whsec_$(openssl"
                .formatted(FEWEST_BYTES, MOST_BYTES)
            + " rand -base64 32)'");
  }

  /** The value of {@code webhook-signature} for one secret. */
  String sign(String id, long timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every Java", e);
    }
  }
}
