package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.Period;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** If Redis is out of memory, it applies an event atomically or not at all. */
@WorldTest
class FullRedisTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  private Fact held;

  @BeforeEach
  void somethingToTakeBack() {
    held = Fact.by("ann").on("post");
  }

  @AfterEach
  void roomAgain() {
    memory("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"layout: packed", "layout: wide", "ranks: dense", "tiebreak: arrival"})
  void anEventIsAppliedAtomicallyAndCountsWhenSentAgain(String kind) {
    Period day = open(kind);
    LiveContent before = LiveContent.of(servers, day);
    List<Fact> batch = List.of(Fact.by("bob"), held.undone(), Fact.by("ann").on("other"));
    memory("1mb");
    assertFull(batch);
    batch.forEach(fact -> assertFull(List.of(fact)));
    assertThat(LiveContent.of(servers, day)).isEqualTo(before);

    memory("0");
    assertThat(world.take(batch).stream().map(EventOutcome::kind))
        .containsExactly(Kind.APPLIED, Kind.UNDONE, Kind.APPLIED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"layout: packed", "layout: wide"})
  void aPeriodClosesAlthoughRedisIsOutOfMemory(String kind) {
    Period day = open(kind);
    memory("1mb");
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  private Period open(String kind) {
    Rules rules = Rules.day().with(kind);
    Period day =
        world.open(
            world.board(kind.startsWith("tiebreak") ? rules.with("max-events: 1000") : rules));
    world.take(List.of(held, Fact.by("ann").does("coin").times(7)));
    return day;
  }

  private void assertFull(List<Fact> facts) {
    assertThatThrownBy(() -> world.take(facts))
        .isInstanceOfSatisfying(
            RedisUnavailable.class, e -> assertThat(e.reason()).isEqualTo(Reason.OUT_OF_MEMORY));
  }

  private void memory(String most) {
    servers.redis(
        connection -> {
          connection.serverCommands().setConfig("maxmemory", most);
          return true;
        });
  }
}
