package palmares.settlement.dailydigest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.settlement.outbox.Facts;
import palmares.settlement.outbox.NightlyComparison;
import palmares.settlement.outbox.Outbox;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each day is reported once by any of the processes; nothing is missed or reported twice. */
@WorldTest
class DigestTest {
  @Autowired private NightlyComparison comparison;
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Digest digest;
  @Autowired private Facts facts;
  @Autowired private Outbox outbox;
  @Autowired private DigestReport report;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Clock clock;

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T06:59:59Z, Europe/Berlin, 2026-11-19",
    "2026-11-20T07:00:00Z, Europe/Berlin, 2026-11-20",
    "2026-11-20T07:00:00Z, UTC, 2026-11-19",
    "2026-11-19T18:15:00Z, Pacific/Chatham, 2026-11-20"
  })
  void theTimeOfTheDayIsInTheZone(Instant now, String zone, LocalDate day) {
    assertThat(new Digest.Settings("08:00", zone).day(now)).isEqualTo(day);
  }

  @Test
  void aTimeThatDaylightSavingSkipsComesRightAfter() {
    var settings = new Digest.Settings("02:30", "Europe/Berlin");
    assertThat(settings.day(Instant.parse("2027-03-28T01:29:59Z"))).hasToString("2027-03-27");
    assertThat(settings.day(Instant.parse("2027-03-28T01:30:00Z"))).hasToString("2027-03-28");
  }

  @ParameterizedTest
  @CsvSource({"25:00, UTC, at is '25:00'", "08:00, Mars, zone is 'Mars'"})
  void wrongSettingsAreNamed(String at, String zone, String complaint) {
    assertThatThrownBy(() -> new Digest.Settings(at, zone))
        .hasMessageContaining("palmares.digest." + complaint);
  }

  @Test
  void aDayWithoutPeriodsSaysThatNothingWasDue() {
    assertThat(digest.writeIfDue()).isTrue();
    assertThat(last().get("nothingDue").asBoolean()).isTrue();
    assertThat(last().get("day").asString()).isEqualTo("2026-11-20");
    assertThat(digest.writeIfDue()).as("once a day").isFalse();
    world.now(Instant.parse("2026-11-21T07:59:59Z"));
    assertThat(digest.writeIfDue()).isFalse();
    world.now(Instant.parse("2026-11-21T08:00:00Z"));
    assertThat(digest.writeIfDue()).isTrue();
  }

  @Test
  void itSaysWhatClosedWasPaidFailedAndIsHeld() {
    digest.writeIfDue();
    Period settled = opened(Contest.rules());
    Period near =
        opened(
            paying(100)
                .with("payout: { budget: { credits: { period: 120 } } }")
                .with("clock: event"));
    Period held = opened(paying(7).with("payout: { approval: required }"));
    Period failed = opened(paying(7));
    Period overdue = opened(paying(7));
    world.settle(settled);
    world.settle(near);
    world.close(held);
    world.close(
        failed,
        step -> {
          throw new IllegalStateException("the disk is full");
        });
    jdbc.sql("update period set overdue_at = now() where id = ?")
        .param(overdue.id().value())
        .update();
    world.take(Fact.by("ann").at(near.slot().startsAt()));
    world.pass(Duration.ofDays(1));
    assertThat(digest.writeIfDue()).isTrue();

    assertThat(last().get("nothingDue").asBoolean()).isFalse();
    assertThat(entries("closed"))
        .containsExactlyInAnyOrder(
            "{\"board\":\"%s\",\"periods\":1,\"members\":5}".formatted(settled.board()),
            "{\"board\":\"%s\",\"periods\":1,\"members\":1}".formatted(near.board()));
    assertThat(entries("paid"))
        .containsExactlyInAnyOrder(
            "{\"board\":\"%s\",\"currency\":\"credits\",\"amount\":1680}"
                .formatted(settled.board()),
            "{\"board\":\"%s\",\"currency\":\"credits\",\"amount\":100}".formatted(near.board()));
    assertThat(entries("unusual"))
        .containsExactly(
            ("{'board':'%s','period':'2026-11-20','what':{'code':'digest.near-budget','values':"
                    + "{'amount':100,'currency':'credits','percent':83,'budget':120},'text':"
                    + "'paid 100 credits, 83 %% of the period’s budget of 120'}}")
                .formatted(near.board())
                .replace('\'', '"')
                .replace('’', '\''));
    assertThat(entries("failed")).singleElement().asString().contains("the disk is full");
    assertThat(entries("held")).singleElement().asString().contains("asks for approval");
    assertThat(entries("overdue")).singleElement().asString().contains(overdue.board().value());
    assertThat(last().get("failedAttempts").asInt()).isOne();
    assertThat(last().get("links").get(0).asString())
        .as("what palmares verify --link takes")
        .isEqualTo(
            jdbc.sql(
                    """
                    select format('manifests %s %s', n, hash)
                    from manifest_link order by n desc limit 1
                    """)
                .query(String.class)
                .single());
    assertThat(entries("lateEvents"))
        .containsExactly("{\"board\":\"%s\",\"events\":1}".formatted(near.board()));

    world.pass(Duration.ofDays(1));
    digest.writeIfDue();
    assertThat(entries("closed")).as("reported once").isEmpty();
    assertThat(entries("held")).as("reported until it is decided").hasSize(1);
  }

  @Test
  void membersFarFromTheUsualAreNamed() {
    Board board = world.board(paying(1));
    for (int day = 0; day < 6; day++) {
      Period period = world.open(board);
      int members = day < 5 ? 10 : 40;
      IntStream.range(0, members).forEach(i -> world.take(Fact.by("m" + i)));
      world.settle(period);
      digest.writeIfDue();
    }
    world.pass(Duration.ofDays(1));
    digest.writeIfDue();
    List<String> unusual =
        records.words(
            """
            select entry -> 'what' ->> 'text'
            from fact
            cross join json_array_elements(data -> 'unusual') entry
            where type = 'digest'
            """);
    assertThat(unusual).containsExactly("40 members; usual are 10");
  }

  /** Its settlement has an earlier time than the digest that was written meanwhile. */
  @Test
  void aPeriodThatCommitsDuringADigestIsInTheNextOne() throws Exception {
    Period period = world.settle(opened(Contest.rules()));
    jdbc.sql("delete from fact").update();
    var stored = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var slow =
        CompletableFuture.runAsync(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      outbox.settled(period);
                      stored.countDown();
                      await(go);
                    }));
    await(stored);
    world.pass(Duration.ofSeconds(1));
    assertThat(digest.writeIfDue()).isTrue();
    assertThat(entries("closed")).isEmpty();
    go.countDown();
    slow.get(20, TimeUnit.SECONDS);
    world.pass(Duration.ofDays(1));
    assertThat(digest.writeIfDue()).isTrue();
    assertThat(entries("closed")).hasSize(1);
  }

  @Test
  void manyProcessesReportADayOnce() throws Exception {
    int processes = 6;
    var together = new CyclicBarrier(processes);
    var runs =
        IntStream.range(0, processes)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> process(together)))
            .toList();
    long written = 0;
    for (CompletableFuture<Boolean> run : runs) {
      written += run.get(30, TimeUnit.SECONDS) ? 1 : 0;
    }
    assertThat(written).isOne();
    assertThat(records.number("select count(*) from fact where type = 'digest'")).isOne();
  }

  private boolean process(CyclicBarrier together) {
    var other =
        new Digest(
            facts,
            outbox,
            report,
            jdbc,
            transaction,
            comparison,
            new Digest.Settings("08:00", "UTC"),
            clock);
    try {
      together.await(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return other.writeIfDue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Rules paying(int credits) {
    return Rules.day().with("rewards: [{ rule: podium, ranks: { 1: %d } }]".formatted(credits));
  }

  private Period opened(Rules rules) {
    Period period = world.open(world.board(rules));
    world.take(
        rules.text().contains("each-invite")
            ? Contest.facts()
            : List.of(Fact.by("ann").at(world.now())));
    return period;
  }

  private JsonNode last() {
    return JsonMapper.shared()
        .readTree(
            records
                .words("select data::text from fact where type = 'digest' order by id desc limit 1")
                .get(0));
  }

  private List<String> entries(String list) {
    return last().get(list).valueStream().map(JsonNode::toString).toList();
  }
}
