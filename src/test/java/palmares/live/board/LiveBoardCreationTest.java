package palmares.live.board;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
class LiveBoardCreationTest {
  private static final int DEADLOCKED_SECONDS = 20;

  @Autowired private World world;
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
