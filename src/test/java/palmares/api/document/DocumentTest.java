package palmares.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The OpenAPI document that is served is what the code declares, in the frame by hand. */
class DocumentTest {
  private static final Path FILE =
      Path.of("src", "main", "resources", "palmares", "api", "http", "openapi.yaml");
  private static final String WRITE = "tests.openapi.write";

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
}
