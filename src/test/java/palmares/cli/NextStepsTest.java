package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.cli.terminal.UserError;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;

/** What can be done next is a command that a person can call. */
class NextStepsTest {
  private static final Path MAIN = Path.of("src", "main", "java");

  /** Where a step is made of a verb that its place names; others get it as a parameter. */
  private static final Pattern NAMED = Pattern.compile("\\bNext\\.of\\(\\s*\"([\\w -]+)\"");

  static Stream<Next> steps() {
    Next approve = Next.of("approve", "race", "2026-W47").with("expect", "5e6f7a8b");
    Next rebuild = Next.of("rebuild", "race", "2026-W47");
    Next exclude = Next.of("exclude").with("member", "ann").with("level", "hidden");
    return Stream.of(
        approve,
        approve.with("revision", 2),
        approve.with("ties", List.of("each", "share", "order")),
        approve.with("acceptExclusions", true),
        Next.of("reject", "race", "2026-W47").with("expect", "5e6f7a8b"),
        Next.of("approve-batch").with("id", 7).with("expect", "5e6f7a8b"),
        Next.of("reject-batch").with("id", 7),
        Next.of("resume-batch").with("id", 7),
        Next.of("batch").with("verb", "amend").with("exclusions", "3-5"),
        Next.of("batch").with("verb", "restart").with("board", "race").with("cause", "5e6f7a8b"),
        Next.of("preview", "race", "2026-W47"),
        Next.of("report", "race", "2026-W47").with("revision", 1),
        Next.of("close", "race", "2026-W47"),
        Next.of("close-due").with("stoppedImports", true),
        Next.of("restart", "race", "2026-W47"),
        Next.of("amend", "race", "2026-W47"),
        Next.of("resume").with("board", "race"),
        Next.of("runs").with("board", "race"),
        Next.of("runs").with("board", "race").with("failed", true).with("stack", true),
        Next.of("periods").with("board", "race"),
        rebuild,
        rebuild.with("replace", true).with("acceptLoss", true),
        Next.of("late", "race", "2026-W47"),
        Next.of("accept-late", "race", "2026-W47"),
        Next.of("accept-late", "race", "2026-W47").with("ids", "e-1").with("change", true),
        Next.of("dismiss-late", "race", "2026-W47").with("change", true).with("ids", "e-1"),
        Next.of("withheld", "race", "2026-W47"),
        Next.of("release-withheld", "race", "2026-W47"),
        Next.of("refuse-withheld", "race", "2026-W47"),
        Next.of("quarantine").with("board", "race"),
        Next.of("quarantine", "race", "2026-W47"),
        Next.of("release", "race", "2026-W47").with("numbers", 1712),
        Next.of("discard", "race", "2026-W47").with("numbers", 1712),
        exclude.with("board", "race").with("from", "2026-11-01").with("allowUnknown", true),
        Next.of("exclude-file").with("allowUnknown", true),
        Next.of("exclusions").with("member", "ann"),
        Next.of("create-list").with("list", "staff"),
        Next.of("add-to-list").with("list", "staff").with("allowUnknown", true),
        Next.of("add-to-list")
            .with("list", "staff")
            .with("member", "ann")
            .with("level", "hidden")
            .with("allowUnknown", true),
        Next.of("forget").with("member", "ann"),
        Next.of("drop-orphans").with("forceUnknown", true).with("all", true),
        Next.of("drop-orphans").with("forceUnknown", true).with("board", "race"),
        Next.of("retry").with("target", "shop"),
        Next.of("resend").with("kind", "missing"),
        Next.of("reconcile").with("fetch", true).with("from", "2026-11-20T00:00:00Z"),
        Next.of("accept-findings").with("kind", "twice"),
        Next.of("return-refused").with("all", true),
        Next.of("verify"),
        Next.of("verify").with("link", "manifests 1 " + "0".repeat(64)),
        Next.of("boards").with("fromDatabase", true),
        Next.of("revoke-key").with("name", "shop"),
        Next.of("api-keys"),
        Next.of("ledger"));
  }

  /** Steps that a server cannot carry out: about files of this machine, or the program. */
  private static final Set<String> HERE = Set.of("boards check", "boards new", "demo", "server");

  /** No server answers there, which a command finds out once its arguments are right. */
  @ParameterizedTest
  @MethodSource("steps")
  void aNextStepIsACommandWithItsArguments(Next step, @TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "member,level,reason\n");
    var words =
        new ArrayList<>(
            words(Commands.of(step)).stream()
                .map(word -> word.equals("FILE") ? file.toString() : word)
                .toList());
    assertThat(words.remove(0)).isEqualTo("palmares");
    words.addAll(List.of("--url", "http://127.0.0.1:1", "--token", "t"));
    Called called = Called.alone(words.toArray(String[]::new));
    assertThat(called.exitCode()).as(called.err()).isEqualTo(UserError.UNREACHABLE);
  }

  /** The words of a command, of which several may be in quotes; of values any one is chosen. */
  private static List<String> words(String command) {
    return Pattern.compile("'([^']*)'|(\\S+)")
        .matcher(command)
        .results()
        .map(word -> word.group(1) != null ? word.group(1) : word.group(2).split("\\|")[0])
        .toList();
  }

  @Test
  void everyStepThatIsNamedIsTried() throws IOException {
    Set<String> tried = steps().map(Next::verb).collect(Collectors.toCollection(TreeSet::new));
    tried.addAll(HERE);
    try (Stream<Path> files = Files.walk(MAIN)) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .flatMap(file -> NAMED.matcher(text(file)).results())
                  .map(named -> named.group(1)))
          .isNotEmpty()
          .isSubsetOf(tried);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
