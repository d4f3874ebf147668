package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.support.ResourceBundleMessageSource;
import palmares.platform.text.Sentence;

/**
 * SentenceTranslations of the operations API are put into the language of a page, with their
 * values.
 */
class SentenceTranslationsTest {
  private static final Pattern REFUSAL = Pattern.compile("new WrongState(?=\\()");
  private static final Pattern PART =
      Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"|[?:]|\\.formatted(?=\\()");

  /** A form of few words, such as that of a part, would take the rest of a text as its value. */
  private static final Pattern STILL_ENGLISH = Pattern.compile("(?:[a-z]+ ){4}[a-z]+");

  private static final Pattern BRACKET = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"|[()]");
  private static final Show SHOW = new Show(Locale.ENGLISH, Instant.EPOCH);

  private static Translations words(Locale locale) {
    var messages = new ResourceBundleMessageSource();
    messages.setBasenames("palmares.console.messages", "palmares.platform.text.sentences");
    messages.setDefaultEncoding("UTF-8");
    messages.setFallbackToSystemLocale(false);
    return new Translations(messages, new Show(locale, Instant.EPOCH));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          there is no board 'x'; the boards are a, b | 没有榜单“x”；现有榜单：a, b
          there is no board 'invite'; did you mean 'invites'?; the boards are invites | \
          没有榜单“invite”（是否指“invites”？）；现有榜单：invites
          could not extend file: No space left on device | could not extend file: No space left on device
          """)
  void aSentenceIsFoundByItsForm(String english, String chinese) {
    assertThat(words(Locale.CHINESE).say(english)).isEqualTo(chinese);
    assertThat(words(Locale.ENGLISH).say(english)).isEqualTo(SHOW.times(english));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          there is no board 'x'; the boards are a, b | There is no board 'x'; the boards are a, b.
          ann was added to 3 members                 | ann was added to 3 members
          could not extend file: No space left       | could not extend file: No space left
          """)
  void aSentenceBeginsWithACapitalLetterUnlessItBeginsWithAnId(String said, String shown) {
    assertThat(words(Locale.ENGLISH).sentence(said)).isEqualTo(shown);
  }

  /** What only a command shows, or a person who reads a log. */
  private static final Map<String, String> NOT_ON_PAGES =
      Map.of(
          "ArchiveFolder.java", "of files of an archive, which a command reads",
          "Archives.java", "of files of an archive, which a command shows");

  /** Texts that get their beginning as a value, which has no form without it. */
  private static final Set<String> REST_OF_A_SENTENCE =
      Set.of(
          "x. 'palmares report x --revision x' shows it again; then use --expect x",
          "xthere is no member 'x': no event, registration or board has it");

  @Test
  void everyRefusalOfAStateIsAKnownSentence() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of("src", "main", "java"))) {
      files =
          all.filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !NOT_ON_PAGES.containsKey(file.getFileName().toString()))
              .toList();
    }
    var known = SentenceTranslations.in(Locale.CHINESE);
    var refusals = new ArrayList<String>();
    for (Path file : files) {
      refusals.addAll(refusals(Files.readString(file)));
    }
    assertThat(refusals)
        .filteredOn(text -> !REST_OF_A_SENTENCE.contains(text))
        .filteredOn(
            text -> {
              String said = known.say(text, (how, value) -> value);
              return said.equals(text) || STILL_ENGLISH.matcher(said).find();
            })
        .isEmpty();
  }

  /** The texts of {@code new WrongState(...)}, each value of which is an x. */
  private static List<String> refusals(String code) {
    var texts = new ArrayList<String>();
    Matcher refusal = REFUSAL.matcher(code);
    while (refusal.find()) {
      String argument = code.substring(refusal.end(), end(code, refusal.end()));
      var text = new StringBuilder();
      Matcher part = PART.matcher(argument);
      for (int from = 0; part.find(from); ) {
        from = part.end();
        if (part.group(1) != null) {
          text.append(part.group(1));
        } else if (part.group().startsWith(".")) {
          from = end(argument, from);
        } else {
          text.append("\\n"); // the other text of a condition
        }
      }
      Stream.of(text.toString().split(Pattern.quote("\\n")))
          .map(line -> line.stripLeading().replaceAll("(?<=[a-z])%s", "")) // an optional part
          .map(line -> line.replaceAll("%(?:\\d+\\$)?,?[sd]", "x"))
          .filter(line -> line.strip().length() > 1)
          .forEach(texts::add);
    }
    return texts;
  }

  /** Where the bracket closes that opens at an index. */
  private static int end(String code, int open) {
    Matcher bracket = BRACKET.matcher(code);
    int depth = 0;
    for (int from = open; bracket.find(from); from = bracket.end()) {
      depth += bracket.group().equals("(") ? 1 : bracket.group().equals(")") ? -1 : 0;
      if (depth == 0) {
        return bracket.end();
      }
    }
    throw new AssertionError("no end in " + code.substring(open));
  }

  @Test
  void timesInASentenceAreInTheZoneOfTheBoard() {
    String sentence = "held at 2026-10-21T10:42:53.479Z, released 2026-10-21T10:42:00Z";
    assertThat(SHOW.times(sentence))
        .isEqualTo("held at 2026-10-21 10:42:53 UTC, released 2026-10-21 10:42:00 UTC");
    assertThat(SHOW.in(ZoneId.of("Asia/Shanghai")).times(sentence))
        .isEqualTo("held at 2026-10-21 18:42:53, released 2026-10-21 18:42:00");
    assertThat(SHOW.times("2026-99-99T10:42:53Z is no time"))
        .isEqualTo("2026-99-99T10:42:53Z is no time");
  }

  @Test
  void durationsAreInTheTwoLargestUnitsOfTheLanguage() {
    var chinese = new Show(Locale.CHINESE, Instant.EPOCH);
    Instant start = Instant.EPOCH;
    assertThat(SHOW.duration(start, "1970-01-01T14:12:00Z")).isEqualTo("14 h 12 min");
    assertThat(SHOW.duration(start, "1970-01-01T00:00:30Z")).isEqualTo("30.00 s");
    assertThat(SHOW.distance("1970-01-05T01:00:00Z")).isEqualTo("4 d 1 h");
    assertThat(chinese.distance("1970-01-01T00:01:05Z")).isEqualTo("1 分 5 秒");
  }

  @Test
  void aStepIsNamedAndALineOfALongTextIsFound() {
    Translations words = words(Locale.CHINESE);
    assertThat(words.progress(Sentence.verbatim("  seal"))).isEqualTo("  封榜");
  }

  /** A form with many values is tried on a text of that length without going through all splits. */
  @Test
  void aLongTextIsReadOnce() {
    String text = "a: b to members is on ".repeat(20_000);
    assertThat(words(Locale.CHINESE).say(text)).isEqualTo(text);
  }
}
