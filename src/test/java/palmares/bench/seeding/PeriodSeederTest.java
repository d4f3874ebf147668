package palmares.bench.seeding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.bench.ProgressListener;
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

/** Loading a period leaves what the application would have made of its events. */
@WorldTest
class PeriodSeederTest {
  private static final int MEMBERS = 3_000;
  private static final long SEED = 7;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Rebuild rebuild;
  @Autowired private ApplicationContext context;
  @Autowired private SettableClock clock;

  private PeriodSeeder seeder;

  @BeforeEach
  void createBoard() {
    Board board = world.board(ClosingBench.board().text());
    seeder = new PeriodSeeder(context::getBean, board, clock, ProgressListener.NONE);
  }

  @Test
  void aLoadedBoardEqualsOneRebuiltFromItsJournal() {
    SeededPeriod seeded = seed(1);
    LiveContent loaded = LiveContent.of(servers, seeded.period());
    assertThat(loaded.keys()).containsOnlyKeys("board", "ids", "meta");
    servers.flush();
    assertThat(rebuild.run(seeded.period().id(), Present.REFUSE, null, () -> {}, done -> {}))
        .isPresent();
    assertThat(LiveContent.of(servers, seeded.period())).isEqualTo(loaded);
  }

  @Test
  void loadedPeriodsCloseAndPassVerification() {
    for (int day = 1; day <= 2; day++) {
      Period settled = world.settle(seed(day).period());
      assertThat(Objects.requireNonNull(settled.population()).members()).isEqualTo(MEMBERS);
    }
    assertThat(records.verify().named()).isEmpty();
  }

  private SeededPeriod seed(int day) {
    return seeder.ended(new Crowd(MEMBERS, SEED, day));
  }
}
