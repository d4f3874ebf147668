package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.cli.Called;

class BenchPageTest {
  private static final String SEVERAL =
      """
      {"command": "palmares-bench close --members 1000000,10000000", "members": "1000000,10000000",
       "runs": 3, "cores": 2, "memory_gb": 8, "heap_mb": 512, "java": "17", "os": "Linux",
       %s, %s}
      """
          .formatted(closing("_1000000", 20, 1_000_000), closing("_10000000", 220, 10_000_000));

  private static final String SMALL =
      """
      {"command": "palmares-bench close --members 100000", "members": 100000, "runs": 3,
       "cores": 2, "usual_seconds": 90, "usual_over_close": 45, %s}
      """
          .formatted(closing("", 2, 100_000));

  private static final String WRITING =
      """
      {"command": "palmares-bench write", "runs": 3, "cores": 2, "single_over_empty": 0.5,
       "batch_per_second": 20000, "batch_redis_cpu": 94}
      """;

  private static final String START =
      """
      {"command": "palmares-bench start", "from": "the jar", "runs": 3, "cores": 2,
       "start_seconds": 5.5, "start_event_seconds": 5.4}
      """;

  private static final String HISTORY =
      """
      {"command": "palmares-bench close --history 100", "members": 50, "history": 100, "runs": 3,
       "cores": 2, "history_close_ms_1": 40, "history_close_ms_100": 50,
       "history_close_locks_100": 106, "history_memory_mb_100": 12.5}
      """;

  private static final String CONSOLE =
      """
      {"command": "palmares-bench console", "members": 1000000, "requests": 100, "runs": 1,
       "cores": 2, "console_first_ms": 41.5, "console_search_ms": 30, "console_api_ms": 9}
      """;

  private static final String NODES =
      """
      {"command": "palmares-bench nodes", "runs": 1, "cores": 2, "nodes_write_cluster": 9500,
       "nodes_write_one": 10000, "nodes_write_ratio": 0.95, "nodes_close_seconds_1": 30,
       "nodes_close_seconds_2": 16, "nodes_share_2_1": 21, "nodes_share_2_2": 19,
       "nodes_close_seconds_4": 9, "nodes_share_4_1": 11, "nodes_share_4_2": 10,
       "nodes_share_4_3": 9, "nodes_share_4_4": 10,
       "nodes_events_of_master": "200,199,0,0,150", "nodes_events_of_others": "400,398,390,391,399"}
      """;

  @TempDir private Path folder;

  private static String closing(String suffix, double seconds, long members) {
    return """
    "close_seconds%1$s": %2$s, "first_close_seconds%1$s": %2$s,
    "floor_seconds%1$s": %3$s, "close_over_floor%1$s": 2,
    "pay_seconds%1$s": %3$s, "redis_blocked_ms%1$s": 4, "events%1$s": %4$s,
    "redis_bytes_per_member%1$s": 100, "redis_bytes_per_event%1$s": 50,
    "postgres_bytes_per_member%1$s": 1000, "event_bytes%1$s": 200,
    "line_bytes_per_member%1$s": 300, "postgres_cpu_seconds%1$s": %3$s,
    "jvm_cpu_seconds%1$s": 1, "redis_cpu_seconds%1$s": 1
    """
        .formatted(suffix, seconds, seconds / 2, 2 * members);
  }

  @Test
  void aPageShowsAllFiguresAndConclusions() throws IOException {
    Path out = folder.resolve("performance.md");
    Called called =
        BenchCall.alone(
            "page",
            "--out",
            out.toString(),
            file("several.json", SEVERAL),
            file("small.json", SMALL),
            file("writing.json", WRITING),
            file("history.json", HISTORY),
            file("console.json", CONSOLE),
            file("nodes.json", NODES),
            file("start.json", START));
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(out)
        .content()
        .contains("`palmares-bench close --members 1000000,10000000` | 2 | 8 GB | 512 MB | 17")
        .contains("| closing / floor, 1,000,000 members | 1.35 or less | 2.00 | missed |")
        .contains("| the usual way / closing, 100,000 members | 60.0 or more | 45.0 | missed |")
        .contains("| closing 10,000,000 / 1,000,000 members | 11.0 or less | 11.0 | kept |")
        .contains("| single events over HTTP / an empty endpoint | 0.60 or more | 0.50 | missed |")
        .contains("| small periods closed a second | 40.0 or more | – | not measured |")
        .contains("| cold start to ready, s | 3.50 or less | 5.50 | missed |")
        .contains("closing **1.02**", "floor **1.02**")
        .contains("| pay | 1.00 s, 50.0 % | 10.0 s, 50.0 % | 110 s, 50.0 % |")
        .contains("No processor saturates: of 2 cores 0.51 are busy")
        .contains("| closing, ms | 40.0 | 50.0 |", "| closing, locks | – | 106 |")
        .contains("of a settled period of 1,000,000 members")
        .contains("| the page around a member | 30.0 |", "| the page from a rank | – |")
        .contains("| writes to one board, cluster / one Redis | 0.90 or more | 0.95 | kept |")
        .contains("| writes to one board, a second | 9,500 | 10,000 |", "| 2 | 16.0 | 21, 19 |")
        .contains("| 1 | 30.0 | all |", "| 4 | 9.00 | 11, 10, 9, 10 |")
        .doesNotContain("\n| 3 |")
        .contains("(performance-failover.svg)")
        .contains("| batch | 20,000 | – | 94.0 % | – | – | – |")
        .contains("| Redis: the live board | 20.0 GB | 32.0 GB, half of 64.0 GB | 1 |")
        .contains("| PostgreSQL: each closed period | 140 GB |")
        .contains("![seconds by members](performance.svg)");
    assertThat(folder.resolve("performance.svg"))
        .content()
        .startsWith("<svg ")
        .endsWith("</svg>\n")
        .contains(">closing</text>", ">floor</text>", ">the usual way</text>");
    assertThat(called.err())
        .contains("wrote %s, performance.svg and performance-failover.svg".formatted(out));
    assertThat(folder.resolve("performance-failover.svg"))
        .content()
        .contains(">boards of the master that dies</text>", ">boards of the others</text>");
  }

  @Test
  void filesWithoutFiguresAreRefusedAndNothingIsWritten() throws IOException {
    Path out = folder.resolve("page.md");
    refuse(out, "cannot be read", folder.resolve("none.json").toString());
    refuse(out, "is no JSON object", file("broken.json", "{"));
    refuse(out, "is no JSON object", file("list.json", "[1]"));
    refuse(out, "holds no figures", file("other.json", "{\"a\": 1}"));
    refuse(out, "no closing was measured", file("writing.json", WRITING));
    refuse(
        out,
        "lack events",
        file("lacking.json", "{\"close_seconds\":1,\"members\":5,\"runs\":1,\"cores\":1}"));
    refuse(folder.resolve("page.txt"), "ends with .md", file("small.json", SMALL));
    try (Stream<Path> written = Files.list(folder)) {
      assertThat(written.map(Path::toString)).noneMatch(name -> name.contains("page."));
    }
  }

  private static void refuse(Path out, String complaint, String file) {
    Called called = BenchCall.alone("page", "--out", out.toString(), file);
    assertThat(called.exitCode()).as(file).isEqualTo(2);
    assertThat(called.err()).contains(complaint);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
