package palmares.settlement.reward;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import palmares.testing.FaultJournal;
import palmares.testing.Seeds;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * From the first event to the last amendment, the periods of a board are what a model in plain Java
 * says, which knows what was written into the board's file and shares no code with the product. A
 * history that differs is cut down to what it takes. {@code -Dtests.history-seed=N} replays one.
 */
@WorldTest
class WholeHistoryTest {
  /** Seeds beyond this one are a campaign's, which is continued and written down. */
  private static final int FEW = 4;

  @Autowired private AutowireCapableBeanFactory beans;
  @Autowired private World world;

  static LongStream seeds() {
    Long only = Long.getLong("tests.history-seed");
    LongStream all = only == null ? Seeds.from1To(FEW) : LongStream.of(only);
    FaultJournal journal = journal();
    return all.filter(seed -> !isCampaign() || !journal.isKept("seed " + seed));
  }

  private static FaultJournal journal() {
    return new FaultJournal("whole-histories", "differential histories", 1);
  }

  private static boolean isCampaign() {
    return Integer.getInteger("tests.seeds", 0) > FEW && Long.getLong("tests.history-seed") == null;
  }

  @ParameterizedTest(name = "seed {0}", allowZeroInvocations = true)
  @MethodSource("seeds")
  void aWholeHistoryIsWhatTheModelSays(long seed) {
    if (isCampaign()) {
      History history = RandomHistory.of(seed);
      journal().run("seed " + seed, history.events(), () -> play(history));
    } else {
      play(RandomHistory.of(seed));
    }
  }

  private long play(History history) {
    try {
      return played(history);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          e.getMessage() + "\nsmallest: " + history.smallest(this::differs), e);
    }
  }

  private long played(History history) {
    var comparison = new HistoryComparison();
    beans.autowireBean(comparison);
    var play = new HistoryPlay(history, comparison, world);
    beans.autowireBean(play);
    return play.play();
  }

  private boolean differs(History history) {
    try {
      played(history);
      return false;
    } catch (AssertionError | RuntimeException e) {
      return true;
    }
  }
}
