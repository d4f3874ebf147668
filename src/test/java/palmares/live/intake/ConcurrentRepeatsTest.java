package palmares.live.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An event counts once, even if many writers send it many times and Redis loses scripts. */
@WorldTest
class ConcurrentRepeatsTest {
  private static final int WRITERS = 16;
  private static final int EVENTS = 400;
  private static final long SEED = 7;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void sixteenWritersOfTheSameEventsCountEachOnce(Durability durability) throws Exception {
    Board board = world.board(Rules.day().with("durability: " + durability.word()));
    List<Fact> facts = facts();
    var writers = Executors.newFixedThreadPool(WRITERS);
    try {
      var start = new CyclicBarrier(WRITERS);
      var writing = new ArrayList<Future<Long>>();
      for (int writer = 0; writer < WRITERS; writer++) {
        writing.add(writers.submit(write(facts, new Random(SEED + writer), start)));
      }
      long applied = 0;
      for (Future<Long> written : writing) {
        applied += written.get();
      }
      assertThat(applied).as("seed %d", SEED).isEqualTo(EVENTS);
    } finally {
      writers.shutdownNow();
    }
    Period period = world.open(board);
    assertThat(records.live(period).stream().mapToLong(line -> line.points()).sum())
        .as("seed %d", SEED)
        .isEqualTo(facts.stream().mapToLong(Fact::quantity).sum());
    world.settle(period);
    assertThat(records.verify().clean()).isTrue();
  }

  private Callable<Long> write(List<Fact> facts, Random random, CyclicBarrier start) {
    var shuffled = new ArrayList<>(facts);
    Collections.shuffle(shuffled, random);
    return () -> {
      start.await();
      long applied = 0;
      for (int i = 0; i < EVENTS; i += 50) {
        if (random.nextInt(10) == 0) {
          forgetScripts();
        }
        applied +=
            world.take(shuffled.subList(i, i + 50)).stream()
                .filter(outcome -> outcome.kind() == Kind.APPLIED)
                .count();
      }
      return applied;
    };
  }

  private static List<Fact> facts() {
    var facts = new ArrayList<Fact>();
    for (int i = 0; i < EVENTS; i++) {
      facts.add(Fact.by("m" + i % 30).does("coin").on("s" + i).times(1 + i % 5));
    }
    return facts;
  }

  @Test
  void flushedScriptsAreLoadedAgainDuringABatch() {
    Period period = world.open(world.board(Rules.day()));
    world.take(Fact.by("ann"));
    forgetScripts();
    assertThat(world.take(List.of(Fact.by("ann"), Fact.by("bob"), Fact.by("ann"))))
        .allMatch(outcome -> outcome.kind() == Kind.APPLIED);
    forgetScripts();
    assertThat(records.points(period, "ann")).isEqualTo(3);
    forgetScripts();
    world.settle(period);
  }

  private void forgetScripts() {
    servers.redis(
        connection -> {
          connection.scriptingCommands().scriptFlush();
          return true;
        });
  }
}
