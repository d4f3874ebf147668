package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.RedisConnection;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Keys of any size are deleted without blocking Redis, and nobody reads a partly deleted key. */
@WorldTest
class KeyRemovalTest {
  private static final int ENTRIES = 300_000;
  private static final int PAGE = 10_000;

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
    servers.redis(
        connection -> {
          for (int from = 0; from < ENTRIES; from += PAGE) {
            fill(connection, from);
          }
          return true;
        });
  }

  private void fill(RedisConnection connection, int from) {
    connection.openPipeline();
    Map<byte[], byte[]> fields = new HashMap<>();
    for (int i = from; i < from + PAGE; i++) {
      byte[] name = ("m" + i).getBytes(UTF_8);
      fields.put(name, name);
      connection.zSetCommands().zAdd(keys.lines(), i, name);
      connection.streamCommands().xAdd(keys.journal(), Map.of(name, name));
    }
    connection.hashCommands().hMSet(keys.ids(), fields);
    connection.closePipeline();
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
