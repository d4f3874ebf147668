package palmares.bench.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.bench.Watcher;
import palmares.bench.close.ClosingBench;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.testing.LiveContent;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What is loaded past the application is what the application would have made of the events. */
@WorldTest
class SeedingTest {
  private static final int MEMBERS = 3_000;
  private static final long SEED = 7;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Rebuild rebuild;
  @Autowired private ApplicationContext context;
  @Autowired private SettableClock clock;

  private Seeding seeding;

  @BeforeEach
  void makeTheBoard() {
    Board board = world.board(ClosingBench.board().text());
    seeding = new Seeding(context::getBean, board, clock, new Unwatched());
  }

  @Test
  void aSeededBoardIsTheOneThatTheScriptMakesOfItsJournal() {
    Ground ground = seed(1);
    LiveContent seeded = LiveContent.of(servers, ground.period());
    assertThat(seeded.keys()).containsOnlyKeys("board", "ids", "meta");
    servers.flush();
    assertThat(rebuild.run(ground.period().id(), Present.REFUSE, done -> {})).isPresent();
    assertThat(LiveContent.of(servers, ground.period())).isEqualTo(seeded);
  }

  @Test
  void eachDayOfACrowdClosesAndVerifies() {
    for (int day = 1; day <= 2; day++) {
      Period settled = world.settle(seed(day).period());
      assertThat(Objects.requireNonNull(settled.population()).members()).isEqualTo(MEMBERS);
    }
    assertThat(records.verify().named()).isEmpty();
  }

  private Ground seed(int day) {
    return seeding.day(new Crowd(MEMBERS, SEED, day));
  }

  private static final class Unwatched implements Watcher {
    @Override
    public Task begin(String task, long total) {
      return new Task() {
        @Override
        public void at(long done) {}

        @Override
        public void close() {}
      };
    }

    @Override
    public void say(String line) {}
  }
}
