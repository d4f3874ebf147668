package palmares.platform.text;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;

/**
 * A sentence that was stored, or came from another process.
 *
 * @param text what it was when it was said; for readers that do not know its code
 */
public record Said(String code, Map<String, @Nullable Object> values, String text)
    implements Sentence {
  static final String VERBATIM = "verbatim";

  /** The components of {@link Money}. */
  static final String CURRENCY = "currency";

  static final String AMOUNT = "amount";

  /** An escaped NUL, after no or whole escaped backslashes. */
  private static final Pattern NUL = Pattern.compile("(?<!\\\\)((?:\\\\{2})*)\\\\u0000");

  /** What the sentences of a type have in common; read once, as an event may be refused by one. */
  record Form(String code, List<Method> accessors) {
    private static final ClassValue<Form> BY_TYPE =
        new ClassValue<>() {
          @Override
          protected Form computeValue(Class<?> type) {
            var accessors =
                Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getAccessor)
                    .toList();
            accessors.forEach(ReflectionUtils::makeAccessible);
            return new Form(Sentence.code(type), accessors);
          }
        };

    static Form of(Class<?> type) {
      return BY_TYPE.get(type);
    }
  }

  /** A sentence whose values were read from JSON. */
  public static Said of(String code, Map<?, ?> values, String text) {
    var named = new LinkedHashMap<String, @Nullable Object>();
    values.forEach((name, value) -> named.put(String.valueOf(name), value));
    return new Said(code, named, text);
  }

  /** A sentence as a column keeps it, for readers in any language. */
  public static String toJson(Sentence sentence) {
    return storable(new Said(sentence.code(), sentence.values(), Texts.english(sentence)));
  }

  /** JSON for PostgreSQL, which does not store the character NUL. */
  public static String storable(Object value) {
    return NUL.matcher(JsonMapper.shared().writeValueAsString(value)).replaceAll("$1");
  }

  /**
   * A sentence of a column, or a text there, which is the same in every language; null if the
   * column is null.
   */
  public static @Nullable Sentence fromJson(@Nullable String json) {
    if (json == null) {
      return null;
    }
    return json.startsWith("\"")
        ? Sentence.verbatim(JsonMapper.shared().readValue(json, String.class))
        : JsonMapper.shared().readValue(json, Sentence.class);
  }

  /** A value as JSON has it. */
  public static @Nullable Object plain(@Nullable Object value) {
    if (value == null
        || value instanceof String
        || value instanceof Number
        || value instanceof Boolean) {
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
    if (value instanceof Money money) {
      var part = new LinkedHashMap<String, Object>();
      part.put(CURRENCY, money.currency());
      part.put(AMOUNT, money.amount());
      return part;
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
      json.writeStartObject();
      json.writeStringProperty("code", sentence.code());
      json.writePOJOProperty("values", sentence.values());
      json.writeStringProperty("text", Texts.here().of(sentence));
      json.writeEndObject();
    }
  }
}
