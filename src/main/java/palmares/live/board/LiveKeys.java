package palmares.live.board;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * The Redis keys of one live board. They share a hash tag, so that a script reaches all of them on
 * a cluster too.
 */
public record LiveKeys(BoardId board, PeriodName period) {
  private static final Pattern NAME = Pattern.compile("palmares:\\{([^:{}]+):([^{}]+)}:(.+)");

  /**
   * Whose a key is.
   *
   * @param part which of its keys, as {@code board}
   * @param doomed whether it is on its way out of Redis
   */
  public record Owned(LiveKeys keys, String part, boolean doomed) {}

  /** Empty if the key is none that a live board has. */
  public static Optional<Owned> owner(String key) {
    Matcher name = NAME.matcher(key);
    if (!name.matches()) {
      return Optional.empty();
    }
    boolean doomed = name.group(3).endsWith(KeyRemoval.DOOMED);
    String part = name.group(3).replaceFirst(KeyRemoval.DOOMED + "$", "");
    try {
      var keys = new LiveKeys(new BoardId(name.group(1)), new PeriodName(name.group(2)));
      return keys.has(part) ? Optional.of(new Owned(keys, part, doomed)) : Optional.empty();
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  /** The board's state, rules and counts. */
  public byte[] meta() {
    return key("meta");
  }

  /** The ZSET. */
  public byte[] lines() {
    return key("board");
  }

  /** What was answered to each event, by its id. */
  public byte[] ids() {
    return key("ids");
  }

  byte[] given() {
    return key("given");
  }

  byte[] journal() {
    return key("journal");
  }

  /** The levels that somebody ranked holds, where equal ones share a rank without gaps. */
  public byte[] levels() {
    return key("levels");
  }

  /** How many hold each of the levels. */
  public byte[] holders() {
    return key("holders");
  }

  byte[] places() {
    return key("places");
  }

  /** Who is excluded, and to which level. */
  byte[] excluded() {
    return key("excluded");
  }

  /** The lines of those among them who stand on the board. */
  byte[] excludedLines() {
    return key("excluded-lines");
  }

  /** Entries that a journal had in the place of others, while its board is made anew. */
  byte[] strays() {
    return key("strays");
  }

  /** There while a batch is applied, and nothing of it was put off. */
  byte[] turn(String batch) {
    return key("turn:" + batch);
  }

  byte[][] all() {
    return new byte[][] {
      meta(),
      lines(),
      ids(),
      given(),
      journal(),
      levels(),
      holders(),
      places(),
      excluded(),
      excludedLines(),
    };
  }

  private boolean has(String part) {
    return part.startsWith("turn:")
        || Arrays.stream(everything()).anyMatch(key -> Arrays.equals(key, key(part)));
  }

  /** What may be left of a rebuild too. */
  byte[][] everything() {
    byte[][] all = Arrays.copyOf(all(), all().length + 1);
    all[all.length - 1] = strays();
    return all;
  }

  private byte[] key(String part) {
    return ("palmares:{" + board + ":" + period + "}:" + part).getBytes(StandardCharsets.UTF_8);
  }
}
