package palmares.settlement.closing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.operations.report.RunHistory;
import palmares.operations.report.RunHistory.RunOutcome;
import palmares.operations.report.RunHistory.Step;
import palmares.operations.report.RunHistory.Timeline;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.platform.text.DisplayFormat;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** What the steps of a closing have done is stored while they do it, and stays. */
@WorldTest
class ProgressTest {
  private static final String STORED =
      """
      select step || ' ' || done || ' ' || unit
        || case when ended_at is null then ' runs' else '' end
      from step_progress
      order by run_id, n
      """;

  private static final int ENDED_RUNS = 2_000;
  private static final int RUNS_THAT_SHOW_WHAT_IS_USUAL = 3;
  private static final Duration LEFT = Duration.ofSeconds(30);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private RunHistory history;
  @Autowired private Runs runs;
  @Autowired private Leases leases;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private ApiKeys keys;
  @LocalServerPort private int port;

  private Period played() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    return day;
  }

  private List<Timeline> timeline(Period period) {
    return history.timeline(period.board(), period.name(), 10);
  }

  @Test
  void aFinishedClosingIsATimelineOfItsSteps() {
    Period day = played();
    world.settle(day);
    assertThat(records.words(STORED))
        .containsExactly("seal 5 members", "drain 9 events", "fill 5 members", "pay 6 payments");
    assertThat(timeline(day))
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.run().outcome()).isEqualTo(RunOutcome.SETTLED);
              assertThat(run.steps())
                  .allMatch(step -> step.endedAt() != null && step.secondsLeft() == null)
                  .extracting(Step::step)
                  .containsExactly("seal", "drain", "fill", "pay");
            });
  }

  @Test
  void progressCommitsWithTheEffectOfItsStep() {
    Period day = played();
    var seen = new ArrayList<List<String>>();
    world.close(day, step -> seen.add(records.words(STORED)));
    assertThat(seen)
        .containsExactly(
            List.of(),
            List.of("seal 5 members"),
            List.of("seal 5 members"),
            List.of("seal 5 members", "drain 9 events", "fill 5 members"));
  }

  @Test
  void aStepThatFailsDoesNotEnd() {
    Period day = played();
    world.close(
        day,
        step -> {
          if (step.equals("fill")) {
            throw new IllegalStateException("no room");
          }
        });
    assertThat(records.words(STORED))
        .containsExactly("seal 5 members", "drain 9 events", "fill 0  runs");
    world.settle(day);
    assertThat(timeline(day)).hasSize(2);
    assertThat(timeline(day).get(0).steps()).hasSize(4);
  }

  @Test
  void aRunningStepHasARateAndATimeLeftAndItsCountsNeverGoBack() {
    Board board = world.board(Contest.rules());
    for (int i = 0; i < RUNS_THAT_SHOW_WHAT_IS_USUAL; i++) {
      world.settle(world.open(board));
    }
    Period day = world.due(world.open(board));
    Lease lease = leases.take(day.id(), "a server").orElseThrow();
    RunProgress progress = runs.begin(lease, "test");
    progress.begin("fill");
    progress.step().expect("members", 1_000L);
    progress.step().reach(250);
    world.pass(Duration.ofSeconds(10));
    runs.store(progress);
    assertThat(step(day).perSecond()).isEqualTo(25);
    assertThat(step(day).secondsLeft()).isEqualTo(30);
    assertStepsOverHttp(day);

    progress.step().reach(100);
    runs.store(progress);
    assertThat(step(day).done()).isEqualTo(250);
    progress.step().reach(1_000);
    progress.endStep();
    world.pass(Duration.ofSeconds(10));
    runs.store(progress);
    assertThat(step(day).secondsLeft()).isNull();
    assertThat(step(day).perSecond()).isEqualTo(100);
  }

  private void assertStepsOverHttp(Period day) {
    var api = new Api(port, Api.ownKey(keys, "vic", "local:test", Role.VIEWER));
    String path = "/ops/boards/%s/periods/%s/steps".formatted(day.board(), day.name());
    Answer steps = api.get(path);
    assertThat(steps.body()).hasSize(1);
    JsonNode step = steps.body().get(0);
    assertThat(step.path("step").asString()).isEqualTo("fill");
    assertThat(step.path("state").asString()).isEqualTo("running");
    assertThat(step.path("done").asLong()).isEqualTo(250);
    assertThat(step.path("total").asLong()).isEqualTo(1_000);
    assertThat(step.path("perSecond").asLong()).isEqualTo(25);
    assertThat(step.path("left").asString()).isEqualTo("PT30S");
    String note = "a closing of %s usually takes [^,]+, and is late after 1:00 min.*";
    assertThat(steps.response().headers().allValues("Palmares-Note"))
        .singleElement()
        .asString()
        .satisfies(
            sent ->
                assertThat(URLDecoder.decode(sent, UTF_8)).matches(note.formatted(day.board())));
    Answer table = api.get(path, "Accept", "text/plain");
    assertThat(table.response().body())
        .contains("per second", "running", DisplayFormat.duration(LEFT));
  }

  /**
   * As after a night during which a report kept its snapshot: VACUUM removes no entry of an index.
   */
  @Test
  void aRunBeginsWithoutReadingTheRunsOfOtherPeriodsThatEndedUnderAnOldSnapshot() {
    Period other = world.open(world.board(Contest.rules()));
    Period day = world.due(played());
    Lease lease = leases.take(day.id(), "a server").orElseThrow();
    long read =
        transaction.execute(
            status -> {
              servers.sql(
                  """
                  insert into run (period_id, fence, node, cause, started_at)
                  select ?, n, 'a server', 'test', now() from generate_series(1, ?) n
                  """,
                  other.id().value(),
                  ENDED_RUNS);
              servers.sql(
                  "update run set outcome = 'settled', ended_at = now() where period_id = ?",
                  other.id().value());
              long before = entriesRead();
              runs.begin(lease, "test");
              return entriesRead() - before;
            });
    assertThat(read).isLessThan(ENDED_RUNS);
  }

  private long entriesRead() {
    return jdbc.sql("select pg_stat_get_xact_tuples_returned('running_run'::regclass)")
        .query(Long.class)
        .single();
  }

  private Step step(Period day) {
    return timeline(day).get(0).steps().get(0);
  }
}
