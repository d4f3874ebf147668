package palmares.live.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveBoards;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Sixty-four clients invite, like and unlike the same members while the period is sealed. */
@WorldTest
class ConcurrentClientsTest {
  private static final int CLIENTS = 64;
  private static final int EACH = 30;
  private static final List<String> MEMBERS = List.of("ann", "bob", "eve");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private LiveBoards live;

  @ParameterizedTest
  @ValueSource(strings = {"layout: packed", "layout: wide", "tiebreak: arrival"})
  void everyAcknowledgedEventCountsOnceAndNoneIsLostOrDoubled(String layout) throws Exception {
    Board board =
        world.board(
            Rules.day()
                .with(layout)
                .with("actions:\n  invite: 100\n  like: { points: 1, undo: true }"));
    Period period = world.open(board);
    world.take(Fact.by("ann").does("invite").on("first"));
    Map<String, Long> counted = new ConcurrentHashMap<>(Map.of("ann", 100L));
    var midway = new CountDownLatch(CLIENTS * EACH / 2);
    var clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      var start = new CyclicBarrier(CLIENTS);
      var sending = new ArrayList<Future<?>>();
      for (int client = 0; client < CLIENTS; client++) {
        var chance = new Random(client);
        sending.add(
            clients.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < EACH; i++) {
                    send(fact(chance), counted);
                    midway.countDown();
                  }
                  return null;
                }));
      }
      midway.await();
      live.seal(period);
      for (Future<?> client : sending) {
        client.get();
      }
    } finally {
      clients.shutdownNow();
    }

    world.settle(period);
    counted.values().removeIf(points -> points == 0);
    assertThat(
            records.published(period).stream()
                .filter(line -> line.points() > 0)
                .collect(Collectors.toMap(Line::member, Line::points)))
        .isEqualTo(counted);
    assertThat(records.verify().named()).isEmpty();
  }

  /** Sends an event twice; the second answer must repeat the first. */
  private void send(Fact fact, Map<String, Long> counted) {
    EventOutcome.OnBoard first = world.take(fact).boards().get(0);
    EventOutcome.OnBoard again = world.take(fact).boards().get(0);
    assertThat(again.reason()).as("%s", fact).isEqualTo(first.reason());
    if (first.reason() == null) {
      assertThat(again.change()).isEqualTo(first.change());
      counted.merge(fact.member(), first.change(), Long::sum);
    }
  }

  private static Fact fact(Random chance) {
    Fact by = Fact.by(MEMBERS.get(chance.nextInt(MEMBERS.size())));
    return switch (chance.nextInt(4)) {
      case 0 -> by.does("invite").on("guest " + chance.nextInt(2000));
      case 1 -> by.on("post " + chance.nextInt(4)).undone();
      default -> by.on("post " + chance.nextInt(4));
    };
  }
}
