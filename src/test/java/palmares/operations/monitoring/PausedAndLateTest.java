package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.i18n.LocaleContextHolder;
import palmares.live.intake.EventOrigin;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.ClosingForecast.Usual;
import palmares.period.BoardPauses;
import palmares.period.ImportRuns;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.platform.threads.HealthSentences;
import palmares.rules.board.Board;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What waits for a person because a board is paused is no alarm; what takes too long warns. */
@WorldTest
class PausedAndLateTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private BoardPauses pauses;
  @Autowired private ImportRuns imports;
  @Autowired private Leases leases;
  @Autowired private PeriodSignals signals;
  @Autowired private SignalRound round;
  @Autowired private OverduePeriods overdue;
  @Autowired private ClosingHealth health;
  @Autowired private ClosingForecast forecast;
  @Autowired private MeterRegistry meters;

  private Period played(Board board) {
    Period day = world.open(board);
    world.take(Contest.facts());
    return day;
  }

  private double gauge(String name, Board board) {
    round.run();
    return meters.get(name).tag("board", board.id().value()).gauge().value();
  }

  @Test
  void whatIsDueOnAPausedBoardIsPausedAndNotOverdue() {
    Board board = world.board(Contest.rules());
    Period day = world.due(played(board));
    world.pass(Duration.ofMinutes(5));
    pauses.pause(board.id(), "ann", "prizes are checked");
    world.pass(Duration.ofMinutes(20));
    overdue.report();
    assertThat(records.number("select count(*) from fact where type = 'period.overdue'")).isZero();
    assertThat(signals.attention())
        .extracting(Attention::kind)
        .containsExactly(Attention.Kind.PAUSED);
    assertThat(health.health())
        .isEqualTo(
            Health.up()
                .withDetail(day.label(), "paused for 1200 s: by ann: prizes are checked")
                .build());
    LocaleContextHolder.setLocale(Locale.CHINESE);
    try {
      assertThat(health.health().getDetails())
          .containsEntry(day.label(), "已暂停，已 1200 秒：由 ann 暂停：prizes are checked");
    } finally {
      LocaleContextHolder.resetLocaleContext();
    }
    assertThat(gauge("palmares.period.paused.age", board)).isEqualTo(1200);
    assertThat(gauge("palmares.period.overdue.age", board)).isZero();

    world.pass(Duration.ofHours(24));
    assertThat(health.health().getStatus()).isEqualTo(ClosingHealth.WARN);
    pauses.resume(board.id(), "ann", "right");
    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
  }

  @Test
  void whatAKilledImportLeavesOpenIsOverdue() {
    Board board = world.board(Contest.rules());
    var run = imports.begin("november.ndjson", "local:test");
    Instant past = world.now().minus(Duration.ofDays(3));
    world.take(List.of(Fact.by("ann").at(past)), new EventOrigin.History(run));
    overdue.report();
    assertThat(signals.attention()).isEmpty();

    world.pass(Duration.ofMinutes(1));
    overdue.report();
    assertThat(signals.attention())
        .extracting(Attention::kind, Attention::reason)
        .containsExactly(
            tuple(Attention.Kind.OVERDUE, new HealthSentences.ImportDidNotEnd("november.ndjson")));
    assertThat(records.number("select count(*) from fact where type = 'period.overdue'"))
        .isEqualTo(1);
    imports.beat(run);
    assertThat(signals.attention()).isEmpty();
  }

  @Test
  void aClosingThatTakesMuchLongerThanUsualIsLate() {
    Board board = world.board(Contest.rules());
    for (int day = 0; day < 3; day++) {
      world.settle(played(board));
      world.pass(Duration.ofHours(10));
    }
    assertThat(forecast.usual(List.of(board.id()))).hasSize(1);
    servers.sql("update run set ended_at = started_at + interval '40 seconds'");
    assertThat(forecast.usual(List.of(board.id())))
        .containsExactly(new Usual(board.id().value(), 3, 40, 120));
    assertThat(gauge("palmares.closing.expected", board)).isEqualTo(40);

    Period running = world.due(played(board));
    Lease lease = leases.take(running.id(), "a server").orElseThrow();
    servers.sql(
        """
        insert into run (period_id, fence, node, cause, started_at) values (?, ?, 'x', 'y', ?)
        """,
        running.id().value(),
        lease.fence(),
        world.now().atOffset(ZoneOffset.UTC));
    pass(Duration.ofSeconds(119), lease);
    assertThat(forecast.late(List.of(board.id()))).isEmpty();
    pass(Duration.ofSeconds(2), lease);
    assertThat(health.health())
        .isEqualTo(
            Health.status(ClosingHealth.WARN)
                .withDetail(running.label(), "closing for 121 s, usually 40 s")
                .build());
    assertThat(gauge("palmares.closing.slow", board)).isEqualTo(1);
  }

  @Test
  void aRunningClosingShowsHowFarItsStepIs() {
    Board board = world.board(Contest.rules());
    Period running = world.due(played(board));
    Lease lease = leases.take(running.id(), "a server").orElseThrow();
    OffsetDateTime began = world.now().atOffset(ZoneOffset.UTC);
    servers.sql(
        """
        insert into run (period_id, fence, node, cause, started_at) values (?, ?, 'x', 'y', ?)
        """,
        running.id().value(),
        lease.fence(),
        began);
    addStep(0, "seal", "", "members", 900, 900L, began);
    assertThat(progress("done", board)).containsExactly(Map.entry("seal members", 900.0));
    addStep(1, "fill", "", "members", 300, 900L, began);
    addStep(2, "fill", "index line", "indexes", 0, 1L, began);
    assertThat(progress("done", board)).containsExactly(Map.entry("fill members", 300.0));
    assertThat(progress("total", board)).containsExactly(Map.entry("fill members", 900.0));
    assertThat(progress("rate", board)).containsExactly(Map.entry("fill members", 30.0));
    assertThat(progress("left", board)).containsExactly(Map.entry("fill members", 20.0));

    addStep(3, "pay", "", "", 0, null, began);
    assertThat(progress("done", board)).containsExactly(Map.entry("pay ", 0.0));
    assertThat(progress("total", board)).isEmpty();
    assertThat(progress("left", board)).isEmpty();

    leases.release(lease);
    assertThat(progress("done", board)).isEmpty();
  }

  /** Counted ten seconds after its start. */
  private void addStep(
      int n,
      String step,
      String slice,
      String unit,
      long done,
      @Nullable Long total,
      OffsetDateTime began) {
    servers.sql(
        """
        insert into step_progress (
          run_id, n, step, slice, unit, started_at, done, total, counted_at)
        select id, ?, ?, ?, ?, ?, ?, ?, ? from run
        """,
        n,
        step,
        slice,
        unit,
        began,
        done,
        total,
        began.plusSeconds(10));
  }

  private Map<String, Double> progress(String what, Board board) {
    round.run();
    return meters
        .find("palmares.closing.progress." + what)
        .tag("board", board.id().value())
        .gauges()
        .stream()
        .collect(
            Collectors.toMap(
                gauge -> gauge.getId().getTag("step") + " " + gauge.getId().getTag("unit"),
                Gauge::value));
  }

  private void pass(Duration time, Lease lease) {
    world.pass(time);
    leases.renew(lease);
  }
}
