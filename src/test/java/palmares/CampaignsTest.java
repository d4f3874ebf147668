package palmares;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of the script that runs all campaigns names what there is, and all that writes rows. */
class CampaignsTest {
  private static final Pattern CLASS = Pattern.compile("-Dtest=(\\S+)");
  private static final Pattern PROPERTY = Pattern.compile("-D(tests\\.[\\w.-]+)=");
  private static final Pattern SCRIPT = Pattern.compile("src/\\S+");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (.+?) \\| \\d+ \\| \\d+ \\| \\d+ \\|");

  private static final Pattern WRITES = Pattern.compile("new FaultJournal\\(\\s*\"");

  private final Map<String, String> tests = tests();

  private static Map<String, String> tests() {
    try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  CampaignsTest::read,
                  String::concat));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> campaigns() throws IOException {
    Process list = new ProcessBuilder("src/deploy/campaigns", "list").start();
    return new String(list.getInputStream().readAllBytes(), UTF_8).lines().toList();
  }

  /** The source of the classes that a line names. */
  private String named(String line) {
    Matcher names = CLASS.matcher(line);
    return names.find()
        ? Stream.of(names.group(1).split(","))
            .map(name -> source(name.replaceFirst("#.*", "")))
            .collect(Collectors.joining())
        : "";
  }

  @Test
  void eachCampaignIsATestWithItsSettingsOrAScript() throws IOException {
    assertThat(campaigns())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            line -> {
              assertThat(named(line).startsWith("no ")).as(line).isFalse();
              assertThat(PROPERTY.matcher(line).results().map(each -> each.group(1)))
                  .allMatch(setting -> named(line).contains('"' + setting + '"'));
              assertThat(SCRIPT.matcher(line).results().map(each -> Path.of(each.group())))
                  .allMatch(Files::isExecutable);
            });
  }

  @Test
  void eachRowOfThePageIsWrittenByACampaignOfTheList() throws IOException {
    String sources = campaigns().stream().map(this::named).collect(Collectors.joining());
    String page =
        read(Path.of("src", "docs", "reliability.md")).replaceFirst("(?s)## Mutants.*", "");
    assertThat(ROW.matcher(page).results().map(row -> row.group(1)))
        .allMatch(fault -> sources.contains('"' + fault + '"'));
  }

  @Test
  void whatWritesRowsIsInTheList() throws IOException {
    String list = String.join("\n", campaigns());
    assertThat(tests.keySet().stream().filter(name -> WRITES.matcher(source(name)).find()))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(list).contains(name));
  }

  private String source(String name) {
    return tests.getOrDefault(name, "no " + name);
  }
}
