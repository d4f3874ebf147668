package palmares.platform.text;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An enum constant that files, the database and the API spell in lower case with hyphens. */
public interface Choice {
  /** The constant's name in Java. */
  String name();

  /** The constant as it is spelled outside of Java, such as {@code two-person}. */
  default String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The constant that is spelled exactly so; empty if there is none. */
  static <E extends Choice> Optional<E> find(E[] constants, @Nullable String word) {
    return Stream.of(constants).filter(constant -> constant.word().equals(word)).findFirst();
  }

  /**
   * The constant of a word.
   *
   * @throws IllegalArgumentException if there is none
   */
  static <E extends Enum<E> & Choice> E of(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
