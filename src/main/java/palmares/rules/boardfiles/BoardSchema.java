package palmares.rules.boardfiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Generates the JSON Schema of board files, with which editors complete and check them. */
public final class BoardSchema {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private BoardSchema() {}

  /** Writes the schema to the given file. The build does this, because board files refer to it. */
  public static void main(String... file) throws IOException {
    Files.writeString(Path.of(file[0]), json());
  }

  /** The schema (draft 2020-12), generated from the form that reads the files. */
  public static String json() {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "A Palmares board: jobs/<board>.yml");
    schema.putAll(BoardForm.BOARD.schema());
    return JSON.writeValueAsString(schema) + "\n";
  }
}
