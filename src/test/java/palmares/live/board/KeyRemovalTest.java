package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.ReturnType;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Keys of any size are deleted without blocking Redis, and nobody reads a partly deleted key. */
@WorldTest
class KeyRemovalTest {
  private static final int ENTRIES = 5_000;

  /** More than are deleted between two heartbeats. */
  private static final int MANY_ENTRIES = 120_000;

  private static final int PAGE = 5_000;

  /** In Redis, because a million commands from here would take most of the test's time. */
  private static final String FILL =
      """
      for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
        redis.call('zadd', KEYS[1], i, 'm' .. i)
        redis.call('hset', KEYS[2], 'm' .. i, 'm' .. i)
        redis.call('xadd', KEYS[3], '*', 'm' .. i, 'm' .. i)
      end
      return redis.call('zcard', KEYS[1])
      """;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private LiveBoards boards;
  @Autowired private KeyRemoval removal;

  private Period day;
  private LiveKeys keys;

  @BeforeEach
  void aBigBoard() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    keys = LiveKeys.of(day);
    fill(0, ENTRIES);
  }

  private void fill(int from, int until) {
    for (int next = from; next < until; next += PAGE) {
      fillPage(next, next + PAGE - 1);
    }
  }

  private void fillPage(int from, int to) {
    byte[][] arguments = {
      keys.lines(),
      keys.ids(),
      keys.journal(),
      ("" + from).getBytes(UTF_8),
      ("" + to).getBytes(UTF_8)
    };
    servers.redis(
        connection ->
            connection
                .scriptingCommands()
                .eval(FILL.getBytes(UTF_8), ReturnType.INTEGER, 3, arguments));
  }

  @Test
  void noCommandDeletesMoreThanASlice() {
    removal.markForDeletion(keys.everything());
    for (byte[] key : List.of(keys.lines(), keys.ids(), keys.journal())) {
      byte[] pending = KeyRemoval.pendingDeletion(key);
      var taken = new ArrayList<Long>();
      long before = entries(pending);
      assertThat(before).isGreaterThanOrEqualTo(ENTRIES);
      for (String cursor = "0"; !cursor.isEmpty(); ) {
        cursor = removal.deleteSlice(pending, cursor);
        long left = entries(pending);
        taken.add(before - left);
        before = left;
      }
      assertThat(taken).allMatch(slice -> slice <= KeyRemoval.SLICE_ENTRIES);
      assertThat(before).isZero();
    }
  }

  @Test
  void anInterruptedDeletionIsInvisibleAndTheNextCallContinuesIt() {
    fill(ENTRIES, MANY_ENTRIES);
    var pulses = new AtomicInteger();
    assertThatThrownBy(
            () ->
                boards.delete(
                    day,
                    () -> {
                      if (pulses.incrementAndGet() == 2) {
                        throw new IllegalStateException("killed");
                      }
                    }))
        .hasMessage("killed");
    assertThat(left()).isNotEmpty().allMatch(key -> key.endsWith(":pending-deletion"));
    assertThat(boards.exists(day)).isFalse();

    boards.delete(day, () -> {});
    assertThat(left()).isEmpty();
  }

  @Test
  void keysWrittenDuringADeletionAreDeletedToo() {
    removal.markForDeletion(keys.everything());
    boards.create(day, world.board(Contest.rules()));
    assertThat(left()).hasSizeGreaterThan(3);
    boards.delete(day, () -> {});
    assertThat(left()).isEmpty();
  }

  private long entries(byte[] key) {
    return servers.redis(
        connection ->
            switch (Objects.requireNonNull(connection.keyCommands().type(key))) {
              case ZSET -> connection.zSetCommands().zCard(key);
              case HASH -> connection.hashCommands().hLen(key);
              case STREAM -> connection.streamCommands().xLen(key);
              default -> 0L;
            });
  }

  private List<String> left() {
    byte[] pattern = "palmares:{%s:*".formatted(day.board()).getBytes(UTF_8);
    return servers.redis(
        connection ->
            Objects.requireNonNull(connection.keyCommands().keys(pattern)).stream()
                .map(key -> new String(key, UTF_8))
                .toList());
  }
}
