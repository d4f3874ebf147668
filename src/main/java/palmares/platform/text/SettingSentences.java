package palmares.platform.text;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Says what is wrong with settings, which fail a start. */
public interface SettingSentences {
  /**
   * @param rule what the value must be
   */
  record Wrong(String setting, String value, Sentence rule) implements Sentence {}

  /** As {@link Wrong}, of a value that nobody may read. */
  record WrongSecret(String setting, Sentence rule) implements Sentence {}

  /** What Spring says of a value. */
  record Other(String setting, Sentence why) implements Sentence {}

  record Missing(String setting, Sentence rule) implements Sentence {}

  /** What is wrong, and where the value was set. */
  record SetBy(Sentence said, Sentence where) implements Sentence {}

  record Unknown(String setting, Sentence where, Sentence hint) implements Sentence {}

  record ListedIn(String file) implements Sentence {}

  record IneffectiveInFile(String setting, Sentence where, String variable) implements Sentence {}

  // What a value must be.

  record AtLeast(String least) implements Sentence {}

  record Within(String least, String most) implements Sentence {}

  record NoShorterThan(String other, String value) implements Sentence {}

  record OneOf(List<String> words) implements Sentence {}

  record Flag() implements Sentence {}

  record Number() implements Sentence {}

  record WholeNumber() implements Sentence {}

  record Time() implements Sentence {}

  record Size() implements Sentence {}

  record Address() implements Sentence {}

  record TimeOfDay() implements Sentence {}

  record TimeOfDayInUtc() implements Sentence {}

  record TimeZone() implements Sentence {}

  record Port(String most) implements Sentence {}

  /**
   * @param form such as {@code KEY=VALUE}
   */
  record Like(String form) implements Sentence {}

  record OtherForm() implements Sentence {}

  // Where it was set.

  /** An option {@code -D}. */
  record DefinitionOfCall() implements Sentence {}

  record OptionOfCall() implements Sentence {}

  record Variable() implements Sentence {}

  record VariableNamed(String variable) implements Sentence {}

  /** What a value of a type must be; empty if its form is not known here. */
  static Optional<Sentence> of(Class<?> type) {
    Class<?> kind = ClassUtils.resolvePrimitiveIfNecessary(type);
    @Nullable Sentence rule = null;
    if (kind.isEnum()) {
      rule =
          new OneOf(
              Stream.of(kind.getEnumConstants())
                  .map(constant -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                  .toList());
    } else if (kind == Boolean.class) {
      rule = new Flag();
    } else if (kind == Double.class || kind == Float.class) {
      rule = new Number();
    } else if (java.lang.Number.class.isAssignableFrom(kind)) {
      rule = new WholeNumber();
    } else if (kind == Duration.class) {
      rule = new Time();
    } else if (kind == DataSize.class) {
      rule = new Size();
    } else if (kind == URI.class) {
      rule = new Address();
    }
    return Optional.ofNullable(rule);
  }
}
