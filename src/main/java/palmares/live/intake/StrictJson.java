package palmares.live.intake;

import java.io.InputStream;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads JSON strictly and as a stream. Callers see each value as soon as it is read, and a value
 * larger than any valid one is refused before it is read to its end.
 */
public final class StrictJson {
  /** An event has ten fields and a registration four; the rest allows for unknown fields. */
  static final int MAX_TOKENS_PER_VALUE = 64;

  static final int MAX_STRING_CHARACTERS = 64 << 10;
  private static final int MAX_NAME_CHARACTERS = 1_000;
  private static final int MAX_DEPTH = 16;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxStringLength(MAX_STRING_CHARACTERS)
                          .maxNameLength(MAX_NAME_CHARACTERS)
                          .build())
                  .build())
          .build();

  private StrictJson() {}

  /**
   * Reads one value. Lists and objects within it are returned empty, since no valid value has any.
   *
   * @throws EventRefusal if the text is anything else
   */
  public static JsonNode value(byte[] text) {
    return value(text, 1);
  }

  /**
   * Reads one value, as {@link #value(byte[])}.
   *
   * @param line the number of the text's first line, for messages
   */
  static JsonNode value(byte[] text, long line) {
    return read(
        new Source(text, line),
        JSON.createParser(text),
        json ->
            json.nextToken() == null
                ? NODES.missingNode()
                : new Value(json, new Source(text, line)).read());
  }

  /**
   * A text that is parsed.
   *
   * @param text null if it is read while it arrives
   * @param line the number of its first line
   */
  private record Source(byte @Nullable [] text, long line) {
    EventRefusal malformed(TokenStreamLocation where, Sentence what) {
      return refusal(JsonFault.at(where, text, line, what));
    }

    EventRefusal malformed(JacksonException e) {
      return refusal(JsonFault.of(e, text, line));
    }

    private static EventRefusal refusal(Sentence said) {
      return new EventRefusal(RefusalReason.MALFORMED, said);
    }
  }

  /**
   * Reads a list of values, or one value, and passes each on before it reads the next.
   *
   * @param each may throw, which ends the reading
   * @return whether it is a list
   * @throws EventRefusal if the text is anything else
   */
  public static boolean values(byte[] text, Consumer<JsonNode> each) {
    var source = new Source(text, 1);
    return read(
        source,
        JSON.createParser(text),
        json -> {
          if (json.nextToken() != JsonToken.START_ARRAY) {
            each.accept(
                json.currentToken() == null ? NODES.missingNode() : new Value(json, source).read());
            return false;
          }
          while (json.nextToken() != JsonToken.END_ARRAY) {
            each.accept(new Value(json, source).read());
          }
          return true;
        });
  }

  /**
   * Reads a document while it arrives.
   *
   * @param reader gets the parser before the first token, and reads the document to its end
   * @throws EventRefusal if the text is not exactly one document
   */
  public static <T> T document(InputStream text, Function<JsonParser, T> reader) {
    return read(new Source(null, 1), JSON.createParser(text), reader);
  }

  private static <T> T read(Source source, JsonParser parser, Function<JsonParser, T> reader) {
    try (JsonParser json = parser) {
      T read = reader.apply(json);
      if (json.nextToken() != null) {
        throw source.malformed(json.currentTokenLocation(), new JsonSentences.More());
      }
      return read;
    } catch (JacksonException e) {
      throw source.malformed(e);
    }
  }

  /** Reads one value of at most {@link #MAX_TOKENS_PER_VALUE} tokens. */
  private static final class Value {
    private final JsonParser json;
    private final Source source;
    private int tokens;

    Value(JsonParser json, Source source) {
      this.json = json;
      this.source = source;
    }

    /** Reads from the value's first token to its last. */
    JsonNode read() {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        return scalar();
      }
      var object = NODES.objectNode();
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        next();
        object.set(name, scalar());
      }
      return object;
    }

    private JsonNode scalar() {
      return switch (json.currentToken()) {
        case START_OBJECT -> {
          skip();
          yield NODES.objectNode();
        }
        case START_ARRAY -> {
          skip();
          yield NODES.arrayNode();
        }
        case VALUE_STRING -> NODES.stringNode(json.getString());
        case VALUE_NUMBER_INT ->
            switch (json.getNumberType()) {
              case INT, LONG -> NODES.numberNode(json.getLongValue());
              default -> NODES.numberNode(json.getBigIntegerValue());
            };
        case VALUE_NUMBER_FLOAT -> NODES.numberNode(json.getDoubleValue());
        case VALUE_TRUE -> NODES.booleanNode(true);
        case VALUE_FALSE -> NODES.booleanNode(false);
        default -> NODES.nullNode();
      };
    }

    /** Skips a list or an object within the value. */
    private void skip() {
      for (int depth = 1; depth > 0; ) {
        JsonToken token = next();
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
    }

    /** Reads the next token; the parser throws if the text ends within the value. */
    private JsonToken next() {
      JsonToken token = json.nextToken();
      tokens++;
      if (tokens > MAX_TOKENS_PER_VALUE) {
        throw source.malformed(
            json.currentLocation(), new JsonSentences.TooManyParts(MAX_TOKENS_PER_VALUE));
      }
      return token;
    }
  }
}
