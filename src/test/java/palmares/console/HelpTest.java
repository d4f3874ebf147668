package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palmares.operations.inbox.InboxItem.Kind;

/** What pages link of the runbook exists. */
class HelpTest {
  private static final Path DOCS = Path.of("src", "docs");
  private static final Path PAGES = Path.of("src", "main", "resources", "palmares", "console");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern ROWS = Pattern.compile(":: rows\\(.*, '([a-z]+)'\\)\\}");

  /** What is empty and no list: the answer to a search, a sum, or more than a page shows. */
  private static final Set<String> ANSWERS =
      Set.of(
          "#{boards.nothing(",
          "#{decision.no-money}",
          "#{estimate.nothing}",
          "#{payout.whole}",
          "#{period.no-rank(");

  private static final Pattern WORD = Pattern.compile("(?<=parts :: help\\()[^)]*");

  private static Set<String> anchors(String page) throws IOException {
    return HEADING
        .matcher(Files.readString(DOCS.resolve(page + ".md")))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void everySectionIsOneOfItsPage() throws IOException {
    for (String section : Help.SECTIONS.values()) {
      String[] parts = section.split("#");
      assertThat(anchors(parts[0])).contains(parts[1]);
    }
  }

  @Test
  void anAddressHasThePageAndTheSection() {
    var help = new Help("https://wiki.example/{page}.html");
    assertThat(help.about("redis"))
        .isEqualTo("https://wiki.example/monitoring.html#palmaresredisdown");
    assertThat(help.about("nothing known")).isEqualTo("https://wiki.example/operations.html");
    assertThatThrownBy(() -> new Help("https://wiki.example/operations.html"))
        .hasMessageContaining("must have {page} where the name of a page goes");
  }

  @Test
  void whatIsWrongInTheInboxHasASection() {
    assertThat(Stream.of(Kind.values()).filter(Kind::isBad).map(Kind::word))
        .isNotEmpty()
        .allSatisfy(word -> assertThat(Help.SECTIONS).containsKey(word));
  }

  @Test
  void whatAPageNamesHasASection() throws IOException {
    try (Stream<Path> pages = Files.list(PAGES)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".html")).toList()) {
        WORD.matcher(Files.readString(page))
            .results()
            .map(MatchResult::group)
            .flatMap(name -> Pattern.compile("'([a-z-]+)'").matcher(name).results())
            .map(word -> word.group(1))
            .forEach(word -> assertThat(Help.SECTIONS).as(page.toString()).containsKey(word));
      }
    }
  }

  @Test
  void anEmptyListLeadsToWhatFillsIt() throws IOException {
    try (Stream<Path> pages = Files.list(PAGES)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".html")).toList()) {
        assertThat(Files.readAllLines(page))
            .as(page.toString())
            .filteredOn(line -> line.contains("class=\"empty\""))
            .filteredOn(line -> ANSWERS.stream().noneMatch(line::contains))
            .allSatisfy(line -> assertThat(line).contains("parts :: help("));
        ROWS.matcher(Files.readString(page))
            .results()
            .map(list -> list.group(1))
            .forEach(word -> assertThat(Help.SECTIONS).as(page.toString()).containsKey(word));
      }
    }
  }
}
