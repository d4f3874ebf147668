package palmares.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import palmares.cli.launch.CommonOptions;
import palmares.cli.launch.Launcher;
import palmares.cli.terminal.Terminal;

/** The result of a call of the command line: its exit code and what it printed. */
public record Called(int exitCode, String out, String err) {
  /** The launcher of calls that must not start the application. */
  public static final Launcher NOTHING =
      launch -> {
        throw new AssertionError("the application was started");
      };

  static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-20T12:00:00Z"), ZoneOffset.UTC);

  /** Calls a command that must not start the application. */
  static Called alone(String... arguments) {
    return with(NOTHING, "", arguments);
  }

  /** The same in a shell of a language, such as {@code zh_CN}. */
  public static Called in(String language, String... arguments) {
    return in(language, NOTHING, arguments);
  }

  static Called in(String language, Launcher launcher, String... arguments) {
    var shell = new CommonOptions(Map.of("LANG", language + ".UTF-8")::get);
    return of(terminal -> Cli.run(terminal, shell, launcher, CLOCK, arguments), "");
  }

  static Called with(Launcher launcher, String stdin, String... arguments) {
    return of(terminal -> Cli.run(terminal, launcher, CLOCK, arguments), stdin);
  }

  /** Calls a program with a terminal whose output is collected. */
  public static Called of(ToIntFunction<Terminal> program, String stdin) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var terminal =
        new Terminal(
            new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
            stream(out),
            stream(err),
            false,
            false);
    int exitCode = program.applyAsInt(terminal);
    return new Called(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  List<String> lines() {
    return out.lines().toList();
  }

  String lastLine() {
    return lines().get(lines().size() - 1);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
