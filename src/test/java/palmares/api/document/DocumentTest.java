package palmares.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import palmares.testing.Contract;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document that is served is what the code declares, in the frame by hand. */
class DocumentTest {
  private static final Path FILE =
      Path.of("src", "main", "resources", "palmares", "api", "http", "openapi.yaml");
  private static final String WRITE = "tests.openapi.write";

  /** Goes on with the name of its field, or says that a missing value is what others have. */
  private static final Pattern BROKEN =
      Pattern.compile("^(?:That(?! of)|It was|Is|Was|Were|Had|Has|Are)\\b|\\bif absent, others\\b");

  private static final Pattern NULL = Pattern.compile("\\bnull\\b");
  private static final int MAX_LINES_BY_HAND = 1_040;

  @Test
  void theDocumentIsThatOfTheCode() throws IOException {
    String generated = Document.generate();
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(FILE, generated);
    }
    assertThat(Files.readString(FILE))
        .as("out of date: ./mvnw test -Dtest=DocumentTest -D%s=true", WRITE)
        .isEqualTo(generated);
  }

  @Test
  void littleIsWrittenByHand() throws IOException {
    assertThat(Files.readAllLines(Document.FRAME)).hasSizeLessThanOrEqualTo(MAX_LINES_BY_HAND);
  }

  @Test
  void allNamesAreInCamelCase() {
    var names = new ArrayList<String>();
    each(
        Contract.DOCUMENT,
        (key, node) -> {
          if (key.equals("properties")) {
            names.addAll(node.propertyNames());
          }
        });
    each(
        Contract.DOCUMENT,
        (key, node) -> {
          if (node.path("in").asString("").matches("path|query")) {
            names.add(node.path("name").asString());
          }
        });
    assertThat(names).isNotEmpty().allMatch(name -> name.matches("[a-z]+([A-Z][a-z]*|[0-9]+)*"));
  }

  /** In Javadoc a description follows the name of its field, and a missing value is null. */
  @Test
  void everyDescriptionOfAFieldIsASentenceAndKnowsWhetherTheFieldMayBeNull() {
    var texts = new TreeMap<String, String>();
    each(
        Contract.DOCUMENT,
        (key, node) -> {
          if (key.equals("properties")) {
            node.properties()
                .forEach(
                    field -> {
                      String text = field.getValue().path("description").asString("");
                      boolean mayBeNull = field.getValue().toString().contains("\"null\"");
                      if (BROKEN.matcher(text).find() || !mayBeNull && NULL.matcher(text).find()) {
                        texts.put(field.getKey(), text);
                      }
                    });
          }
        });
    assertThat(texts).isEmpty();
  }

  @Test
  void everyTimeHasAFormat() {
    var formats = new TreeMap<String, String>();
    each(
        Contract.DOCUMENT,
        (key, node) -> {
          if (key.endsWith("At") && node.path("type").toString().contains("string")) {
            formats.put(key, node.path("format").asString(""));
          }
        });
    assertThat(formats).isNotEmpty().allSatisfy((name, format) -> assertThat(format).isNotEmpty());
  }

  @Test
  void everyOperationHasADescriptionAndValidExamples() {
    var bodies = new ArrayList<JsonNode>();
    for (JsonNode path : Contract.DOCUMENT.path("paths")) {
      for (JsonNode operation : path) {
        String id = operation.path("operationId").asString();
        assertThat(operation.path("description").asString("")).as(id).isNotEmpty();
        List<JsonNode> own = bodies(operation);
        assertThat(own).as(id).allMatch(body -> body.has("example"));
        bodies.addAll(own);
      }
    }
    assertThat(bodies)
        .isNotEmpty()
        .allSatisfy(
            body ->
                assertThat(Contract.faults(body.path("schema"), body.path("example"))).isEmpty());
  }

  /** The JSON bodies of a request and its answers, without those of problems. */
  private static List<JsonNode> bodies(JsonNode operation) {
    var bodies = new ArrayList<JsonNode>();
    bodies.add(operation.path("requestBody"));
    operation.path("responses").forEach(response -> bodies.add(Contract.resolved(response)));
    return bodies.stream()
        .map(body -> body.path("content").path("application/json"))
        .filter(body -> !body.isMissingNode())
        .toList();
  }

  private static void each(JsonNode node, BiConsumer<String, JsonNode> visit) {
    node.properties()
        .forEach(
            entry -> {
              visit.accept(entry.getKey(), entry.getValue());
              each(entry.getValue(), visit);
            });
    if (node.isArray()) {
      StreamSupport.stream(node.spliterator(), false)
          .forEach(
              each -> {
                visit.accept("", each);
                each(each, visit);
              });
    }
  }
}
