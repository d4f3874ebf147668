package palmares.platform.text;

import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import palmares.platform.form.Choice;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/**
 * A sentence that was stored, or came from another process.
 *
 * @param text what it was when it was said; for readers that do not know its code
 */
public record Said(String code, Map<String, @Nullable Object> values, String text)
    implements Sentence {
  static final String VERBATIM = "verbatim";

  /** A sentence whose values were read from JSON. */
  public static Said of(String code, Map<?, ?> values, String text) {
    var named = new LinkedHashMap<String, @Nullable Object>();
    values.forEach((name, value) -> named.put(String.valueOf(name), value));
    return new Said(code, named, text);
  }

  /** A value as JSON has it. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    if (value instanceof Sentence sentence) {
      var part = new LinkedHashMap<String, Object>();
      part.put("code", sentence.code());
      part.put("values", sentence.values());
      return part;
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(Said::plain).toList();
    }
    if (value instanceof ZonedDateTime time) {
      return time.toOffsetDateTime().toString();
    }
    return value instanceof Choice choice ? choice.word() : value.toString();
  }

  /** Writes a sentence with its text in the language of the caller. */
  static final class Writer extends ValueSerializer<Sentence> {
    @Override
    public void serialize(Sentence sentence, JsonGenerator json, SerializationContext context) {
      Locale locale = LocaleContextHolder.getLocale();
      json.writeStartObject();
      json.writeStringProperty("code", sentence.code());
      json.writePOJOProperty("values", sentence.values());
      json.writeStringProperty("text", Texts.in(locale).of(sentence));
      json.writeEndObject();
    }
  }
}
