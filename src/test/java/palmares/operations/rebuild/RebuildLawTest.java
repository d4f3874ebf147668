package palmares.operations.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveExclusions;
import palmares.live.intake.EventOutcome;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.Model;
import palmares.testing.RandomFacts;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * Boards of every kind that are wiped during random operations and rebuilt are equal bit by bit.
 * {@code -Dtests.wipes=1000 -Dtests.seed=7} runs more.
 */
@WorldTest
class RebuildLawTest {
  private static final int WIPES = Integer.getInteger("tests.wipes", 15);
  private static final long SEED = Long.getLong("tests.seed", 2_000_000L);
  private static final int OPERATIONS = 200;
  private static final LongConsumer NO_WATCHER = done -> {};

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Rebuild rebuild;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions live;

  @Test
  void aWipedAndRebuiltBoardEqualsTheFormerOne() {
    for (int wipe = 0; wipe < WIPES; wipe++) {
      wipe(SEED + wipe);
    }
  }

  private void wipe(long seed) {
    var chance = new RandomFacts(seed);
    RankMethod ranks = RankMethod.values()[(int) (seed % 3)];
    Board board = world.board(chance.rules().with("ranks: " + ranks.word()));
    world.now(World.START);
    Period period = world.open(board);
    Model model = chance.model();
    world.now(period.slot().endsAt());
    String what = "seed %d, %s".formatted(seed, chance);

    play(chance, board, period, model, what);
    Set<String> excluded = exclude(board, seed);
    LiveContent before = LiveContent.of(servers, period);
    journal.drain(period);
    servers.flush();
    assertThat(rebuild.run(period.id(), Present.REFUSE, null, () -> {}, NO_WATCHER))
        .as(what)
        .isPresent();
    assertThat(LiveContent.of(servers, period)).as(what).isEqualTo(before);

    play(chance, board, period, model, what);
    assertThat(records.live(period).stream().map(line -> line.untimed()))
        .as(what)
        .isEqualTo(
            model.lines(ranks, member -> !excluded.contains(member)).stream()
                .map(line -> line.untimed())
                .toList());
    world.settle(period);
    assertThat(records.verify().named()).as(what).isEmpty();
  }

  /** Excludes some present or future members on every second board. */
  private Set<String> exclude(Board board, long seed) {
    var random = new Random(seed);
    var excluded = new HashSet<String>();
    for (String member : RandomFacts.members()) {
      if (seed % 2 == 0 && random.nextInt(3) == 0) {
        var terms = new Terms(new MemberId(member), ExclusionLevel.HIDDEN, board.id(), null, null);
        exclusions.exclude(terms, "a law", "test");
        excluded.add(member);
      }
    }
    live.updateAll();
    return excluded;
  }

  private void play(RandomFacts chance, Board board, Period period, Model model, String what) {
    for (int done = 0; done < OPERATIONS; ) {
      List<Fact> facts =
          chance.facts(period.slot(), OPERATIONS - done).stream()
              .map(fact -> fact.to(board))
              .toList();
      List<EventOutcome> outcomes = world.take(facts);
      assertThat(outcomes.stream().map(RandomFacts::word))
          .as(what)
          .isEqualTo(facts.stream().map(model::apply).toList());
      done += facts.size();
    }
  }
}
