package palmares.platform.form;

import java.util.Locale;

/** An enum constant that files and the database spell in lower case with hyphens. */
public interface Choice {
  /** The constant's name in Java. */
  String name();

  /** The constant as files and the database spell it, such as {@code two-person}. */
  default String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
