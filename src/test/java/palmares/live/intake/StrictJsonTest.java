package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Values are read one by one, and refused if they are larger than any event. */
class StrictJsonTest {
  @Test
  void aListIsReadNoFurtherThanItsReaderNeeds() {
    var read = new ArrayList<JsonNode>();
    assertThatThrownBy(
            () ->
                StrictJson.values(
                    "[1, 2, 3, here is no JSON".getBytes(UTF_8),
                    value -> {
                      read.add(value);
                      if (read.size() == 3) {
                        throw new IllegalStateException("enough");
                      }
                    }))
        .hasMessage("enough");
    assertThat(read).hasSize(3);
  }

  @Test
  void aValueWithMorePartsThanAnEventIsRefused() {
    String fields =
        IntStream.range(0, 65).mapToObj(i -> "\"f" + i + "\":1").collect(Collectors.joining(","));
    for (String text :
        List.of(
            "{" + fields + "}",
            "[{" + fields + "}]",
            "{\"id\": [" + "1,".repeat(70) + "1]}",
            "[[" + "1,".repeat(70) + "1]]",
            "{\"id\": \"" + "x".repeat(StrictJson.MAX_STRING_CHARACTERS + 1) + "\"}",
            "{\"" + "x".repeat(2_000) + "\": 1}")) {
      assertThatThrownBy(() -> StrictJson.values(text.getBytes(UTF_8), value -> {}))
          .isInstanceOf(EventRefusal.class)
          .hasMessageContaining("not valid JSON");
    }
  }

  @Test
  void contentAfterTheValueIsRefused() {
    for (String text : List.of("{} {}", "[] 1", "[1] ]", "1 2")) {
      assertThatThrownBy(() -> StrictJson.values(text.getBytes(UTF_8), value -> {}))
          .isInstanceOf(EventRefusal.class);
    }
  }

  @Test
  void nestedContentIsSkipped() {
    JsonNode value =
        StrictJson.value("{\"a\": {\"b\": [1, {}]}, \"c\": [[2]], \"d\": 3}".getBytes(UTF_8));
    assertThat(value.toString()).isEqualTo("{\"a\":{},\"c\":[],\"d\":3}");
  }

  /** A person reads it: the parser's classes, settings and codes of characters say nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {x}              | 2: 'x' is wrong here; the name of a field in double quotes is expected, or '}'
          {'a': 1}         | 2: ''' is wrong here; the name of a field in double quotes is expected, or '}'
          {"a" 1}          | 6: '1' is wrong here; ':' is expected between the name of a field and its value
          {"a": 1 "b": 2}  | 9: '"' is wrong here; ',' or the closing bracket or brace is expected
          {"a": }          | 7: '}' is wrong here; a value is expected: a text in double quotes, a number, true, false, null, a list or an object
          {"a": yes}       | 7: a value is expected: a text in double quotes, a number, true, false, null, a list or an object
          {"a": NaN}       | 10: a value is expected: a text in double quotes, a number, true, false, null, a list or an object
          {"a": 01}        | 8: a number is expected: digits without leading zeros, as in 10 or -2.5
          {"a": 1.}        | 9: '}' is wrong here; a number is expected: digits without leading zeros, as in 10 or -2.5
          {"a": "1}        | 10: the text ends too early: close each quote, bracket and brace
          {"a": 1          | 8: the text ends too early: close each quote, bracket and brace
          [1]]             | 4: what is closed here is not what was opened
          {"a": 1, "a": 2} | 13: a field is sent twice: send each once
          {"a": "\\q"}      | 9: an escape is one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX
          {"名": "会员", x}  | 13: 'x' is wrong here; the name of a field in double quotes is expected, or '}'
          {} {}            | 4: something follows the value
          """)
  void whatIsWrongIsSaidInOurWordsWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> StrictJson.values(text.getBytes(UTF_8), value -> {}))
        .isInstanceOf(EventRefusal.class)
        .hasMessage("not valid JSON, at line 1, column " + message);
  }

  @Test
  void noFaultShowsTheParser() {
    for (byte[] text :
        List.of(
            "{\"a\": \"\u0001\"}".getBytes(UTF_8),
            "\u0001".getBytes(UTF_8),
            "// a comment".getBytes(UTF_8),
            "{\"a\": +1}".getBytes(UTF_8),
            "{\"a\": \"\\u12g4\"}".getBytes(UTF_8),
            "{\"a\": 1e}".getBytes(UTF_8),
            ("{\"a\": " + "9".repeat(2_000) + "}").getBytes(UTF_8),
            "[".repeat(2_000).getBytes(UTF_8),
            ("{\"" + "x".repeat(2_000) + "\": 1}").getBytes(UTF_8),
            ("\"" + "x".repeat(StrictJson.MAX_STRING_CHARACTERS + 1) + "\"").getBytes(UTF_8),
            "{\"a\": \"会员\"}".getBytes(Charset.forName("GBK")))) {
      assertThatThrownBy(() -> StrictJson.values(text, value -> {}))
          .isInstanceOf(EventRefusal.class)
          .message()
          .startsWith("not valid JSON")
          .doesNotContainPattern("(?i)code|source|jackson|parser|feature|allow|enable|char\\)");
    }
  }

  @Test
  void aLineOfABatchIsNamedByItsNumber() {
    assertThatThrownBy(() -> StrictJson.value("{\"a\": 1".getBytes(UTF_8), 17))
        .hasMessageContaining("at line 17, column 8: ");
    assertThatThrownBy(() -> StrictJson.values("[1,\n2,\n会 3]".getBytes(UTF_8), value -> {}))
        .hasMessageContaining("at line 3, column ");
  }
}
