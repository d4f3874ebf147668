package palmares.platform.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.util.ClassUtils;
import palmares.platform.Problem;

/** Every sentence has a text in every language, by its values, and every text a sentence. */
class SentencesTest {
  private static final Pattern COUNT =
      Pattern.compile(
          "\\{\\w+} (?:more |earlier |late |due |expired )*(?:entries|events|exclusions|files|hours"
              + "|keys|lines|members|outcomes|payments|periods|places|rows|targets|tasks|transfers)"
              + "\\b");

  /** Kinds of values that are no words. */
  private static final Set<String> FORMATS =
      Set.of(
          "id",
          "signed",
          "time",
          "exact-time",
          "duration",
          "size",
          "phrases",
          "lines",
          "indented",
          "either");

  /** Kinds of words that no sentence has: of tables, of mails, of the audit log, of problems. */
  private static final Set<String> HEADINGS = Set.of("audit", "column", "mail-column", "title");

  private static final Map<Class<?>, Set<String>> KINDS =
      Map.of(ZonedDateTime.class, Set.of("time", "exact-time"), Duration.class, Set.of("duration"));

  /** What is the shell. */
  private static final Set<String> SHELL =
      Set.of("/palmares/cli/", "/palmares/demo/", "/Commands.java");

  private static final Pattern COMMAND =
      Pattern.compile(
          "[\"'`( ]palmares (?:[a-z]+(?:-[a-z]+)*)[ '\"`]"
              + "|the command (?!line\\b)[a-z-]+|命令 [a-z-]+");

  private static final Pattern SAID = Pattern.compile("'(" + SaidBySql.CODE + ")'");

  private static final Pattern AUDITED =
      Pattern.compile(
          "(?:new VerbRequest\\(\\s*|AuditEntry(?:\\.\\w+)?\\(\\s*[\\w.()]+,\\s*)\"([a-z-]+)\"");

  private static final int MIN_AUDITED = 20;

  private static final Map<String, String> ENGLISH = own("sentences.properties");
  private static final Map<String, String> CHINESE = own("sentences_zh.properties");
  static final List<Map<String, String>> LANGUAGES = List.of(ENGLISH, CHINESE);

  private static Map<String, String> own(String file) {
    var own = new Properties();
    try (var in = Texts.class.getResourceAsStream(file)) {
      own.load(new InputStreamReader(in, UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var sorted = new TreeMap<String, String>();
    own.forEach((key, text) -> sorted.put((String) key, (String) text));
    return sorted;
  }

  /** The types of all sentences, by their codes. */
  private static Map<String, Class<?>> sentences() {
    var scanner = new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AssignableTypeFilter(Sentence.class));
    return scanner.findCandidateComponents("palmares").stream()
        .map(found -> ClassUtils.resolveClassName(requireNonNull(found.getBeanClassName()), null))
        .filter(type -> type != Said.class)
        .filter(type -> sourceOf(type).equals(sourceOf(Texts.class)))
        .collect(toMap(Sentence::code, type -> type, (a, b) -> a, TreeMap::new));
  }

  /** Of tests, sentences have no texts. */
  private static CodeSource sourceOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource();
  }

  static List<MatchResult> values(String template) {
    return Texts.VALUE.matcher(template).results().toList();
  }

  private static Set<String> kinds() {
    return LANGUAGES.stream()
        .flatMap(texts -> texts.values().stream())
        .flatMap(text -> values(text).stream())
        .map(value -> value.group(2))
        .filter(kind -> kind != null && !FORMATS.contains(kind))
        .collect(toCollection(TreeSet::new));
  }

  @Test
  void everySentenceHasATextByItsValues() {
    Map<String, Class<?>> sentences = sentences();
    assertThat(sentences).hasSizeGreaterThan(1);
    for (var texts : LANGUAGES) {
      assertThat(sentences)
          .allSatisfy(
              (code, type) -> {
                assertThat(texts).as(type.getName()).containsKey(code);
                Map<String, RecordComponent> components =
                    Arrays.stream(type.getRecordComponents())
                        .collect(toMap(RecordComponent::getName, each -> each));
                assertThat(values(requireNonNull(texts.get(code))))
                    .allSatisfy(
                        value -> {
                          RecordComponent component = components.get(value.group(1));
                          assertThat(component).as("%s %s", code, value.group()).isNotNull();
                          Set<String> kinds = KINDS.get(requireNonNull(component).getType());
                          if (kinds != null) {
                            assertThat(kinds)
                                .as("%s %s", code, value.group())
                                .contains(String.valueOf(value.group(2)));
                          }
                        });
              });
    }
  }

  @Test
  void everyTextIsOfASentenceOrAWord() throws IOException {
    Set<String> codes = new TreeSet<>(sentences().keySet());
    codes.addAll(saidBySql());
    Set<String> kinds = kinds();
    assertThat(ENGLISH.keySet())
        .allSatisfy(
            key ->
                assertThat(
                        codes.contains(key)
                            || key.startsWith("list.")
                            || kinds.contains(key.substring(0, key.indexOf('.')))
                            || HEADINGS.contains(key.substring(0, key.indexOf('.')))
                            || describesAField(key, codes))
                    .as(key)
                    .isTrue());
  }

  /** That it has the values that SQL gives is required when a test reads it. */
  @Test
  void everySentenceOfSqlHasAText() throws IOException {
    assertThat(saidBySql()).hasSizeGreaterThan(1).isSubsetOf(ENGLISH.keySet());
  }

  private static Set<String> saidBySql() throws IOException {
    var codes = new TreeSet<String>();
    for (var folder : List.of(Path.of("src", "main"), Path.of("db"))) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(file -> file.toString().matches(".*\\.(java|sql)"))
            .flatMap(file -> SAID.matcher(read(file)).results())
            .forEach(said -> codes.add(said.group(1)));
      }
    }
    return codes;
  }

  /** That each field is described, and no other, is of {@code WrongFilesTest}. */
  private static boolean describesAField(String key, Set<String> codes) {
    return key.startsWith("board-field.") && codes.contains(key.substring(0, key.lastIndexOf('.')));
  }

  @Test
  void everyProblemHasATitleAndNoOtherHas() {
    for (var texts : LANGUAGES) {
      assertThat(texts.keySet().stream().filter(key -> key.startsWith("title.")))
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(Problem.values()).map(problem -> "title." + problem.word()).toList());
    }
  }

  /** What else the code gives to the audit log is checked when a test stores it. */
  @Test
  void theAuditLogHasATextForEachVerbOfTheCodeAndNoOther() throws IOException {
    String code;
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      code = files.filter(Files::isRegularFile).map(SentencesTest::read).collect(joining());
    }
    assertThat(AUDITED.matcher(code).results().map(verb -> "audit." + verb.group(1)).distinct())
        .hasSizeGreaterThan(MIN_AUDITED)
        .isSubsetOf(ENGLISH.keySet());
    assertThat(ENGLISH.keySet().stream().filter(key -> key.startsWith("audit.")))
        .allMatch(key -> isVerb(key.substring(key.indexOf('.') + 1), code));
  }

  /** A verb is a literal, or the word of an enum's constant with a literal end. */
  private static boolean isVerb(String verb, String code) {
    int end = verb.lastIndexOf('-');
    return code.contains('"' + verb + '"')
        || end > 0
            && code.contains('"' + verb.substring(end) + '"')
            && Pattern.compile("\\b" + verb.substring(0, end).toUpperCase(ROOT) + "\\b")
                .matcher(code)
                .find();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyLanguageHasTheSameTextsWithTheSameValues() {
    assertThat(names(CHINESE)).isEqualTo(names(ENGLISH));
  }

  private static Map<String, Set<String>> names(Map<String, String> texts) {
    return texts.entrySet().stream()
        .collect(
            toMap(
                Map.Entry::getKey,
                text ->
                    values(text.getValue()).stream()
                        .map(value -> value.group(1))
                        .collect(toSet())));
  }

  /** Doors make commands, forms and links of next steps. */
  @Test
  void noTextNamesACommandOfAShell() {
    for (var texts : LANGUAGES) {
      assertThat(texts)
          .allSatisfy(
              (key, text) ->
                  assertThat(text).as(key).doesNotContainPattern("'palmares |'--|\\s--[a-z]"));
    }
  }

  /** Only a shell spells commands: elsewhere a command is a {@link Next}. */
  @Test
  void onlyTheShellNamesItsCommands() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
      assertThat(
              files.filter(file -> file.toString().matches(".*\\.(java|properties|html|sql|lua)")))
          .filteredOn(file -> SHELL.stream().noneMatch(file.toString()::contains))
          .allSatisfy(
              file ->
                  assertThat(Files.readAllLines(file))
                      .as(file.toString())
                      .filteredOn(
                          line -> !line.strip().startsWith("*") && !line.strip().startsWith("/*"))
                      .noneMatch(line -> COMMAND.matcher(line).find()));
    }
  }

  @Test
  void everyCountOfOneIsInTheSingular() {
    var english = new TreeMap<>(ENGLISH);
    english.remove("hold.tie"); // A tie is of two or more.
    assertThat(english)
        .allSatisfy((key, text) -> assertThat(text).as(key).doesNotContainPattern(COUNT));
  }
}
