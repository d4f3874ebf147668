package palmares.live.member;

import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * What a member gives to others who are to register by it.
 *
 * @param value 8 digits and capital letters, without those that look like others: 0 1 I L O U
 */
public record InviteCode(String value) {
  private static final String ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 8;
  private static final Pattern SHAPE = Pattern.compile("[" + ALPHABET + "]{" + LENGTH + "}");

  /**
   * @throws IllegalArgumentException if it has another shape
   */
  public InviteCode {
    if (!isOne(value)) {
      throw new IllegalArgumentException("no invite code: " + value);
    }
  }

  /** Whether the text is spelled as a code is. */
  static boolean isOne(String text) {
    return SHAPE.matcher(text).matches();
  }

  /** As people write it: in small letters, with spaces or hyphens in it. */
  static String plain(String text) {
    return text.replaceAll("[ -]", "").toUpperCase(Locale.ROOT);
  }

  static InviteCode random(RandomGenerator random) {
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
