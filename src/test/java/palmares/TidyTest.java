package palmares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the formatter does not see to. An exception is listed here, with its reason. */
class TidyTest {
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final Path RESOURCES = Path.of("src", "main", "resources");
  private static final Path BENCHMARK = Path.of("src", "bench", "java");
  private static final Path TESTS = Path.of("src", "test", "java");

  /** The library for Java and the starter, which have builds of their own. */
  private static final List<Path> LIBRARIES =
      List.of(Path.of("src", "client", "main", "java"), Path.of("src", "starter", "main", "java"));

  private static final List<Path> LIBRARY_TESTS =
      List.of(Path.of("src", "client", "test"), Path.of("src", "starter", "test"));

  private static final int LONGEST_FILE = 600;
  private static final int LONGEST_METHOD = 50;
  private static final int LONGEST_LINE = 100;

  /** Files that may be longer, and why. */
  private static final Map<String, String> LONG_FILES = Map.of();

  /** Files whose lines may be wider, and why. */
  private static final Map<String, String> WIDE_FILES =
      Map.of("BoardDescriptionTest.java", "shows what the command prints, as wide as it prints it");

  /** Methods that may be longer, and why. */
  private static final Map<String, String> LONG_METHODS = Map.of();

  /** Files that may wait without a signal, and why. */
  private static final Map<String, String> SLEEPERS = Map.of();

  private static final Pattern REMINDER = Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b");

  /** Words that plain technical English does without, or has a standard word for. */
  private static final Pattern FIGURATIVE =
      Pattern.compile(
          "(?i)\\b(anew|beside|whoever|whatever|deeds?|doom(ed)?|told|tells|mends|for ever"
              + "|so (many|long|soon)|comes (to|out right)|makes good|is to be|of its own"
              + "|by itself|stands|is there|first look)\\b");

  /** Where a word begins in a name such as {@code likesPerDay}, {@code likes_per_day}. */
  private static final Pattern WORD_IN_NAME =
      Pattern.compile("_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sleep\\(|\\.sleep\\(\\d");
  private static final Pattern METHOD =
      Pattern.compile(
          "^  (?!  )(?!.*\\brecord )(?:[\\w@<>\\[\\].,? ]+ )?(\\w+)\\((?!.*(?:;|\\{})$).*");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("^public .*\\b(?:class|interface|record|enum|@interface) (\\w+).*");
  private static final Pattern CREATED =
      Pattern.compile("^create (?:or replace )?(?:function|view|sequence|aggregate) (\\w+).*");
  private static final Pattern COMMENT = Pattern.compile("^\\s*(?:--|//|/?\\*).*");

  /** A text block, such as a statement or settings of a server; or a text in one line. */
  private static final Pattern TEXT =
      Pattern.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"(?=\\s*\\.formatted\\()");

  /** What {@code formatted} writes with the digits of the machine's locale. */
  private static final Pattern LOCALIZED =
      Pattern.compile("%(?:\\d+\\$)?[-#+ 0,(]*\\d*(?:\\.\\d+)?[defgE]");

  /** A word next to another; without any, a text is read by machines. */
  private static final Pattern WORDS = Pattern.compile("(?!\"\"\").*([a-z]{2,}:? | [a-z]{2,}).*");

  private static final Pattern USES_PATTERN =
      Pattern.compile("Pattern\\.compile\\(|\\.(?:matches|replaceAll|replaceFirst)\\(\\s*\"");

  /** Files that use a regular expression, and what it reads: never a sentence of ours. */
  private static final Map<String, String> PATTERNS =
      Map.ofEntries(
          Map.entry("AdoptedLines.java", "scores"),
          Map.entry("Anchor.java", "line feeds"),
          Map.entry("BoardId.java", "ids of boards"),
          Map.entry("Call.java", "keys"),
          Map.entry("ChainLink.java", "links of the chains, as their file has them"),
          Map.entry("Check.java", "statements of checks"),
          Map.entry("Client.java", "the address in a Link header"),
          Map.entry("Commands.java", "names of fields, and words of a shell"),
          Map.entry("Cursor.java", "scores"),
          Map.entry("DurationText.java", "days of a duration"),
          Map.entry("EndpointRules.java", "ids of boards"),
          Map.entry("EventReader.java", "characters that are no text"),
          Map.entry("FrozenBoard.java", "scores"),
          Map.entry("Idempotency.java", "keys"),
          Map.entry("InviteCode.java", "invite codes"),
          Map.entry("JsonFault.java", "messages of Jackson"),
          Map.entry("KeyPattern.java", "patterns of keys"),
          Map.entry("KnownSettings.java", "names of settings"),
          Map.entry("LiveKeys.java", "keys of Redis"),
          Map.entry("LocalToken.java", "names of users"),
          Map.entry("MailTarget.java", "addresses"),
          Map.entry("ManifestSql.java", "places in a statement"),
          Map.entry("MemberLines.java", "CSV"),
          Map.entry("Members.java", "patterns of a search"),
          Map.entry("NamedLists.java", "names of lists"),
          Map.entry("NumberRanges.java", "numbers"),
          Map.entry("OpenApi.java", "the address in the document"),
          Map.entry("OpsWeb.java", "paths"),
          Map.entry("OutputTable.java", "names of columns"),
          Map.entry("PageErrors.java", "paths"),
          Map.entry("PageTimeouts.java", "paths"),
          Map.entry("People.java", "names of people"),
          Map.entry("PeriodName.java", "names of periods"),
          Map.entry("PeriodRange.java", "codes of causes"),
          Map.entry("Placeholders.java", "patterns of keys"),
          Map.entry("Quarantine.java", "characters that are no text"),
          Map.entry("RedisStreamTarget.java", "keys of Redis"),
          Map.entry("Revision.java", "digests"),
          Map.entry("Said.java", "escapes of JSON"),
          Map.entry("Scalar.java", "values in YAML"),
          Map.entry("Sentence.java", "names of types"),
          Map.entry("Server.java", "addresses"),
          Map.entry("ServerProcess.java", "ids of processes"),
          Map.entry("SignInPages.java", "paths"),
          Map.entry("Signature.java", "the prefix of a key"),
          Map.entry("Spreadsheet.java", "characters that XML lacks"),
          Map.entry("SpringLauncher.java", "names of exceptions, and texts of Spring"),
          Map.entry("SqlFile.java", "files that a statement includes"),
          Map.entry("Svg.java", "SVG"),
          Map.entry("Texts.java", "templates"),
          Map.entry("WebhookSettings.java", "secrets in a header"),
          Map.entry("Webhooks.java", "names of webhooks"),
          Map.entry("WrongValue.java", "numbers"));

  /** What reads a part of a text in SQL. */
  private static final Pattern SQL_READS_TEXT =
      Pattern.compile(
          "\\b(?:regexp_\\w+|split_part|string_to_array|strpos|starts_with)\\(\\s*([\\w.:\"]+)"
              + "|\\bsubstring\\(\\s*([\\w.:\"]+) from\\b");

  /** Texts of which SQL reads a part, and what they are: never a sentence of ours. */
  private static final Map<String, String> TEXTS_IN_SQL =
      Map.of(
          "body in R__laws.sql", "a manifest, which verification compares",
          "lower in R__laws.sql", "names of people",
          "pg_get_expr in R__laws.sql", "bounds of a partition",
          "relname in R__laws.sql", "names of tables",
          ":payment in ClosedMarks.java", "positions of PostgreSQL");

  /** What reads a part of a text in a page. */
  private static final Pattern PAGE_READS_TEXT =
      Pattern.compile(
          "#strings\\.(?:substring\\w*|startsWith|endsWith|contains|indexOf|\\w+Split)\\(([\\w.]+)"
              + "|([\\w.()]+)\\.(?:startsWith|endsWith|substring|split|matches|indexOf)\\(");

  /** Texts of which a page reads a part, and what they are: never a sentence of ours. */
  private static final Map<String, String> TEXTS_IN_PAGES =
      Map.of(
          "address in parts.html", "addresses",
          "problem.type in problem.html", "types of problems",
          "typed in verb.html", "what a person has typed",
          "verb.word() in inbox.html", "names of verbs");

  /** The function that reads a field of a manifest's text. */
  private static final String FIELD_OF_MANIFEST = "manifest_field(";

  private static final Set<String> OWN_WORDS = Set.of("TidyTest.java");

  @Test
  void filesAreShort() {
    assertThat(productAndBenchmark())
        .allSatisfy(
            file ->
                assertThat(LONG_FILES.containsKey(name(file)) ? 0 : lines(file).size())
                    .as("lines of %s", file)
                    .isLessThanOrEqualTo(LONGEST_FILE));
  }

  @Test
  void methodsFitOnAScreen() {
    var tooLong = new TreeMap<String, Integer>();
    for (Path file : productAndBenchmark()) {
      methods(file)
          .forEach(
              (method, length) -> {
                if (length > LONGEST_METHOD && !LONG_METHODS.containsKey(method)) {
                  tooLong.put(method, length);
                }
              });
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void everyExceptionIsStillNeeded() {
    var all = new TreeMap<String, Integer>();
    productAndBenchmark().forEach(file -> all.putAll(methods(file)));
    assertThat(LONG_METHODS.keySet())
        .allSatisfy(method -> assertThat(all.get(method)).as(method).isGreaterThan(LONGEST_METHOD));
    assertThat(LONG_FILES.keySet())
        .allSatisfy(
            name ->
                assertThat(named(productAndBenchmark(), name))
                    .anyMatch(file -> lines(file).size() > LONGEST_FILE));
    assertThat(WIDE_FILES.keySet())
        .allSatisfy(
            name ->
                assertThat(named(files(TESTS), name))
                    .anyMatch(file -> lines(file).stream().anyMatch(TidyTest::tooWide)));
  }

  private static Stream<Path> named(List<Path> files, String name) {
    return files.stream().filter(file -> name(file).equals(name));
  }

  @Test
  void linesFitIntoAHundredColumns() {
    assertThat(
            java()
                .flatMap(folder -> files(folder).stream())
                .filter(file -> !WIDE_FILES.containsKey(name(file)))
                .flatMap(file -> found(file, TidyTest::tooWide)))
        .isEmpty();
  }

  /** An import and a line of a table of test cases cannot be broken. */
  private static boolean tooWide(String line) {
    return line.codePointCount(0, line.length()) > LONGEST_LINE
        && !line.startsWith("import ")
        && !line.contains(" | ");
  }

  @Test
  void nothingIsLeftForLater() {
    assertNowhere(
        REMINDER, Stream.concat(java(), Stream.of("db", "jobs").map(folder -> Path.of(folder))));
  }

  @Test
  void textsUsePlainWords() {
    assertNowhere(
        FIGURATIVE,
        Stream.of(
            MAIN,
            BENCHMARK,
            TESTS,
            Path.of("src", "main", "resources"),
            Path.of("src", "bench", "resources"),
            Path.of("src", "docs"),
            Path.of("src", "deploy"),
            Path.of("src", "site"),
            Path.of("src", "client"),
            Path.of("src", "starter"),
            Path.of(".github"),
            Path.of("db"),
            Path.of("jobs"),
            Path.of("README.md"),
            Path.of("CHANGELOG.md"),
            Path.of("CONTRIBUTING.md"),
            Path.of("SECURITY.md"),
            Path.of("pom.xml")));
  }

  /** What is said is data: nothing reads it back from a text. */
  @Test
  void nothingReadsATextOfOurs() {
    assertThat(
            files(MAIN).stream()
                .filter(file -> USES_PATTERN.matcher(String.join("\n", lines(file))).find())
                .map(TidyTest::name))
        .containsExactlyInAnyOrderElementsOf(PATTERNS.keySet());
  }

  @Test
  void noStatementOrPageReadsATextOfOurs() {
    assertThat(texts(SQL_READS_TEXT, "sql|java"))
        .containsExactlyInAnyOrderElementsOf(TEXTS_IN_SQL.keySet());
    assertThat(texts(PAGE_READS_TEXT, "html"))
        .containsExactlyInAnyOrderElementsOf(TEXTS_IN_PAGES.keySet());
  }

  private static Set<String> texts(Pattern reads, String types) {
    return Stream.of(MAIN, RESOURCES, Path.of("db", "migration"))
        .flatMap(folder -> files(folder).stream())
        .filter(file -> name(file).matches(".*\\.(" + types + ")"))
        .flatMap(
            file ->
                reads
                    .matcher(String.join("\n", lines(file)))
                    .results()
                    .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                    .map(text -> text + " in " + name(file)))
        .collect(Collectors.toSet());
  }

  /** Decisions and reports read the sums of manifests, and only verification their texts. */
  @Test
  void onlyVerificationReadsTheTextOfAManifest() {
    assertThat(
            Stream.of(MAIN, RESOURCES)
                .flatMap(folder -> files(folder).stream())
                .filter(file -> String.join("\n", lines(file)).contains(FIELD_OF_MANIFEST))
                .map(file -> "" + file.getName(file.getNameCount() - 2)))
        .isNotEmpty()
        .containsOnly("verification");
  }

  /** {@code %s} writes the same digits everywhere. */
  @Test
  void textsForMachinesHaveNoDigitsOfALocale() {
    assertThat(
            productAndBenchmark().stream()
                .flatMap(
                    file ->
                        TEXT.matcher(String.join("\n", lines(file)))
                            .results()
                            .map(MatchResult::group)
                            .filter(text -> !WORDS.matcher(text).matches())
                            .filter(text -> LOCALIZED.matcher(text).find())
                            .map(text -> file + ": " + text)))
        .isEmpty();
  }

  @Test
  void testsWaitForSignalsAndNeverSleep() {
    assertNowhere(SLEEP, Stream.concat(Stream.of(TESTS), LIBRARY_TESTS.stream()));
  }

  private static void assertNowhere(Pattern pattern, Stream<Path> folders) {
    assertThat(
            folders
                .flatMap(folder -> files(folder).stream())
                .filter(file -> !name(file).endsWith(".png"))
                .filter(file -> !OWN_WORDS.contains(name(file)))
                .filter(file -> !SLEEPERS.containsKey(name(file)))
                .flatMap(file -> found(file, line -> pattern.matcher(words(line)).find())))
        .isEmpty();
  }

  /** Returns the line with the names of code in it as words. */
  private static String words(String line) {
    return WORD_IN_NAME.matcher(line).replaceAll(" ");
  }

  /** A page or script that nothing names, or a function or view that nothing reads, is dead. */
  @Test
  void whatNothingUsesIsRemoved() {
    List<Path> all =
        Stream.of(MAIN, RESOURCES, Path.of("db", "migration"))
            .flatMap(folder -> files(folder).stream())
            .toList();
    Map<String, Long> words =
        all.stream()
            .filter(file -> name(file).matches(".*\\.(java|sql|lua|html)"))
            .flatMap(file -> lines(file).stream())
            .map(line -> COMMENT.matcher(line).replaceFirst(""))
            .flatMap(line -> Stream.of(line.split("\\W+")))
            .collect(Collectors.groupingBy(word -> word, Collectors.counting()));
    Stream<String> resources =
        all.stream()
            .map(TidyTest::name)
            .filter(file -> file.matches(".*\\.(lua|html)"))
            .flatMap(file -> Stream.of(file.replaceFirst("\\..*", "").split("\\W+")))
            .filter(word -> !words.containsKey(word));
    Stream<String> created =
        all.stream()
            .filter(file -> name(file).endsWith(".sql"))
            .flatMap(file -> lines(file).stream())
            .map(CREATED::matcher)
            .filter(Matcher::matches)
            .map(statement -> statement.group(1))
            .filter(word -> words.getOrDefault(word, 0L) < 2);
    assertThat(Stream.concat(resources, created)).isEmpty();
  }

  private static Stream<String> found(Path file, Predicate<String> wrong) {
    return lines(file).stream().filter(wrong).map(line -> file + ": " + line.strip());
  }

  @Test
  void everyPackageSaysWhatItIsForAndThatNothingIsNull() {
    assertThat(productAndBenchmark().stream().map(Path::getParent).distinct())
        .allSatisfy(
            folder ->
                assertThat(folder.resolve("package-info.java"))
                    .content()
                    .contains("/**", "@NullMarked"));
  }

  @Test
  void everyPublicTypeHasJavadoc() {
    var bare = new ArrayList<String>();
    for (Path file : productAndBenchmark()) {
      String text = String.join("\n", lines(file));
      for (String line : lines(file)) {
        var type = PUBLIC_TYPE.matcher(line);
        if (type.matches() && !documented(text, line)) {
          bare.add(file.toString());
        }
      }
    }
    assertThat(bare).isEmpty();
  }

  /** Whether what stands before the line, annotations left out, ends a comment. */
  private static boolean documented(String text, String line) {
    String before = text.substring(0, text.indexOf("\n" + line));
    return before.contains("\n/**")
        && before
            .substring(before.lastIndexOf("\n/**"))
            .matches("(?s)\n/\\*\\*.*\\*/[^;{}]*(\\{.*)?");
  }

  private static List<Path> productAndBenchmark() {
    return Stream.concat(Stream.of(MAIN, BENCHMARK), LIBRARIES.stream())
        .flatMap(folder -> files(folder).stream())
        .toList();
  }

  /** All folders of sources in Java. */
  private static Stream<Path> java() {
    return Stream.of(Stream.of(MAIN, BENCHMARK, TESTS), LIBRARIES.stream(), LIBRARY_TESTS.stream())
        .flatMap(folders -> folders);
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The length of each method of a file's outermost type, as the formatter has set it. */
  private static Map<String, Integer> methods(Path file) {
    var lengths = new TreeMap<String, Integer>();
    String type = name(file).replace(".java", "");
    String method = null;
    int start = 0;
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      var begins = METHOD.matcher(lines.get(i));
      if (begins.matches()) {
        method = begins.group(1);
        start = i;
      } else if (lines.get(i).equals("  }") && method != null) {
        lengths.merge(type + "." + method, i - start + 1, Math::max);
        method = null;
      }
    }
    return lengths;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
