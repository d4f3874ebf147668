package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import palmares.settlement.schedule.NightlyVerification;
import tools.jackson.databind.json.JsonMapper;

/** The commands outbox, memory, archive and verify --history, over a settled and an open day. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperationsCommandsTest extends OnOwnApplication {
  @BeforeAll
  void settleADay() {
    palmares.callWith(event("open", "ann", "step", "2026-03-10T10:00:00Z"), "import", "-");
    palmares.callWith(event("a", "ann", "step", "2026-03-09T10:00:00Z"), "import", "-");
    palmares.call("close", "race", "2026-03-09");
  }

  @Test
  @Order(1)
  void memoryShowsWhatEachPeriodUsesAndWhenItIsFreed() {
    Called called = palmares.call("memory");
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.out())
        .containsPattern(
            "race +\\| 2026-03-09 +\\| settled .* 2026-04-10T00:00:00Z .*once it verifies")
        .containsPattern("race +\\| 2026-03-10 +\\| open .*stays until it is settled");
    assertThat(called.err()).containsPattern("\\d+\\.\\d KB of the [\\d,.]+ MB that Redis uses\n");
  }

  @Test
  @Order(1)
  void verifyComparesLinksThatWereKept() {
    String printed =
        palmares
            .call("verify")
            .out()
            .lines()
            .filter(line -> line.startsWith("last link of a chain: manifests 1 "))
            .map(line -> line.substring(line.indexOf("manifests"), line.indexOf(", of ")))
            .findFirst()
            .orElseThrow();
    assertThat(palmares.call("verify", "--link", printed).exitCode()).isZero();
    String other = printed.substring(0, printed.length() - 1) + (printed.endsWith("0") ? 1 : 0);
    Called called = palmares.call("verify", "race", "--link", printed, "--link", other);
    assertThat(called.exitCode()).isEqualTo(1);
    assertThat(called.out()).contains("unequal: link 1 of the manifests, as it was kept: ");
    Called nonsense = palmares.call("verify", "--link", "manifests 1");
    assertThat(nonsense.exitCode()).isEqualTo(2);
    assertThat(nonsense.err()).contains("'manifests 1' is no link");
  }

  @Test
  @Order(1)
  void memoryWritesJson() {
    var json =
        JsonMapper.shared().readTree(palmares.call("memory", "race", "--format", "json").out());
    assertThat(json.size()).isEqualTo(2);
    assertThat(json.get(0).get("members").asInt()).isOne();
    assertThat(json.get(0).get("bytes").asLong()).isPositive();
    assertThat(palmares.call("memory", "--drop-orphans", "--all", "--reason", "none").out())
        .isEqualTo("removed 0.0 KB altogether\n");
  }

  @Test
  @Order(1)
  void outboxReportsThatThereIsNoTarget() {
    Called called = palmares.call("outbox");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out()).contains("no target: set palmares.outbox.webhook.url");
    assertThat(palmares.call("outbox", "--retry", "--target", "webhook").err())
        .contains("there is no target 'webhook'; there are no targets yet");
  }

  @Test
  @Order(1)
  void verifyHistoryListsTheNights() {
    assertThat(palmares.call("verify", "--history").out()).isEqualTo("no night was verified yet\n");
    palmares.get(NightlyVerification.class).verifyIfDue();
    Called called = palmares.call("verify", "--history");
    assertThat(called.exitCode()).isZero();
    assertThat(called.out()).contains("2026-03-10", "periods", "differences");
  }

  @Test
  @Order(2)
  void archiveWritesFilesAndDropsTheJournal() {
    Called early = archive("--drop");
    assertThat(early.exitCode()).isEqualTo(1);
    assertThat(early.out()).contains("race 2026-03-09 is settled, and only expired periods");

    palmares.advance(Duration.ofDays(40));
    assertThat(palmares.call("close", "--due").err())
        .containsPattern("expire: 0 of \\d+ periods?\n")
        .containsPattern("expire: (\\d+) of \\1 periods?\n");
    Called dry = archive("--drop", "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("race 2026-03-09 would be written, and its journal dropped")
        .endsWith("1 period would be archived, 0 not\n");
    assertThat(palmares.archive()).isEmptyDirectory();
    Called called = archive("--drop");
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.out())
        .contains(
            palmares.archive().resolve("race").resolve("2026-03-09.jsonl.gz").toString(),
            "1 dropped from the database")
        .endsWith("1 period archived, 0 not\n");
    assertThat(palmares.call("archive", "--check").lastLine())
        .isEqualTo("1 period as archived, 0 not");
    assertThat(palmares.call("archive", "forever", "--check").lastLine())
        .isEqualTo("0 periods as archived, 0 not");
    Called verified = palmares.call("verify");
    assertThat(verified.out()).contains("1 period is archived; only a check");
    assertThat(verified.out()).contains("0 missing, 0 extra, 0 unequal");
    assertThat(palmares.call("report", "race", "2026-03-09").out()).contains("ann");
  }

  private Called archive(String... more) {
    var all = new ArrayList<>(List.of("archive", "--all", "--before", "2026-03-10"));
    all.addAll(List.of("--reason", "long ago"));
    all.addAll(List.of(more));
    return palmares.call(all.toArray(String[]::new));
  }

  @Test
  @Order(3)
  void aServerWhoseWebhookIsNotAllowedDoesNotStart() {
    String setting = "palmares.outbox.webhook.url=https://evil.example/x";
    Called called = palmares.callAlone("server", "--roles", "scheduler", "-D", setting);
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err())
        .contains("host 'evil.example', and palmares.outbox.webhook.allowed-hosts is empty: add it")
        .doesNotContain("\tat ");
  }
}
