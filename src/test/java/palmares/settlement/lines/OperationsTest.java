package palmares.settlement.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Model;
import palmares.testing.RandomFacts;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * Random operations on boards of every kind, compared with a model in plain Java after each. {@code
 * ./mvnw test -Dtest=OperationsTest -Dtests.operations=1000000 -Dtests.seed=7} runs as many as one
 * likes; a seed that failed is in the message, and fails again.
 */
@WorldTest
class OperationsTest {
  private static final int OPERATIONS = Integer.getInteger("tests.operations", 4_000);
  private static final long SEED = Long.getLong("tests.seed", 1_000_000L);
  private static final int A_BOARD = 200;

  @Autowired private World world;
  @Autowired private Records records;

  @Test
  void afterEachOperationTheLiveBoardEqualsTheModel() {
    for (int done = 0; done < OPERATIONS; done += A_BOARD) {
      play(SEED + done / A_BOARD, Math.min(A_BOARD, OPERATIONS - done));
    }
  }

  private void play(long seed, int operations) {
    var chance = new RandomFacts(seed);
    RankMethod ranks = RankMethod.values()[(int) (seed % 3)];
    Board board = world.board(chance.rules().with("ranks: " + ranks.word()));
    world.now(World.START);
    Period period = world.open(board);
    Model model = chance.model();
    world.now(period.slot().endsAt());
    for (int done = 0; done < operations; ) {
      for (Fact drawn : chance.facts(period.slot(), operations - done)) {
        Fact fact = drawn.to(board);
        String what = "seed %d, %s: %s".formatted(seed, chance, fact);
        long before = model.points(fact.member());
        EventOutcome outcome = world.take(fact);
        assertThat(RandomFacts.word(outcome)).as(what).isEqualTo(model.apply(fact));
        if (outcome.kind() == Kind.APPLIED || outcome.kind() == Kind.UNDONE) {
          long after = model.points(fact.member());
          assertThat(outcome.boards())
              .as(what)
              .extracting(OnBoard::change, OnBoard::points)
              .containsExactly(tuple(after - before, after));
        }
        List<Line> lines = model.lines(ranks);
        assertThat(records.live(period))
            .as(what)
            .isEqualTo(chance.arrivals() ? lines.stream().map(Line::untimed).toList() : lines);
        done++;
      }
    }
  }
}
