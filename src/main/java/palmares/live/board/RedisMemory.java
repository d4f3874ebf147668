package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** What Redis holds, key by key: looked at page by page, so that it serves others in between. */
@Component
public class RedisMemory {
  private static final int PAGE = 1_000;

  private final RedisClient redis;
  private final KeyScan pages;
  private final KeyRemoval removal;

  RedisMemory(RedisClient redis, KeyScan pages, KeyRemoval removal) {
    this.redis = redis;
    this.pages = pages;
    this.removal = removal;
  }

  /**
   * A key.
   *
   * @param board whose live board it is part of; null for another key of ours
   * @param period the same
   * @param part which of the live board's keys, as {@code board}; else what it belongs to
   * @param doomed whether it is on its way out of Redis
   * @param members how many stand on the board, if it is that key; else 0
   * @param bytes what it takes, about
   */
  public record Key(
      String name,
      @Nullable BoardId board,
      @Nullable PeriodName period,
      String part,
      boolean doomed,
      long members,
      long bytes) {}

  /** What the server, or the cluster, says that it uses altogether: bytes. */
  public long used() {
    return redis.figure("memory", "used_memory");
  }

  /**
   * Every key of ours but those of adopted boards.
   *
   * @param samples of how many entries of a key the bytes are estimated; 0 for all of them
   */
  public void scan(int samples, Consumer<Key> found) {
    ScanCursor at = ScanCursor.INITIAL;
    do {
      ScanCursor from = at;
      KeyScanCursor<byte[]> page =
          redis.command(
              commands -> commands.scan(from, ScanArgs.Builder.matches("palmares:*").limit(PAGE)));
      measure(page.getKeys(), samples).forEach(found);
      at = page;
    } while (!at.isFinished());
  }

  private List<Key> measure(List<byte[]> keys, int samples) {
    List<Long> bytes = redis.each(keys, (commands, key) -> usage(commands, key, samples));
    var measured = new ArrayList<Key>();
    for (int i = 0; i < keys.size(); i++) {
      Long taken = bytes.get(i);
      if (taken != null) { // else it went meanwhile
        measured.add(key(new String(keys.get(i), UTF_8), taken));
      }
    }
    return measured;
  }

  private Key key(String name, long bytes) {
    Optional<LiveKeys.Owned> owned = LiveKeys.owner(name);
    if (owned.isEmpty()) {
      return new Key(name, null, null, other(name), false, 0, bytes);
    }
    LiveKeys keys = owned.get().keys();
    String part = owned.get().part();
    long members = part.equals("board") ? pages.entries(name) : 0;
    return new Key(name, keys.board(), keys.period(), part, owned.get().doomed(), members, bytes);
  }

  /** Such as {@code palmares:answer}. */
  private static String other(String name) {
    int end = name.indexOf(':', "palmares:".length());
    return end < 0 ? name : name.substring(0, end);
  }

  /** The keys that an adopted board has: those that we sealed, and those that its program has. */
  public List<Key> adopted(Period period, Board board, int samples) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    var names = new ArrayList<>(keys.own());
    Stream.of(keys.ours()).map(key -> new String(key, UTF_8)).forEach(names::add);
    List<Long> bytes =
        redis.each(names, (commands, name) -> usage(commands, AdoptedKeys.bytes(name), samples));
    var found = new ArrayList<Key>();
    for (int i = 0; i < names.size(); i++) {
      Long taken = bytes.get(i);
      String name = names.get(i);
      if (taken != null) {
        boolean lines = name.equals(keys.lines()) || name.equals(keys.own().get(0));
        String part = i < keys.own().size() ? "program" : "sealed";
        long members = lines ? pages.entries(name) : 0;
        found.add(new Key(name, period.board(), period.name(), part, false, members, taken));
      }
    }
    return found;
  }

  /** Removes all that there is of a live board, slice by slice, whoever knows it. */
  public void remove(BoardId board, PeriodName period) {
    removal.remove(new LiveKeys(board, period).everything(), () -> {});
  }

  private static RedisFuture<Long> usage(
      RedisClusterAsyncCommands<byte[], byte[]> commands, byte[] key, int samples) {
    var arguments =
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add("USAGE").addKey(key).add("SAMPLES");
    return commands.dispatch(
        CommandType.MEMORY, new IntegerOutput<>(ByteArrayCodec.INSTANCE), arguments.add(samples));
  }
}
