package palmares.live.board;

import static palmares.live.board.AdoptedKeys.bytes;

import io.lettuce.core.ScoredValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Population;
import palmares.platform.redis.KeyScan;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;

/** Boards that another program writes: looked at, sealed by renaming their keys, read, dropped. */
@Component
public class AdoptedBoards {
  private final RedisClient redis;
  private final KeyScan pages;
  private final KeyRemoval removal;

  AdoptedBoards(RedisClient redis, KeyScan pages, KeyRemoval removal) {
    this.redis = redis;
    this.pages = pages;
    this.removal = removal;
  }

  /** Whether the program has written any of its keys. */
  public boolean exists(Period period, Board board) {
    return !written(period, board).isEmpty();
  }

  /** Whether the member stands on the board while the program writes it. */
  boolean holds(Period period, Board board, MemberId member) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    byte[] key = bytes(keys.own().get(0));
    byte[] name = bytes(member.value());
    return keys.shared()
        ? redis.command(commands -> commands.hexists(key, name))
        : redis.command(commands -> commands.zscore(key, name)) != null;
  }

  /** How many entries stand under each of the program's own keys that is there. */
  public Map<String, Long> written(Period period, Board board) {
    var written = new LinkedHashMap<String, Long>();
    for (String key : AdoptedKeys.of(period, board).own()) {
      long entries = pages.entries(key);
      if (entries > 0) {
        written.put(key, entries);
      }
    }
    return written;
  }

  /**
   * Takes the keys away from the program, and says what they hold; empty if there are none. What
   * cannot be adopted is given back as it was.
   *
   * @throws Unadoptable if any key or line is not what the board's file says
   */
  public Optional<Population> seal(Period period, Board board) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    if (redis.command(commands -> commands.exists(bytes(keys.mark()))) == 0) {
      look(period, board, keys);
    }
    Optional<Long> entries = rename(period, keys);
    try {
      return entries.map(found -> count(period, board, keys, found));
    } catch (Unadoptable e) {
      throw giveBack(keys)
          ? e
          : new Unadoptable(
              period,
              "%s; %s was written again meanwhile, what was sealed is in %s"
                  .formatted(e.getMessage(), keys.own().get(0), keys.sealed()));
    }
  }

  /**
   * Makes sure that a board that was sealed before is so still, as after a Redis that went back.
   *
   * @throws Unadoptable as {@link #seal} does; nothing is given back any more
   */
  public void sealAgain(Period period, Board board) {
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    if (rename(period, keys).isPresent() && keys.shared()) {
      makeLines(period, board, keys);
    }
  }

  /** Reads the board while it is still the program's: what is wrong then changes nothing. */
  private void look(Period period, Board board, AdoptedKeys keys) {
    for (int i = 0; i < keys.own().size(); i++) {
      String type = pages.type(keys.own().get(i));
      if (!type.equals("none") && !type.equals(keys.types().get(i))) {
        throw wrongType(period, keys.own().get(i), type);
      }
    }
    String key = keys.own().get(0);
    var lines = new AdoptedLines(period, board);
    if (keys.shared()) {
      pages.hash(key, page -> page.forEach(lines::read));
    } else {
      pages.zset(key, page -> page.forEach(line -> lines.read(line.getValue(), line.getScore())));
    }
    lines.require(key);
  }

  private static Unadoptable wrongType(Period period, String key, String type) {
    return new Unadoptable(
        period,
        "the key %s is a %s: nothing was changed; move it away, then close again"
            .formatted(key, type));
  }

  private Optional<Long> rename(Period period, AdoptedKeys keys) {
    List<byte[]> answer =
        redis.run(
            LiveScripts.ADOPT,
            new ScriptCall(
                bytesOf(Stream.concat(Stream.of(keys.mark()), keys.pairs().stream())),
                bytesOf(Stream.concat(keys.types().stream(), Stream.of(period.label())))));
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    String word = LiveBoards.text(answer.get(0));
    if (word.equals("wrong")) {
      throw wrongType(period, LiveBoards.text(answer.get(1)), LiveBoards.text(answer.get(2)));
    }
    if (word.equals("taken")) {
      throw new Unadoptable(
          period,
          "%s is there already, sealed for another period or by nobody: rename it away"
              .formatted(LiveBoards.text(answer.get(1))));
    }
    return Optional.of(Long.parseLong(word));
  }

  /** Reads all that was sealed, whatever was seen before. */
  private Population count(Period period, Board board, AdoptedKeys keys, long entries) {
    if (keys.shared()) {
      makeLines(period, board, keys);
    }
    var lines = new AdoptedLines(period, board);
    pages.zset(
        keys.lines(), page -> page.forEach(line -> lines.read(line.getValue(), line.getScore())));
    lines.require(keys.sealed());
    if (lines.members() != entries) {
      throw new Unadoptable(
          period,
          "%s holds %d lines, at the seal there were %d"
              .formatted(keys.sealed(), lines.members(), entries));
    }
    return new Population(entries, lines.points(), 0);
  }

  /** A ZSET of the members' hash, which cannot be read by index. */
  private void makeLines(Period period, Board board, AdoptedKeys keys) {
    var lines = new AdoptedLines(period, board);
    pages.hash(
        keys.sealed(),
        page ->
            zadd(
                keys.lines(),
                page.entrySet().stream()
                    .flatMap(entry -> lines.read(entry.getKey(), entry.getValue()).stream())
                    .map(AdoptedBoards::scored)
                    .toList()));
    lines.require(keys.sealed());
  }

  private static ScoredValue<byte[]> scored(MemberScore line) {
    return ScoredValue.just(line.points(), bytes(line.member()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type, as Lettuce wants it
  private void zadd(String key, List<ScoredValue<byte[]>> lines) {
    if (!lines.isEmpty()) {
      redis.command(
          commands -> commands.zadd(bytes(key), lines.toArray(size -> new ScoredValue[size])));
    }
  }

  /** False if the program has made new keys, which then are left alone. */
  private boolean giveBack(AdoptedKeys keys) {
    Stream<String> lines = Stream.of(keys.mark(), keys.lines());
    return redis
        .run(
            LiveScripts.GIVE_BACK,
            new ScriptCall(bytesOf(Stream.concat(lines, keys.pairs().stream())), new byte[0][]))
        .isEmpty();
  }

  /**
   * Drops what was sealed, slice by slice; what the program wrote afterwards stays.
   *
   * @param meanwhile is run now and then; what it throws ends the work, and the next call goes on
   */
  public void drop(Period period, Board board, Runnable meanwhile) {
    removal.remove(AdoptedKeys.of(period, board).ours(), meanwhile);
  }

  private static byte[][] bytesOf(Stream<String> texts) {
    return texts.map(AdoptedKeys::bytes).toArray(byte[][]::new);
  }
}
