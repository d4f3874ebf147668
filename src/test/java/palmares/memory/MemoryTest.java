package palmares.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;
import palmares.closing.Sweep;
import palmares.memory.Held.Fate;
import palmares.period.Agenda;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What Redis holds is told whole, and only what belongs to nobody is ever removed. */
@WorldTest
class MemoryTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Memory memory;
  @Autowired private Orphans orphans;
  @Autowired private Sweep sweep;
  @Autowired private Agenda agenda;

  private Period day;

  @BeforeEach
  void anOpenContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @Test
  void itTellsWhatAPeriodTakesAndWhenItLeaves() {
    assertThat(held().fate()).isEqualTo(Fate.IN_USE);
    assertThat(held().members()).isEqualTo(records.live(day).size());
    assertThat(held().bytes()).isPositive();
    assertThat(held().leavesAt()).isNull();

    world.settle(day);
    assertThat(held().fate()).isEqualTo(Fate.KEPT);
    assertThat(held().leavesAt()).isEqualTo(day.expiresAt());
    world.now(day.expiresAt());
    assertThat(held().fate()).isEqualTo(Fate.DUE);
    sweep.expire(agenda.expirableOnDemand(), done -> {});
    assertThat(memory.look(null, 5).boards()).isEmpty();
  }

  @Test
  void theSumIsThatOfItsKeys() {
    put("palmares:answer:{x}", "an answer");
    Holdings holdings = memory.look(null, 0);
    assertThat(holdings.others())
        .extracting(Holdings.Other::name)
        .containsExactly("palmares:answer");
    assertThat(holdings.bytes()).isPositive().isLessThan(holdings.used());
    assertThat(memory.look(new BoardId("another"), 5).boards()).isEmpty();
  }

  @Test
  void keysOfAnExpiredPeriodAreOrphansAndGo() {
    world.settle(day);
    world.now(day.expiresAt());
    sweep.expire(agenda.expirableOnDemand(), done -> {});
    put("palmares:{%s:%s}:board".formatted(day.board(), day.name()), "it came back");
    Held orphan = held();
    assertThat(orphan.fate()).isEqualTo(Fate.ORPHAN);

    orphans.drop(orphan, "zoe", "an old file");
    assertThat(memory.look(null, 5).boards()).isEmpty();
    assertThat(records.words("select by || ' ' || verb || ' ' || reason from act"))
        .containsExactly("zoe drop-orphans an old file");
  }

  @Test
  void keysOfAnUnknownPeriodAreOrphansOfAnotherKind() {
    put("palmares:{elsewhere:2026-11-20}:meta", "?");
    Held unknown =
        memory.look(new BoardId("elsewhere"), 5).boards().stream().findFirst().orElseThrow();
    assertThat(unknown.fate()).isEqualTo(Fate.UNKNOWN);
    assertThat(unknown.period()).isEqualTo(new PeriodName("2026-11-20"));
    orphans.drop(unknown, "zoe", "a test's");
    assertThat(memory.look(new BoardId("elsewhere"), 5).boards()).isEmpty();
  }

  @Test
  void nothingElseIsEverRemoved() {
    Held open = held();
    assertThatThrownBy(() -> orphans.drop(open, "zoe", "why not"))
        .hasMessageContaining("are no orphans");
    var guess =
        new Held(
            day.board(), day.name(), null, 1, 1, 1, Fate.UNKNOWN, null); // as seen before it opened
    assertThatThrownBy(() -> orphans.drop(guess, "zoe", "why not"))
        .hasMessageContaining("are no orphans");
    assertThat(records.live(day)).isNotEmpty();
    assertThat(records.words("select reason from act")).isEmpty();
    assertThat(world.take(Fact.by("ann").does("like").on("this")).kind().name())
        .isEqualTo("APPLIED");
  }

  @Test
  void keysThatOnlyLookLikeOursAreNoBoards() {
    put("palmares:{%s:%s}:mine".formatted(day.board(), day.name()), "somebody's");
    assertThat(memory.look(null, 5).others())
        .extracting(Holdings.Other::name)
        .containsExactly("palmares:{" + day.board());
  }

  private Held held() {
    return memory.look(day.board(), 5).boards().stream().findFirst().orElseThrow();
  }

  private void put(String key, String value) {
    var entry = Map.of(key.getBytes(UTF_8), value.getBytes(UTF_8));
    servers.redis(connection -> Objects.requireNonNull(connection.stringCommands().mSet(entry)));
  }
}
