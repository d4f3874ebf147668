package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.ApplicationContext;
import palmares.Palmares;
import palmares.cli.Called;
import palmares.cli.launch.SpringLauncher;
import palmares.testing.OwnDatabase;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Calls of the benchmark's command line in this process. */
final class BenchCall {
  private BenchCall() {}

  /** Calls a command that must not start the application. */
  static Called alone(String... arguments) {
    return Called.of(terminal -> BenchCommand.run(terminal, Called.NOTHING, arguments), "");
  }

  /** Calls a command that may start the application. */
  static Called starting(String... arguments) {
    return Called.of(
        terminal -> BenchCommand.run(terminal, new SpringLauncher(Palmares.class), arguments), "");
  }

  /** Skips a measurement that takes long, unless it is asked for. */
  static void assumeMeasuring() {
    assumeThat(Boolean.getBoolean("tests.bench")).as("-Dtests.bench=true").isTrue();
  }

  /** What a measurement wrote, and its figures. */
  record Measured(Called called, Map<String, Object> figures) {
    double number(String name) {
      return ((Number) Objects.requireNonNull(figures.get(name), name)).doubleValue();
    }
  }

  /** Calls a measurement, which must succeed, on embedded servers in a folder. */
  static Measured measuring(Path folder, String command) {
    return measuring(folder, command, Map.of("palmares.infra", "embedded"));
  }

  /** Calls a measurement, which must succeed, on an empty database of the tests' servers. */
  static Measured measuring(ApplicationContext tests, Path folder, String command) {
    return measuring(folder, command, OwnDatabase.create(tests));
  }

  private static Measured measuring(Path folder, String command, Map<String, String> settings) {
    Path json = folder.resolve("figures.json");
    var arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--json", json.toString()));
    arguments.addAll(List.of("--data", folder.resolve("bench").toString()));
    settings.forEach((name, value) -> arguments.addAll(List.of("-D", name + "=" + value)));
    Called called = starting(arguments.toArray(String[]::new));
    assertThat(called.exitCode()).as(called.err()).isZero();
    return new Measured(
        called, JsonMapper.shared().readValue(json.toFile(), new TypeReference<>() {}));
  }
}
