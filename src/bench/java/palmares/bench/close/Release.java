package palmares.bench.close;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palmares.bench.WrongResult;
import tools.jackson.databind.json.JsonMapper;

/**
 * A release whose benchmark closes boards in its own process, on embedded servers.
 *
 * @param close the command that measures closings, without the options for files and servers
 * @param folder where its servers, log and figures are written
 */
public record Release(List<String> close, Path folder) {

  /**
   * Runs the benchmark.
   *
   * @return the figures by name
   * @throws WrongResult if the benchmark fails
   */
  Map<String, Double> measure() {
    Path json = folder.resolve("close.json");
    Path log = folder.resolve("close.log");
    var command = new ArrayList<>(close);
    command.addAll(List.of("--json", json.toString()));
    command.addAll(List.of("--data", folder.resolve("servers").toString()));
    command.addAll(List.of("-D", "palmares.infra=embedded"));
    try {
      Files.createDirectories(folder);
      int exit = run(command, log);
      if (exit != 0) {
        throw new WrongResult(
            "%s ended with exit code %d: see %s".formatted(String.join(" ", command), exit, log));
      }
      return figures(json);
    } catch (IOException e) {
      throw new WrongResult("%s cannot be run: %s".formatted(String.join(" ", command), e));
    }
  }

  /** Runs a command, and destroys its process if this process ends first. */
  private static int run(List<String> command, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    var destroy = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(destroy);
    try {
      int exit = process.waitFor();
      Runtime.getRuntime().removeShutdownHook(destroy);
      return exit;
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new WrongResult("interrupted while " + command.get(0) + " ran");
    }
  }

  private static Map<String, Double> figures(Path json) throws IOException {
    Map<?, ?> read = JsonMapper.shared().readValue(Files.readString(json), Map.class);
    var figures = new LinkedHashMap<String, Double>();
    read.forEach(
        (name, value) -> {
          if (value instanceof Number number) {
            figures.put(String.valueOf(name), number.doubleValue());
          }
        });
    return figures;
  }
}
