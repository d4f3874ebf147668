package palmares.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palmares.bench.WrongResult;
import palmares.bench.close.AgainstFormer;
import tools.jackson.databind.json.JsonMapper;

/**
 * A release whose {@code bench close} runs in a process of its own, on embedded servers.
 *
 * @param program what starts it, up to its arguments
 * @param options of its {@code bench close}
 * @param folder of its servers, its log and its figures
 */
record ReleaseProcess(List<String> program, List<String> options, Path folder)
    implements AgainstFormer.Release {

  @Override
  public Map<String, Double> close() {
    Path json = folder.resolve("close.json");
    Path log = folder.resolve("close.log");
    var command = new ArrayList<>(program);
    command.addAll(List.of("bench", "close"));
    command.addAll(options);
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

  /** It ends with this process at the latest. */
  private static int run(List<String> command, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    var end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    try {
      int exit = process.waitFor();
      Runtime.getRuntime().removeShutdownHook(end);
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
