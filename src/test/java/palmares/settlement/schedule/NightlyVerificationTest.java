package palmares.settlement.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.schedule.NightlyVerification.NightlyResult;
import palmares.settlement.verification.Verification;
import palmares.testing.Contest;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Each night is verified once by any of the processes, and the result is stored. */
@WorldTest
class NightlyVerificationTest {
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private NightlyVerification nightlyVerification;
  @Autowired private Verification verification;
  @Autowired private Outbox outbox;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Clock clock;

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T03:29:59Z, 2026-11-19",
    "2026-11-20T03:30:00Z, 2026-11-20",
    "2026-11-20T23:59:59Z, 2026-11-20",
    "2026-11-21T00:00:00Z, 2026-11-20"
  })
  void theTimeOfTheNightIsInUtc(Instant now, LocalDate night) {
    assertThat(new NightlyVerification.Settings("03:30", 7).night(now)).isEqualTo(night);
  }

  @ParameterizedTest
  @CsvSource({"25:00, 7, at is '25:00'", "half three, 7, at is 'half", "03:30, 0, days is '0'"})
  void wrongSettingsAreNamed(String at, int days, String complaint) {
    assertThatThrownBy(() -> new NightlyVerification.Settings(at, days))
        .hasMessageContaining("palmares.verify." + complaint);
  }

  @Test
  void aNightIsVerifiedOnceAndKept() {
    settle();
    NightlyResult result = nightlyVerification.verifyIfDue().orElseThrow();
    assertThat(result.differences()).isZero();
    assertThat(result.periods()).isOne();
    assertThat(result.night()).isEqualTo(LocalDate.of(2026, 11, 20));
    assertThat(nightlyVerification.verifyIfDue()).isEmpty();

    world.now(Instant.parse("2026-11-21T03:30:00Z"));
    assertThat(nightlyVerification.verifyIfDue()).isPresent();
    assertThat(nightlyVerification.latest(null, 5)).hasSize(2);
  }

  @Test
  void differencesAreCountedAndTheFirstIsNamed() {
    Period day = settle();
    servers.unguarded(() -> servers.sql("update line set points = 201 where member = 'ann'"));
    NightlyResult result = nightlyVerification.verifyIfDue().orElseThrow();
    assertThat(Texts.english(Objects.requireNonNull(result.first())))
        .contains("unequal: " + day.label() + ": population");
    assertThat(result.differences()).isGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update payment set amount = amount + 1 where member = 'ann' and rule = 1",
        "delete from payment where member = 'ann' and rule = 1",
        "insert into payment select 1, outcome, 1, 1, 'zoe' from payment limit 1"
      })
  void paymentsAreVerifiedEvenIfNothingWasSettled(String forged) {
    Period day = settle();
    world.pass(Duration.ofDays(30));
    nightlyVerification.verifyIfDue();
    world.pass(Duration.ofDays(30));
    servers.unguarded(() -> servers.sql(forged));
    NightlyResult result = nightlyVerification.verifyIfDue().orElseThrow();
    assertThat(result.periods()).isZero();
    assertThat(result.differences()).isOne();
    assertThat(Texts.english(Objects.requireNonNull(result.first())))
        .contains("payments of revision 1 of " + day.label());
  }

  @Test
  void missedNightsAreVerifiedTogether() {
    nightlyVerification.verifyIfDue();
    settle();
    world.pass(Duration.ofDays(20));
    NightlyResult result = nightlyVerification.verifyIfDue().orElseThrow();
    assertThat(result.periods()).as("settled 20 days ago, after the last night").isOne();
    assertThat(result.since()).isEqualTo(World.START);
  }

  @Test
  void anAmendedPeriodIsVerifiedAgainAtAnyAge() {
    settle();
    nightlyVerification.verifyIfDue();
    world.pass(Duration.ofDays(30));
    nightlyVerification.verifyIfDue();
    world.pass(Duration.ofDays(1));
    assertThat(nightlyVerification.verifyIfDue().orElseThrow().periods()).isZero();
    servers.unguarded(
        () ->
            servers.sql("update revision set posted_at = ?", world.now().atOffset(ZoneOffset.UTC)));
    world.pass(Duration.ofDays(1));
    assertThat(nightlyVerification.verifyIfDue().orElseThrow().periods()).isOne();
  }

  @Test
  void manyProcessesVerifyANightOnce() throws Exception {
    settle();
    int processes = 6;
    var together = new CyclicBarrier(processes);
    var runs =
        IntStream.range(0, processes)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> process(together)))
            .toList();
    long verified = 0;
    for (CompletableFuture<Optional<NightlyResult>> run : runs) {
      verified += run.get(30, TimeUnit.SECONDS).isPresent() ? 1 : 0;
    }
    assertThat(verified).isOne();
    assertThat(nightlyVerification.latest(null, 5)).hasSize(1);
  }

  private Optional<NightlyResult> process(CyclicBarrier together) {
    try {
      together.await(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return new NightlyVerification(
            verification,
            outbox,
            jdbc,
            transaction,
            new NightlyVerification.Settings("03:30", 7),
            clock)
        .verifyIfDue();
  }

  private Period settle() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    return world.settle(day);
  }
}
