package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.cli.terminal.UserError;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;

/** What can be done next is a command that a person can call. */
class NextStepsTest {
  static Stream<Next> steps() {
    Next approve = Next.of("approve", "race", "2026-W47").with("expect", "5e6f7a8b");
    return Stream.of(
        approve,
        approve.with("revision", 2),
        approve.with("ties", List.of("each", "share", "order")),
        approve.with("acceptExclusions", true),
        Next.of("reject", "race", "2026-W47").with("expect", "5e6f7a8b"),
        Next.of("preview", "race", "2026-W47"),
        Next.of("report", "race", "2026-W47").with("revision", 1),
        Next.of("close", "race", "2026-W47"),
        Next.of("close-due").with("stoppedImports", true),
        Next.of("restart", "race", "2026-W47"),
        Next.of("amend", "race", "2026-W47"),
        Next.of("resume").with("board", "race"),
        Next.of("runs").with("board", "race"),
        Next.of("periods").with("board", "race"),
        Next.of("ledger"));
  }

  /** No server answers there, which a command finds out once its arguments are right. */
  @ParameterizedTest
  @MethodSource("steps")
  void aNextStepIsACommandWithItsArguments(Next step) {
    String command = Commands.of(step).replaceAll("\\|\\S+", "");
    assertThat(command).startsWith("palmares ");
    Called called =
        Called.alone(
            (command.substring("palmares ".length()) + " --url http://127.0.0.1:1 --token t")
                .split(" "));
    assertThat(called.exitCode()).as(called.err()).isEqualTo(UserError.UNREACHABLE);
  }
}
