package palmares.api.identity;

import java.security.SecureRandom;
import java.util.Base64;

/** Makes random secrets. */
final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SECRET_BYTES = 32;
  private static final int PASSWORD_BYTES = 15;

  private Secrets() {}

  /** Returns 256 random bits as text. */
  static String text() {
    return encoded(SECRET_BYTES);
  }

  /** Returns 120 random bits as text, which a person can type once. */
  static String password() {
    return encoded(PASSWORD_BYTES);
  }

  private static String encoded(int bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(bytes));
  }

  static byte[] bytes(int number) {
    var random = new byte[number];
    RANDOM.nextBytes(random);
    return random;
  }
}
