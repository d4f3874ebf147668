package palmares.bench.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.testing.Processes;

/** Ends a benchmark from outside: its servers and limits end with it. */
class LeftoversTest {
  /** More than Linux has. */
  private static final long NO_PROCESS = 999_999_999L;

  @TempDir private Path folder;

  /** Starts servers and limits one of them, then runs until it is ended. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    CpuQuotas quotas = CpuQuotas.ofThisMachine();
    RedisCluster cluster = RedisCluster.start(Path.of(arguments[0]), 1);
    if (quotas.refusal() == null) {
      quotas.limit(cluster.pid(0), .5);
    }
    System.out.println("ready");
    Thread.currentThread().join();
  }

  @Test
  void aSignalEndsServersAndLimits() throws IOException, InterruptedException {
    Process bench =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LeftoversTest.class.getName(),
                folder.toString())
            .redirectError(folder.resolve("err").toFile())
            .start();
    try {
      var out = new BufferedReader(new InputStreamReader(bench.getInputStream(), UTF_8));
      String line = out.readLine();
      while (line != null && !line.equals("ready")) {
        line = out.readLine();
      }
      assertThat(line).as(Files.readString(folder.resolve("err"))).isEqualTo("ready");
      assertThat(Processes.naming(folder)).hasSizeGreaterThan(1);
    } finally {
      bench.destroy();
    }
    bench.waitFor();
    assertThat(Processes.naming(folder)).isEmpty();
    assertThat(groups("palmares-bench-%d-".formatted(bench.pid()))).isEmpty();
  }

  @Test
  void groupsOfABenchmarkThatIsGoneAreDeleted() throws IOException {
    try (CpuQuotas tried = CpuQuotas.ofThisMachine()) {
      assumeThat(tried.refusal()).isNull();
    }
    String left = "palmares-bench-%d-%d".formatted(NO_PROCESS, ProcessHandle.current().pid());
    String mine = "palmares-bench-%d-1".formatted(ProcessHandle.current().pid());
    Files.createDirectory(CpuQuotas.parent().resolve(left));
    Path running = Files.createDirectory(CpuQuotas.parent().resolve(mine));
    try {
      CpuQuotas.ofThisMachine().close();
      assertThat(groups(left)).isEmpty();
      assertThat(groups(mine)).containsExactly(running);
    } finally {
      Files.delete(running);
    }
  }

  private static List<Path> groups(String prefix) throws IOException {
    if (!Files.isDirectory(CpuQuotas.parent())) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(CpuQuotas.parent())) {
      return all.filter(group -> String.valueOf(group.getFileName()).startsWith(prefix)).toList();
    }
  }
}
