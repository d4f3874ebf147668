package palmares.platform.text;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Says something as a code with values, of which {@link Texts} makes text in a language.
 *
 * <p>A sentence is a record in an interface of its family: {@code ClosingSentences.Settled} has the
 * code {@code closing.settled}, and a text of that key in each {@code sentences*.properties}. Its
 * components are the values; a value may be another sentence, or a list. What SQL says as JSON, by
 * its function {@code said}, needs no record.
 */
@JsonSerialize(using = Said.Writer.class)
@JsonDeserialize(as = Said.class)
public interface Sentence {
  /** What its text is found by; part of the API. */
  default String code() {
    return Said.Form.of(getClass()).code();
  }

  /** The values by name, as JSON has them. */
  default Map<String, @Nullable Object> values() {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (Method accessor : Said.Form.of(getClass()).accessors()) {
      values.put(accessor.getName(), Said.plain(ReflectionUtils.invokeMethod(accessor, this)));
    }
    return Collections.unmodifiableMap(values);
  }

  /** Whether it is a text of a person or of another system. */
  default boolean isVerbatim() {
    return code().equals(Said.VERBATIM);
  }

  /** The code of the sentences of a type. */
  static String code(Class<?> type) {
    String family = type.getDeclaringClass().getSimpleName();
    return kebab(family.replaceFirst("(Sentences|Reason)$", ""))
        + "."
        + kebab(type.getSimpleName());
  }

  private static String kebab(String name) {
    return name.replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  /**
   * A text of a person or of another system, which is the same in every language.
   *
   * @param text shown as it is
   */
  static Sentence verbatim(String text) {
    return new Said(Said.VERBATIM, Map.of("text", text), text);
  }
}
