package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import palmares.live.journal.Journal;
import palmares.live.relay.RelayAttempts;
import palmares.operations.monitoring.HeartbeatRound.PermitLoop;
import palmares.operations.monitoring.InstallationHealth.Part;
import palmares.operations.monitoring.InstallationHealth.Trouble;
import palmares.period.Period;
import palmares.platform.infra.WorkPermit;
import palmares.platform.infra.WorkPermit.WorkSuspended;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.Sweep;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.OwnDatabase;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * Two copies of a database, whose servers use the same live boards: the original was cut off for
 * more than a minute, so that a restored copy took over.
 */
@WorldTest
class TwinTest {
  private static final String SERVED_BY = "palmares:served-by";
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private WorkPermit permit;
  @Autowired private InstallationHealth health;
  @Autowired private Journal journal;
  @Autowired private RelayAttempts relay;
  @Autowired private Sweep sweep;
  @Autowired private JdbcClient jdbc;
  @Autowired private StringRedisTemplate redis;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private ApplicationContext tests;

  @AfterEach
  void theOriginalServesAgain() {
    redis.delete(SERVED_BY);
    world.pass(A_MINUTE);
    permit.renew();
  }

  /** A copy of the database of this context, as far as the installation goes. */
  private Elsewhere copy() {
    Map<String, String> settings = OwnDatabase.create(tests);
    String url = Objects.requireNonNull(settings.remove("spring.datasource.url"));
    String user = Objects.requireNonNull(settings.remove("spring.datasource.username"));
    String password = Objects.requireNonNull(settings.remove("spring.datasource.password"));
    settings.remove("palmares.infra");
    settings.remove("spring.data.redis.database");
    String installation = jdbc.sql("select id from installation").query(String.class).single();
    JdbcClient.create(new DriverManagerDataSource(url, user, password))
        .sql("update palmares.installation set id = ?::uuid")
        .param(installation)
        .update();
    var arguments = new ArrayList<String>();
    settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
    return Elsewhere.on(
        new JdbcConnectionDetails() {
          @Override
          public String getUsername() {
            return user;
          }

          @Override
          public String getPassword() {
            return password;
          }

          @Override
          public String getJdbcUrl() {
            return url;
          }
        },
        arguments.toArray(String[]::new));
  }

  @Test
  void anOriginalThatWasPausedPaysNobodyAfterACopyTookOver() throws IOException {
    redis.delete(SERVED_BY);
    try (Elsewhere copy = copy()) {
      World its = copy.begin(world.now());
      Board board = world.board(Contest.rules());
      Period day = world.open(board);
      List<Fact> facts = Contest.facts();
      world.take(facts);
      permit.renew();

      // Nothing of the copy works as long as the original serves.
      its.edit(board, Contest.rules());
      assertThatThrownBy(() -> its.take(facts)).isInstanceOf(WorkSuspended.class);
      assertThat(work(copy)).isEqualTo(Status.DOWN);

      // Redis may have lost it, and what the original was granted still holds.
      redis.delete(SERVED_BY);
      assertThatThrownBy(copy.get(WorkPermit.class)::renew).isInstanceOf(WorkSuspended.class);
      its.pass(A_MINUTE);
      copy.get(WorkPermit.class).renew();
      assertThat(work(copy)).isEqualTo(Status.UP);
      Period itsDay = its.open(board);
      its.take(facts);
      its.settle(itsDay);
      assertThat(copy.get(Records.class).paid(itsDay)).isEqualTo(Contest.PAID);

      Instant found = world.now();
      PermitLoop.renew(permit);
      assertStopped(day);
      assertNamed(found);

      redis.delete(SERVED_BY); // The copy has ended.
      world.pass(A_MINUTE);
      permit.renew();
      assertThat(health.troubles()).extracting(Trouble::part).doesNotContain(Part.WORK);
      world.take(facts);
    }
  }

  private void assertStopped(Period day) {
    assertThatThrownBy(() -> world.take(Contest.facts())).isInstanceOf(WorkSuspended.class);
    assertThatThrownBy(() -> world.settle(day)).isInstanceOf(WorkSuspended.class);
    assertThatThrownBy(() -> journal.drain(day)).isInstanceOf(WorkSuspended.class);
    assertThatThrownBy(sweep::run).isInstanceOf(WorkSuspended.class);
    assertThat(relay.relayNow(List.of(day.id()))).as("no outage of Redis").isTrue();
    assertThat(records.number("select count(*) from event")).isZero();
    assertThat(records.paid(day)).isEmpty();
  }

  private void assertNamed(Instant since) {
    assertThat(status(tests.getBean("workHealthIndicator", HealthIndicator.class)))
        .isEqualTo(Status.DOWN);
    Trouble trouble =
        health.troubles().stream()
            .filter(found -> found.part() == Part.WORK)
            .findFirst()
            .orElseThrow();
    assertThat(trouble.since()).isEqualTo(since);
    assertThat(Texts.english(trouble.said()))
        .contains("closes and delivers nothing", "another copy of this database", "stop that");
    assertThat(Texts.in(Locale.CHINESE).of(trouble.said())).contains("不结算", "另一副本");
  }

  private static Status work(Elsewhere server) {
    return status(server.get("workHealthIndicator", HealthIndicator.class));
  }

  private static Status status(HealthIndicator indicator) {
    return Objects.requireNonNull(indicator.health()).getStatus();
  }
}
