package palmares.api.http;

import com.fasterxml.jackson.annotation.Nulls;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Makes the bodies of requests mean what they say: a field is sent once, a text is a string that
 * can be stored, a number is not cut, and a list has no holes.
 */
@Component
class RequestJson implements JsonMapperBuilderCustomizer {
  @Override
  public void customize(JsonMapper.Builder builder) {
    builder
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
        .addModule(
            new SimpleModule("storable texts").addDeserializer(String.class, new StorableText()));
  }

  private static final class StorableText extends StdScalarDeserializer<String> {
    StorableText() {
      super(String.class);
    }

    @Override
    public @Nullable String deserialize(JsonParser json, DeserializationContext context) {
      if (!json.hasToken(JsonToken.VALUE_STRING)) {
        return (String) context.handleUnexpectedToken(getValueType(context), json);
      }
      String text = json.getString();
      return text.codePoints().allMatch(StorableText::isStorable)
          ? text
          : (String) context.handleWeirdStringValue(String.class, text, "cannot be stored");
    }

    private static boolean isStorable(int character) {
      return character != 0 && Character.getType(character) != Character.SURROGATE;
    }
  }
}
