package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.operations.monitoring.Attention.Kind;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.outbox.Deliveries;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
class SignalsTest {
  @Autowired private World world;
  @Autowired private PeriodSignals signals;
  @Autowired private SignalRound signalRound;
  @Autowired private ClosingHealth health;
  @Autowired private OverduePeriods overduePeriods;
  @Autowired private Records records;
  @Autowired private MeterRegistry meters;
  @Autowired private Servers servers;
  @Autowired private DataSource database;
  @Autowired private JdbcClient jdbc;
  @Autowired private Catalogue catalogue;
  @Autowired private Anchors anchors;
  @Autowired private Deliveries deliveries;

  private Period over(Rules rules) {
    Board board = world.board(rules.with("rewards: [{ rule: podium, ranks: { 1: 100 } }]"));
    Period period = world.open(board);
    world.take(Fact.by("ann"));
    return world.due(period);
  }

  private static Duration minutes(long minutes) {
    return Duration.ofMinutes(minutes);
  }

  @Test
  void theSpaceOfEachDiskThatAServerWritesToIsMeasured() {
    assertThat(meters.find("disk.free").gauges())
        .extracting(gauge -> Path.of(String.valueOf(gauge.getId().getTag("path"))).normalize())
        .contains(Path.of("").toAbsolutePath(), anchors.file().toAbsolutePath().getParent());
  }

  @Test
  void aPeriodIsOverdueTenMinutesAfterItIsDue() {
    Period period = over(Rules.day());
    world.pass(minutes(9));
    assertThat(signals.attention()).isEmpty();
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);

    world.pass(minutes(2));
    assertThat(signals.attention()).extracting(Attention::kind).containsExactly(Kind.OVERDUE);
    assertThat(health.health())
        .isEqualTo(Health.down().withDetail(period.label(), "overdue for 660 s").build());
    signalRound.run();
    assertThat(gauge("palmares.period.overdue.age", period)).isEqualTo(660);

    world.settle(period);
    signalRound.run();
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    assertThat(gauge("palmares.period.overdue.age", period)).isZero();
  }

  @Test
  void anOverduePeriodIsReportedOnceByAllServersTogether() throws Exception {
    Period period = over(Rules.day());
    world.pass(minutes(9));
    overduePeriods.report();
    assertThat(overdueFacts()).isEmpty();
    world.pass(minutes(2));
    int servers = 6;
    var together = new CyclicBarrier(servers);
    var reports =
        IntStream.range(0, servers)
            .mapToObj(i -> CompletableFuture.runAsync(() -> report(together)))
            .toList();
    for (CompletableFuture<Void> report : reports) {
      report.get(30, TimeUnit.SECONDS);
    }
    assertThat(overdueFacts())
        .containsExactly(
            "%s/%s {\"closesAt\":\"2026-11-21T00:10:00Z\",\"state\":\"open\"}"
                .formatted(period.board(), period.name()));
    world.pass(Duration.ofDays(100));
    overduePeriods.report();
    assertThat(overdueFacts()).hasSize(1);
  }

  private void report(CyclicBarrier together) {
    try {
      together.await(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    overduePeriods.report();
  }

  private List<String> overdueFacts() {
    return records.words("select subject || ' ' || data from fact where type = 'period.overdue'");
  }

  @Test
  void aPeriodWhoseClosingFailedIsFailedAndNotOverdue() {
    Period period = over(Rules.day());
    ClosingResult.Status outcome =
        world
            .close(
                period,
                step -> {
                  throw new IllegalStateException("the disk is full");
                })
            .outcome();
    assertThat(outcome).isEqualTo(ClosingResult.Status.FAILED);
    world.pass(minutes(60));
    overduePeriods.report();
    assertThat(overdueFacts()).isEmpty();
    assertThat(signals.attention())
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.kind()).isEqualTo(Kind.FAILED);
              assertThat(Texts.english(Objects.requireNonNull(failed.reason())))
                  .isEqualTo("the disk is full");
            });
    signalRound.run();
    assertThat(gauge("palmares.period.failed", period)).isEqualTo(1);
    assertThat(gauge("palmares.period.overdue.age", period)).isZero();
    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
  }

  @Test
  void aLostLiveBoardIsUnhealthyUntilItIsRebuilt() {
    Period open = world.open(world.board(Rules.day()));
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    servers.sql(
        """
        insert into journal_fault (period_id, kind, found_by_drain, since)
        values (%d, 'lost', false, now())
        """
            .formatted(open.id().value()));
    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.health().getDetails().get(open.label()))
        .asString()
        .contains("gone from Redis", "until it is rebuilt");
  }

  @Test
  void aPeriodThatWaitsForAPersonWarnsAfterADay() {
    Period period = over(Rules.day().with("payout: { approval: required }"));
    assertThat(world.close(period).outcome()).isEqualTo(ClosingResult.Status.HELD);
    assertThat(signals.attention()).extracting(Attention::kind).containsExactly(Kind.HELD);
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    world.pass(Duration.ofHours(25));
    assertThat(health.health().getStatus()).isEqualTo(ClosingHealth.WARN);
    signalRound.run();
    assertThat(gauge("palmares.period.held.age", period)).isGreaterThan(86_400);
  }

  @Test
  void closingsAndCreditsAreCountedOnceByAnyCloser() {
    Period period = over(Rules.day().with("payout: { budget: { credits: { period: 400 } } }"));
    signalRound.run();
    world.settle(period);
    signalRound.run();
    signalRound.run();
    String board = period.board().value();
    assertThat(closings(period, "settled")).isEqualTo(1);
    assertThat(meters.get("palmares.credits.paid").tags("board", board).counter().count())
        .isEqualTo(100);
    assertThat(gauge("palmares.budget.used", period)).isEqualTo(0.25);
  }

  @Test
  void aRunThatCommitsAfterALaterOneIsCounted() throws Exception {
    Period slow = over(Rules.day());
    Period fast = over(Rules.day());
    signalRound.run();
    try (Connection session = database.getConnection()) {
      session.setAutoCommit(false);
      try (var statement = session.createStatement()) {
        statement.execute(
            """
            insert into run (period_id, fence, node, cause, started_at, ended_at, outcome)
            values (%d, 7, 'slow', 'test', '%s', '%s', 'held')
            """
                .formatted(slow.id().value(), world.now(), world.now()));
        world.settle(fast);
        signalRound.run();
        assertThat(closings(fast, "settled")).isEqualTo(1);
        assertThat(closings(slow, "held")).isZero();
      }
      session.commit();
    }
    signalRound.run();
    signalRound.run();
    assertThat(closings(slow, "held")).isEqualTo(1);
    world.pass(minutes(5));
    signalRound.run();
    assertThat(closings(fast, "settled")).as("and each once").isEqualTo(1);
  }

  @Test
  void theBudgetOfAMonthIsUsedByAllOfItsPeriodsAndByAHeldOne() {
    Period day = over(Rules.day().with("payout: { budget: { credits: { month: 250 } } }"));
    double[] used = {0.4, 0.8, 1.2};
    for (double share : used) {
      world.take(Fact.by("ann").on("post-" + day.name()));
      world.close(day);
      signalRound.run();
      assertThat(gauge("palmares.budget.used", day)).isEqualTo(share);
      day = world.open(catalogue.find(day.board()).orElseThrow());
    }
  }

  @Test
  void aHeldPeriodOverItsBudgetIsReportedUntilItIsDecided() {
    Period day = over(Rules.day().with("payout: { budget: { credits: { period: 80 } } }"));
    assertThat(world.close(day).outcome()).isEqualTo(ClosingResult.Status.HELD);
    Period next = world.open(catalogue.find(day.board()).orElseThrow());
    world.settle(next); // Nobody acted.
    signalRound.run();
    assertThat(gauge("palmares.budget.used", day)).isEqualTo(1.25);
  }

  @Test
  void aTargetLagsByTheOldestFactThatItShouldHave() {
    servers.sql(
        """
        insert into outbox_target (name, address, facts, since, fact)
        values ('shop', '', '{period.settled}', now(), 0), ('mail', '', '{digest}', now(), 0)
        """);
    world.settle(over(Rules.day()));
    world.pass(minutes(10));
    signalRound.run();
    assertThat(lag("shop")).isEqualTo(600);
    assertThat(lag("mail")).isZero();
  }

  @Test
  void factsThatAreAskedForAgainWaitFromThenOn() {
    servers.sql(
        """
        insert into outbox_target (name, address, facts, since, fact)
        values ('shop', '', '{period.settled}', now(), 1000000)
        """);
    Instant before = world.now();
    world.settle(over(Rules.day()));
    world.pass(minutes(600));
    deliveries.redeliver("shop", before);
    world.pass(minutes(2));
    signalRound.run();
    assertThat(lag("shop")).isEqualTo(120);
  }

  private double lag(String target) {
    return meters.get("palmares.outbox.lag").tag("target", target).gauge().value();
  }

  @Test
  void signalsReadNoSettledPeriod() {
    Period open = world.open(world.board(Rules.day()));
    servers.addSettled(open, 3_000);
    servers.sql("analyze period");
    for (String query :
        List.of(
            PeriodSignals.STATES,
            PeriodSignals.ATTENTION,
            PeriodSignals.OVERRUNS,
            PeriodSignals.PROGRESS)) {
      String plan =
          String.join(
              "\n",
              jdbc.sql("explain " + query)
                  .param("now", world.now().atOffset(ZoneOffset.UTC))
                  .param("overdue", world.now().atOffset(ZoneOffset.UTC))
                  .query(String.class)
                  .list());
      assertThat(plan).contains("period_due").doesNotContain("Seq Scan on period");
    }
  }

  private long closings(Period period, String outcome) {
    return meters
        .get("palmares.closings")
        .tags("board", period.board().value(), "outcome", outcome)
        .timer()
        .count();
  }

  private double gauge(String name, Period period) {
    return meters.get(name).tag("board", period.board().value()).gauge().value();
  }
}
