package palmares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links of the documents to each other. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  /** Addresses of other sites, and of the repository's own pages there. */
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*|\\.\\./\\.\\./.*");

  @Test
  void everyLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
    List<Path> documents;
    try (Stream<Path> top = Files.list(Path.of(""));
        Stream<Path> docs = Files.list(Path.of("src", "docs"))) {
      documents = Stream.concat(top, docs).filter(path -> path.toString().endsWith(".md")).toList();
    }
    assertThat(documents).hasSizeGreaterThan(10);
    assertThat(documents.stream().flatMap(LinksTest::broken)).isEmpty();
    assertThat(documents.stream().filter(path -> path.startsWith(Path.of("src", "docs"))))
        .as("pages that the index names")
        .allSatisfy(
            page ->
                assertThat(Files.readString(Path.of("src", "docs", "README.md")))
                    .contains(page.endsWith("README.md") ? "" : "(" + page.getFileName()));
  }

  private static Stream<String> broken(Path document) {
    return LINK.matcher(read(document))
        .results()
        .map(found -> found.group(1))
        .filter(link -> !ELSEWHERE.matcher(link).matches())
        .filter(link -> !leadsSomewhere(document, link))
        .map(link -> document + ": " + link);
  }

  private static boolean leadsSomewhere(Path document, String link) {
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty()
            ? document
            : Objects.requireNonNullElse(document.getParent(), Path.of(""))
                .resolve(parts[0])
                .normalize();
    return Files.exists(target)
        && (parts.length == 1
            || HEADING
                .matcher(read(target))
                .results()
                .map(LinksTest::anchor)
                .anyMatch(parts[1]::equals));
  }

  /** As GitHub makes them. */
  private static String anchor(MatchResult heading) {
    return heading
        .group(1)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private static String read(Path document) {
    try {
      return Files.readString(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
