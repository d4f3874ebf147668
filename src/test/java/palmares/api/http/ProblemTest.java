package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import palmares.live.intake.RefusalReason;
import palmares.platform.Problem;

/** Problem types agree with the documentation and with refusal reasons. */
class ProblemTest {
  private static final Path PAGE = Path.of("src", "docs", "api.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+) \\| (\\d{3}) \\|");
  private static final Pattern WORD = Pattern.compile("`([a-z-]+)`");

  @Test
  void theDocumentationListsExactlyTheProblemsWithTheirStatus() throws IOException {
    var listed = new TreeMap<String, Integer>();
    ROW.matcher(Files.readString(PAGE))
        .results()
        .forEach(
            row ->
                WORD.matcher(row.group(1))
                    .results()
                    .map(word -> word.group(1))
                    .forEach(word -> listed.put(word, Integer.valueOf(row.group(2)))));
    assertThat(listed).isEqualTo(problems());
  }

  private static Map<String, Integer> problems() {
    var problems = new TreeMap<String, Integer>();
    for (Problem problem : Problem.values()) {
      problems.put(problem.word(), problem.status());
    }
    return problems;
  }

  @Test
  void everyRefusalReasonIsAProblemType() {
    assertThat(RefusalReason.values())
        .allSatisfy(reason -> assertThat(Problem.of(reason).word()).isEqualTo(reason.word()));
  }
}
