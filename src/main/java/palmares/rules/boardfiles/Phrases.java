package palmares.rules.boardfiles;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.ResourceBundle.Control;

/** Words and sentences about rules in one language, from the bundle {@code rules}. */
final class Phrases {
  private static final Control NO_FALLBACK =
      Control.getNoFallbackControl(Control.FORMAT_PROPERTIES);

  private final ResourceBundle bundle;
  private final Locale locale;

  /**
   * @param locale English if the bundle does not have its language
   */
  Phrases(Locale locale) {
    this.locale = locale;
    this.bundle =
        ResourceBundle.getBundle(
            Phrases.class.getPackageName() + ".rules",
            locale,
            Phrases.class.getClassLoader(),
            NO_FALLBACK);
  }

  Locale locale() {
    return locale;
  }

  String of(String key, Object... values) {
    return new MessageFormat(bundle.getString(key), locale).format(values);
  }

  /** The phrase of a word; the word itself if there is none. */
  String word(String kind, String word) {
    String key = kind + "." + word;
    return bundle.containsKey(key) ? bundle.getString(key) : word;
  }
}
