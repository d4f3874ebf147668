package palmares.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.testing.PalmaresTest;

/**
 * A test class with its own application and database and two boards: {@code race}, with days and
 * prizes, and {@code forever}, which never closes. The clock shows noon of 10 March 2026.
 */
@PalmaresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnOwnApplication {
  static final String RACE =
      """
      title: The race
      period: day
      clock: event
      actions:
        step: { points: 5, undo: true, max-quantity: 100 }
        hop: 1
      max-points: 1000
      rewards:
        - rule: first
          ranks:
            1: 100
            2: 50
      """;

  private static final String FOREVER =
      """
      title: No end
      period: none
      starts: 2020-01-01
      until: 2100-01-01
      clock: event
      actions:
        hop: 1
      resolution: second
      max-points: 1000
      """;

  OwnApplication palmares;

  @TempDir Path folder;

  @BeforeAll
  void start(@Autowired ApplicationContext tests, @TempDir Path jobs, @TempDir Path archive)
      throws IOException {
    Files.writeString(jobs.resolve("race.yml"), RACE);
    Files.writeString(jobs.resolve("forever.yml"), FOREVER);
    for (var more : boards().entrySet()) {
      Files.writeString(jobs.resolve(more.getKey() + ".yml"), more.getValue());
    }
    palmares = new OwnApplication(tests, jobs, archive);
  }

  /** More board files, by board. */
  Map<String, String> boards() {
    return Map.of();
  }

  @AfterAll
  void stop() {
    palmares.close();
  }

  static String event(String id, String member, String action, String time) {
    return "{\"id\":\"%s\",\"member\":\"%s\",\"action\":\"%s\",\"occurredAt\":\"%s\"}\n"
        .formatted(id, member, action, time);
  }

  /** Imports events of two members on a day of the race, and settles it. */
  void settle(String day) {
    palmares.callWith(
        event(day + "-1", "ann", "step", day + "T10:00:00Z")
            + event(day + "-2", "bob", "step", day + "T09:00:00.5Z"),
        "import",
        "-");
    palmares.call("close", "race", day);
  }
}
