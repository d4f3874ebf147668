package palmares.operations.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveKeys;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.KeyStatus;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.closing.Expiry;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The report covers all keys in Redis, and only orphans are removed. */
@WorldTest
class MemoryReportTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private MemoryReport memory;
  @Autowired private Orphans orphans;
  @Autowired private Expiry expiry;
  @Autowired private DuePeriods duePeriods;

  private Period day;

  @BeforeEach
  void anOpenContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @Test
  void thePeriodsSizeAndRemovalTimeAreReported() {
    assertThat(held().status()).isEqualTo(KeyStatus.IN_USE);
    assertThat(held().members()).isEqualTo(records.live(day).size());
    assertThat(held().bytes()).isPositive();
    assertThat(held().expiresAt()).isNull();

    world.settle(day);
    assertThat(held().status()).isEqualTo(KeyStatus.KEPT);
    assertThat(held().expiresAt()).isEqualTo(day.expiresAt());
    world.now(day.expiresAt());
    assertThat(held().status()).isEqualTo(KeyStatus.DUE);
    expiry.expire(duePeriods.expirableOnDemand());
    assertThat(memory.measure(null, 5).boards()).isEmpty();
  }

  @Test
  void theTotalIsTheSumOfAllKeys() {
    put("palmares:answer:{x}", "an answer");
    MemoryUse memoryUse = memory.measure(null, 0);
    assertThat(memoryUse.others())
        .extracting(MemoryUse.Other::name)
        .containsExactly("palmares:answer");
    assertThat(memoryUse.bytes()).isPositive().isLessThan(memoryUse.used());
    assertThat(memory.measure(new BoardId("another"), 5).boards()).isEmpty();
  }

  @Test
  void keysOfAnExpiredPeriodAreOrphansAndAreRemoved() {
    world.settle(day);
    world.now(day.expiresAt());
    expiry.expire(duePeriods.expirableOnDemand());
    put(LiveKeys.of(day).name("board"), "it came back");
    PeriodMemory orphan = held();
    assertThat(orphan.status()).isEqualTo(KeyStatus.ORPHAN);

    orphans.drop(orphan, "zoe", "an old file");
    assertThat(memory.measure(null, 5).boards()).isEmpty();
    assertThat(records.words("select by || ' ' || verb || ' ' || reason from audit_entry"))
        .containsExactly("zoe drop-orphans an old file");
  }

  @Test
  void keysOfAnUnknownPeriodAreOrphans() {
    var keys = new LiveKeys(new BoardId("elsewhere"), new PeriodName("2026-11-20"));
    put(keys.name("meta"), "?");
    PeriodMemory unknown =
        memory.measure(new BoardId("elsewhere"), 5).boards().stream().findFirst().orElseThrow();
    assertThat(unknown.status()).isEqualTo(KeyStatus.UNKNOWN);
    assertThat(unknown.period()).isEqualTo(new PeriodName("2026-11-20"));
    orphans.drop(unknown, "zoe", "a test's");
    assertThat(memory.measure(new BoardId("elsewhere"), 5).boards()).isEmpty();
  }

  @Test
  void nothingElseIsRemoved() {
    PeriodMemory open = held();
    assertThatThrownBy(() -> orphans.drop(open, "zoe", "why not"))
        .hasMessageContaining("are no orphans");
    var guess =
        new PeriodMemory(
            day.board(),
            day.name(),
            null,
            1,
            1,
            1,
            null,
            new MemorySentences.Fate(KeyStatus.UNKNOWN)); // as seen before it opened
    assertThatThrownBy(() -> orphans.drop(guess, "zoe", "why not"))
        .hasMessageContaining("are no orphans");
    assertThat(records.live(day)).isNotEmpty();
    assertThat(records.words("select reason from audit_entry")).isEmpty();
    assertThat(world.take(Fact.by("ann").does("like").on("this")).kind().name())
        .isEqualTo("APPLIED");
  }

  @Test
  void keysWithASimilarNameAreNoBoards() {
    put(LiveKeys.of(day).name("mine"), "somebody's");
    assertThat(memory.measure(null, 5).others())
        .extracting(MemoryUse.Other::name)
        .containsExactly("palmares:{" + day.board());
  }

  private PeriodMemory held() {
    return memory.measure(day.board(), 5).boards().stream().findFirst().orElseThrow();
  }

  private void put(String key, String value) {
    var entry = Map.of(key.getBytes(UTF_8), value.getBytes(UTF_8));
    servers.redis(connection -> Objects.requireNonNull(connection.stringCommands().mSet(entry)));
  }
}
