package palmares.settlement.closing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.RedisConnection;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveKeys;
import palmares.live.journal.Journal;
import palmares.live.journal.JournalGap;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** If Redis loses or changes data, nobody is paid, and the difference is named. */
@WorldTest
class LossTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Journal journal;
  @Autowired private LiveJournal live;

  Period day;

  @BeforeEach
  void aContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @Test
  void anEmptyRedisIsDetectedAndThePeriodStaysOpen() {
    servers.flush();
    assertStops("the live board of " + day.label() + " is gone");
    assertThat(world.again(day).state()).isEqualTo(PeriodState.OPEN);
  }

  @Test
  void aLostSortedSetIsDetected() {
    redis(connection -> connection.keyCommands().del(key("board")));
    assertStops("ann: the board has no entry, the journal says 200 points at 2026-11-20 10:");
  }

  @Test
  void aRaisedScoreIsDetectedAndItsMemberNamed() {
    redis(connection -> connection.zSetCommands().zIncrBy(key("board"), 1L << 27, bytes("dan")));
    assertStops("dan: the board says 2 points", "the journal 1 point at");
  }

  @Test
  void aMillisecondLessIsDetected() {
    redis(connection -> connection.zSetCommands().zIncrBy(key("board"), 1, bytes("dan")));
    assertStops("dan: the board says 1 point");
  }

  @Test
  void anExchangeOfPointsBetweenMembersIsDetected() {
    redis(connection -> connection.zSetCommands().zIncrBy(key("board"), 1L << 27, bytes("dan")));
    redis(connection -> connection.zSetCommands().zIncrBy(key("board"), -(1L << 27), bytes("ann")));
    assertStops("dan: the board says 2", "ann: the board says 199");
  }

  @Test
  void aMemberWithoutEventsIsDetected() {
    redis(connection -> connection.zSetCommands().zAdd(key("board"), 5, bytes("zoe")));
    assertStops("zoe: no event of the journal explains the entry on the board, with 0 points at");
  }

  @Test
  void aMissingMemberIsDetected() {
    redis(connection -> connection.zSetCommands().zRem(key("board"), bytes("bob")));
    assertStops("bob: the board has no entry, the journal says 100 points at");
  }

  @Test
  void aGapInTheJournalIsDetected() {
    servers.forgetEntry(day, 3);
    assertStops("goes on with event 4 where 3 should follow");
  }

  @Test
  void aLostEndOfTheJournalIsDetected() {
    servers.forgetEntry(day, 9);
    assertStops("ends with event 8, and its live board has decided 9");
  }

  @Test
  void aChangedTotalIsDetected() {
    redis(connection -> connection.hashCommands().hIncrBy(key("meta"), bytes("points"), 1));
    assertStops("sealed were 5 with 402");
  }

  @Test
  void aFailedClosingIsRetriedWithGrowingDelays() {
    servers.flush();
    for (int minutes : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      assertThat(world.close(day).outcome()).isEqualTo(Status.FAILED);
      world.pass(Duration.ofMinutes(minutes).minusNanos(1_000));
      assertThat(duePeriods.due()).as("within %d minutes", minutes).isEmpty();
      assertThat(duePeriods.dueOnDemand()).containsExactly(day.id());
      world.pass(Duration.ofNanos(1_000));
      assertThat(duePeriods.due()).as("after %d minutes", minutes).containsExactly(day.id());
    }
  }

  @Test
  void aBoardThatIsRestoredBeforeItsSealSettlesAndClearsTheFailure() {
    byte[] meta = redis(connection -> connection.keyCommands().dump(key("meta")));
    redis(connection -> connection.keyCommands().del(key("meta")));
    assertStops("is gone from Redis");
    redis(
        connection -> {
          connection.keyCommands().restore(key("meta"), 0, meta);
          return true;
        });
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.number("select count(*) from period where failure is not null")).isZero();
  }

  @Test
  void anOlderCopyOfRedisIsDetectedAlthoughItsNumbersContinue() {
    Map<String, byte[]> before = dumpAll();
    world.take(List.of(Fact.by("fay").on("a"), Fact.by("fay").on("b")));
    journal.drain(day);
    restoreAll(before);
    world.take(List.of(Fact.by("gus").on("a"), Fact.by("gus").on("b"), Fact.by("gus").on("c")));

    assertThatThrownBy(() -> journal.drain(day))
        .isInstanceOf(JournalGap.class)
        .hasMessageContaining("Redis went back to an earlier state");
    assertThat(live.from(day, 0, 10))
        .as("nothing of the evidence is dropped")
        .hasSizeGreaterThanOrEqualTo(3);
    assertStops("Redis went back to an earlier state");
  }

  private Map<String, byte[]> dumpAll() {
    var dumps = new LinkedHashMap<String, byte[]>();
    for (String part : List.of("meta", "board", "ids", "given", "journal")) {
      byte[] dump = redis(connection -> connection.keyCommands().dump(key(part)));
      if (dump != null) {
        dumps.put(part, dump);
      }
    }
    return dumps;
  }

  private void restoreAll(Map<String, byte[]> dumps) {
    dumps.forEach(
        (part, dump) ->
            redis(
                connection -> {
                  connection.keyCommands().restore(key(part), 0, dump, true);
                  return true;
                }));
  }

  private void assertStops(String... said) {
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome()).isEqualTo(Status.FAILED);
    assertThat(closed.text()).contains(said);
    assertThat(records.number("select count(*) from transfer")).isZero();
    assertThat(records.published(day)).isEmpty();
  }

  private <T> T redis(Function<RedisConnection, T> work) {
    return servers.redis(work);
  }

  private byte[] key(String part) {
    return bytes(LiveKeys.of(day).name(part));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
