package palmares.live.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.InviteCredits;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** While Redis hangs, callers that need only PostgreSQL do not wait for it. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HangingRedisTest {
  private static final int CONNECTIONS = 6;

  @Autowired private World here;
  @Autowired private Records records;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private Elsewhere elsewhere;
  private World world;
  private Board board;
  private Period week;

  @BeforeAll
  void anotherProcess() throws IOException {
    elsewhere =
        Elsewhere.start(
            postgres,
            redis,
            "--palmares.live.answer-timeout=10s",
            "--palmares.relay.answer-within=100ms",
            "--spring.datasource.hikari.maximum-pool-size=" + CONNECTIONS,
            "--spring.datasource.hikari.connection-timeout=500");
  }

  @AfterAll
  void stop() throws IOException {
    elsewhere.close();
  }

  @BeforeEach
  void aCommittedBoardThatCountsInvites() {
    world = elsewhere.begin(here.now());
    board =
        world.board(
            Rules.of("week")
                .with("durability: committed")
                .with("actions: { invite: 100, coin: 1 }")
                .with("invites: { action: invite }"));
    week = world.open(board);
    awaitRedis();
  }

  private void awaitRedis() {
    await().until(() -> world.take(Fact.by("eve").does("coin")).kind() == Kind.APPLIED);
  }

  @AfterEach
  void resume() {
    elsewhere.resumeRedis();
  }

  @Test
  void aRegistrationIsRoutedWithoutRedisIfTheLiveBoardDoesNotExistYet() {
    Board fast = world.board(Rules.of("week").with("actions: { invite: 100 }"));
    elsewhere.stallRedis();
    var credits =
        elsewhere
            .get(InviteCredits.class)
            .route(Fact.by("ann").does("invite").on("bob").event())
            .credits();
    assertThat(credits).hasSize(2);
    assertThat(
            records.words(
                "select concat(live_intended_at is null) from period where board = ?",
                fast.id().value()))
        .containsExactly("t");
  }

  @Test
  void aCommitIsAnsweredBeforeTheTimeoutOfRedis(CapturedOutput log) {
    Members members = elsewhere.get(Members.class);
    var ann = new Registration(new ExternalId("1"), "Ann", null, new MemberId("ann"));
    String code = members.register(ann).profile().inviteCode().value();
    elsewhere.stallRedis();
    for (int i = 0; i < 5; i++) {
      assertThat(world.take(Fact.by("ann").does("coin")).kind()).isEqualTo(Kind.ACCEPTED);
    }
    assertThat(members.register(new Registration(new ExternalId("2"), "Bob", code, null)).isNew())
        .isTrue();
    assertThat(log).doesNotContain("committed events not relayed");
    elsewhere.resumeRedis();
    awaitRedis();
    assertThat(records.points(week, "ann")).isEqualTo(5 + 100);
  }

  @Test
  void creatingLiveBoardsKeepsNoConnectionToPostgres() throws Exception {
    Board fast = world.board(Rules.day().with("actions: { like: 1 }"));
    world.open(fast);
    int callers = 3 * CONNECTIONS;
    var threads = Executors.newFixedThreadPool(callers);
    var begun = new CountDownLatch(callers);
    int others = connectionsInUse();
    var taking = new ArrayList<Future<Kind>>();
    elsewhere.stallRedis();
    for (int i = 0; i < callers; i++) {
      taking.add(
          threads.submit(
              () -> {
                begun.countDown();
                return world.take(Fact.by("ann").to(fast)).kind();
              }));
    }
    begun.await();
    await().until(() -> connectionsInUse() <= others);
    assertThat(world.take(Fact.by("ann").does("coin")).kind()).isEqualTo(Kind.ACCEPTED);
    elsewhere.resumeRedis();
    for (Future<Kind> taken : taking) {
      assertThat(taken.get()).isEqualTo(Kind.APPLIED);
    }
    threads.shutdown();
  }

  private int connectionsInUse() throws SQLException {
    HikariDataSource pool = elsewhere.get(DataSource.class).unwrap(HikariDataSource.class);
    return Objects.requireNonNull(pool.getHikariPoolMXBean()).getActiveConnections();
  }
}
