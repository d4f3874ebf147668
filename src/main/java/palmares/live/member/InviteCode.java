package palmares.live.member;

import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * A code that a member gives to people whom it invites.
 *
 * @param value 8 digits and capital letters, without the ambiguous 0 1 I L O U
 */
public record InviteCode(String value) {
  private static final String ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 8;
  private static final Pattern SYNTAX = Pattern.compile("[" + ALPHABET + "]{" + LENGTH + "}");

  /**
   * @throws IllegalArgumentException if the value is not valid
   */
  public InviteCode {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not an invite code: " + value);
    }
  }

  static boolean isValid(String text) {
    return SYNTAX.matcher(text).matches();
  }

  /** Removes spaces and hyphens, and changes small letters to capitals. */
  static String normalize(String text) {
    return text.replaceAll("[ -]", "").toUpperCase(Locale.ROOT);
  }

  /** Returns a random code, which may be in use. */
  public static InviteCode random(RandomGenerator random) {
    var code = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      code.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return new InviteCode(code.toString());
  }

  @Override
  public String toString() {
    return value;
  }
}
