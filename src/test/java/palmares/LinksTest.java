package palmares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the documents refer to: each other, and the settings, types, files and tables that exist.
 * The tests that CI names exist, too.
 */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern IMAGE = Pattern.compile("src(?:set)?=\"([^\":]+)\"");
  private static final Path DOCS = Path.of("src", "docs");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  /** Addresses of other sites, and of the repository's own pages there. */
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*|\\.\\./\\.\\./.*");

  /** A class that a run includes or leaves out, with its folder or without. */
  private static final Pattern TEST_OF_RUN = Pattern.compile("'!?(?:[\\w/*]*/)?(\\w+Test)'");

  private static final Pattern SPAN = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern SETTING = Pattern.compile("(?<![\\w./-])palmares(\\.[a-z0-9-]+)+");
  private static final Pattern TYPE = Pattern.compile("([A-Z][a-z0-9]+){2,}");
  private static final Pattern FILE = Pattern.compile("(src|db|jobs)/[\\w./-]+");
  private static final Pattern FIELD = Pattern.compile("[a-z-]+(: .*)?");
  private static final Pattern DATABASE_NAME = Pattern.compile("[a-z]+(_[a-z0-9]+)+");

  /** Pages that are generated, or list figures of the benchmark by their keys. */
  private static final Set<String> LISTS =
      Set.of("configuration.md", "performance.md", "views.md", "CHANGELOG.md");

  /** What looks like a type of the code and is none: of the JDK, of Spring, of HTTP, an alert. */
  private static final Pattern OTHER_TYPE =
      Pattern.compile("OutOfMemoryError|(String)?RedisTemplate|HttpOnly|SameSite|Palmares\\w+");

  /** PostgreSQL's own. */
  private static final Set<String> OF_POSTGRESQL =
      Set.of(
          "pg_dump",
          "pg_upgrade",
          "pg_subscription_rel",
          "pg_replication_slots",
          "confirmed_flush_lsn",
          "max_locks_per_transaction");

  @Test
  void everyLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
    List<Path> documents = documents();
    assertThat(documents.stream().flatMap(LinksTest::broken)).isEmpty();
    assertThat(documents.stream().filter(path -> path.startsWith(DOCS)))
        .as("pages that the index of their folder names")
        .allSatisfy(
            page ->
                assertThat(page.resolveSibling("README.md"))
                    .content()
                    .contains(page.endsWith("README.md") ? "" : "(" + page.getFileName()));
  }

  @Test
  void everyImageOfTheConsoleIsShownByADocument() throws IOException {
    String all = documents().stream().map(LinksTest::read).collect(Collectors.joining("\n"));
    try (Stream<Path> images = Files.list(Path.of("src", "docs", "images"))) {
      assertThat(images.map(image -> "images/" + image.getFileName()))
          .isNotEmpty()
          .allSatisfy(image -> assertThat(all).contains("](" + image + ")"));
    }
    assertThat(IMAGE.matcher(all).results().map(found -> Path.of(found.group(1))))
        .isNotEmpty()
        .allMatch(image -> Files.exists(image) || Files.exists(DOCS.resolve(image)));
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> top = Files.list(Path.of(""));
        Stream<Path> docs = Files.walk(DOCS)) {
      List<Path> documents =
          Stream.concat(top, docs).filter(path -> path.toString().endsWith(".md")).toList();
      assertThat(documents).hasSizeGreaterThan(10);
      return documents;
    }
  }

  @Test
  void everySettingTypeFileAndTableThatADocumentNamesExists() throws IOException {
    Set<String> settings = settings();
    Map<String, String> code = code();
    Set<String> types = new HashSet<>();
    code.keySet().forEach(path -> types.add(path.replaceAll(".*/|\\.java$", "")));
    String all =
        code.entrySet().stream()
            .filter(file -> !file.getKey().startsWith("src/test"))
            .map(Map.Entry::getValue)
            .collect(Collectors.joining("\n"));
    var wrong = new ArrayList<String>();
    for (Path document : documents()) {
      if (!LISTS.contains(document.getFileName().toString())) {
        spans(document)
            .filter(span -> !names(span, settings, types, all))
            .forEach(span -> wrong.add(document + ": " + span));
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** The run on containers would otherwise repeat a test that has another name since. */
  @Test
  void theTestsThatTheRunOnContainersNamesExist() throws IOException {
    Set<String> names =
        code().keySet().stream()
            .map(path -> path.replaceAll(".*/|\\.java$", ""))
            .collect(Collectors.toSet());
    List<String> named =
        TEST_OF_RUN
            .matcher(read(Path.of(".ci", "run")))
            .results()
            .map(name -> name.group(1))
            .toList();
    assertThat(named).hasSizeGreaterThan(40).isSubsetOf(names);
  }

  /** What a translation lacks was added after it. */
  @Test
  void theChinesePagesNameWhatTheEnglishOnesName() throws IOException {
    Path chinese = DOCS.resolve("zh");
    try (Stream<Path> pages = Files.list(chinese)) {
      assertThat(pages.filter(page -> !page.endsWith("README.md")))
          .hasSizeGreaterThan(1)
          .allSatisfy(
              page ->
                  assertThat(spans(page))
                      .containsAll(
                          spans(DOCS.resolve(page.getFileName()))
                              .filter(span -> FIELD.matcher(span).matches())
                              .toList()));
    }
  }

  /**
   * Whether all settings and packages in a span exist; if it is another name, whether that does.
   */
  private static boolean names(String span, Set<String> settings, Set<String> types, String code) {
    if (!SETTING
        .matcher(span)
        .results()
        .map(MatchResult::group)
        .allMatch(name -> isSetting(settings, name) || isPackageOrFile(name))) {
      return false;
    }
    if (FILE.matcher(span).matches()) {
      return Files.exists(Path.of(span));
    }
    if (TYPE.matcher(span).matches()) {
      return types.contains(span) || OTHER_TYPE.matcher(span).matches();
    }
    return !DATABASE_NAME.matcher(span).matches()
        || code.contains(span)
        || OF_POSTGRESQL.contains(span)
        || isExample(span)
        || isMetric(span);
  }

  private static Stream<String> spans(Path document) {
    return SPAN.matcher(read(document)).results().map(found -> found.group(1));
  }

  private static boolean isSetting(Set<String> settings, String name) {
    return settings.contains(name) || settings.stream().anyMatch(s -> s.startsWith(name + "."));
  }

  private static boolean isPackageOrFile(String name) {
    return Stream.of("main", "client/main", "starter/main")
            .map(folder -> Path.of("src", folder, "java").resolve(name.replace('.', '/')))
            .anyMatch(Files::isDirectory)
        || Set.of("palmares.jar", "palmares.json", "palmares.log").contains(name);
  }

  /** The own tables of an outcome have its number: {@code line_57}. */
  private static boolean isExample(String name) {
    return name.matches("(line|payment)_\\d+");
  }

  /** Another test compares these with what a server reports. */
  private static boolean isMetric(String name) {
    return name.startsWith("palmares_");
  }

  private static Set<String> settings() throws IOException {
    Set<String> names = new HashSet<>();
    Path metadata = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");
    for (JsonNode setting : JsonMapper.shared().readTree(metadata).path("properties")) {
      names.add(setting.path("name").asString());
    }
    assertThat(names).hasSizeGreaterThan(20);
    return names;
  }

  /** The text of each source file, by its path. */
  private static Map<String, String> code() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src"));
        Stream<Path> migrations = Files.walk(Path.of("db", "migration"))) {
      return Stream.concat(sources, migrations)
          .filter(path -> path.toString().matches(".*\\.(java|sql|ya?ml|lua)"))
          .collect(Collectors.toMap(Path::toString, LinksTest::read));
    }
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
