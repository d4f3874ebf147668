package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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
}
