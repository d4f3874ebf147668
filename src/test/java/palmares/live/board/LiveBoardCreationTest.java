package palmares.live.board;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.platform.redis.RedisClient;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
class LiveBoardCreationTest {
  private static final int DEADLOCKED_SECONDS = 20;
  private static final MemberId ANN = new MemberId("ann");

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private RedisClient redis;
  @Autowired private LiveBoardCreation starts;
  @Autowired private LiveBoards live;
  @Autowired private LiveBoardMarks marks;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcClient jdbc;

  /** The first events of a period come while those before them are drained. */
  @Test
  void aLiveBoardIsCreatedWhileAnotherTransactionWritesRowsOfThePeriod() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    transaction.executeWithoutResult(
        drain -> {
          // What a foreign key holds of the row that it points to.
          jdbc.sql("select id from period where id = :id for key share")
              .param("id", day.id().value())
              .query(Long.class)
              .single();
          assertThat(CompletableFuture.supplyAsync(() -> starts.start(day, board)))
              .succeedsWithin(DEADLOCKED_SECONDS, SECONDS)
              .isEqualTo(true);
        });
  }

  /** A countdown is the end of the period less the time of the answer: both by one clock. */
  @Test
  void anAnswerHasTheTimeOfRedisButInASandboxThatOfTheSandbox() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    world.take(Fact.by("ann"));
    Instant before = redisTime();
    LivePage page = new LiveQueries(redis, Clock.systemUTC()).top(day, board, 1).orElseThrow();
    assertThat(page.asOf()).isBetween(before, redisTime());
    var moved = new SettableClock(Instant.parse("2031-05-06T07:08:09.123456789Z"));
    assertThat(new LiveQueries(redis, moved).top(day, board, 1).orElseThrow().asOf())
        .isEqualTo("2031-05-06T07:08:09.123456Z");
    assertThat(new LiveQueries(redis, moved).find(day, board, List.of(ANN)).orElseThrow().asOf())
        .isEqualTo("2031-05-06T07:08:09.123456Z");
  }

  private Instant redisTime() {
    Long micros =
        servers.redis(connection -> connection.serverCommands().time(TimeUnit.MICROSECONDS));
    return Instant.EPOCH.plus(Objects.requireNonNull(micros), ChronoUnit.MICROS);
  }

  @Test
  void theNextEventOpensABoardWhoseCreatorDiedAfterTheMark() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    live.create(day, board);
    assertThat(marks.markCreated(day.id())).isTrue();
    assertThat(world.take(Fact.by("ann")).kind()).isEqualTo(Kind.APPLIED);
  }

  @Test
  void aBoardWithoutAMarkTakesNoEvent() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    live.create(day, board);
    BoardChange change =
        BoardChange.again(
            LiveKeys.of(day),
            new LiveEntry(
                1, "e", "ann", "like", null, Verdict.APPLIED, 1, 1, null, 0, "", World.START),
            board);
    assertThat(live.apply(List.of(change)))
        .extracting(Decision::verdict)
        .containsExactly(Verdict.MISSING);
  }

  @Test
  void aBoardIsNeverCreatedInATransaction() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    assertThatThrownBy(() -> transaction.execute(status -> starts.start(day, board)))
        .hasMessageContaining("must not be created in a transaction");
    assertThat(live.exists(day)).isFalse();
  }
}
