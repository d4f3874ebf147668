package palmares.api.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs the number of a browser on which a person has signed in, with the stored hash of the
 * person's password: every server can check it, and a new password makes it void.
 */
final class KnownBrowser {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int NUMBER_BYTES = 12;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private KnownBrowser() {}

  /** Returns the value of a cookie. */
  static String create(String person, String key) {
    var bytes = new byte[NUMBER_BYTES];
    RANDOM.nextBytes(bytes);
    String number = ENCODER.encodeToString(bytes);
    return number + "." + signature(number, person, key);
  }

  /** Returns the browser's source of attempts; empty if the person has not signed in on it. */
  static Optional<String> verify(@Nullable String cookie, String person, String key) {
    int dot = cookie == null ? -1 : cookie.indexOf('.');
    if (cookie == null || dot < 0) {
      return Optional.empty();
    }
    String number = cookie.substring(0, dot);
    byte[] expected = signature(number, person, key).getBytes(UTF_8);
    return MessageDigest.isEqual(expected, cookie.substring(dot + 1).getBytes(UTF_8))
        ? Optional.of("browser " + number)
        : Optional.empty();
  }

  private static String signature(String number, String person, String key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.getBytes(UTF_8), ALGORITHM));
      return ENCODER.encodeToString(mac.doFinal((number + " " + person).getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }
}
