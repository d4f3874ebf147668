package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import javax.crypto.Mac;
import palmares.platform.text.Setting;
import palmares.rules.board.Sha256;

/** Signs batches by the Standard Webhooks specification, whose libraries can verify them. */
record Signature(byte[] key) {
  private static final String PREFIX = "whsec_";

  /** Prints a new secret. */
  static final String MAKES_ONE = "echo whsec_$(openssl rand -base64 32)";

  private static final int MIN_KEY_BYTES = 24;
  private static final int MAX_KEY_BYTES = 64;

  /**
   * @param setting the one that has the secret, of which a message shows nothing
   * @throws palmares.platform.text.WrongSetting if the secret is not {@code whsec_} and Base64 of
   *     24 to 64 bytes
   */
  static Signature of(Setting setting, String secret) {
    String text = secret.strip();
    try {
      byte[] key = Base64.getDecoder().decode(text.replaceFirst("^" + PREFIX, ""));
      if (text.startsWith(PREFIX) && key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES) {
        return new Signature(key);
      }
    } catch (IllegalArgumentException notBase64) {
      // The message below must not show the secret.
    }
    throw setting.wrongSecret(
        new TargetSettingSentences.Secret(PREFIX, MIN_KEY_BYTES, MAX_KEY_BYTES, MAKES_ONE));
  }

  /** Returns the value of the header {@code webhook-signature}. */
  String sign(String id, long timestamp, byte[] body) {
    Mac mac = Sha256.mac(key);
    mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
    return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
  }
}
