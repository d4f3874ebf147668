package palmares.live.board;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import palmares.period.Period;
import palmares.platform.bulk.PostgresHash;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * The Redis keys of one live board. They share a hash tag, so that a script reaches all of them in
 * a cluster too. A hash within the tag spreads boards over the masters of a cluster: its own
 * checksum keeps names that differ in a digit together.
 */
public record LiveKeys(BoardId board, PeriodName period) {
  private static final Pattern NAME =
      Pattern.compile("palmares:\\{([^:{}]+):([^{}]+):[^:{}]+}:(.+)");

  /** All hashes have four digits. */
  private static final int RADIX = Character.MAX_RADIX;

  private static final long FIRST_HASH = RADIX * RADIX * RADIX;

  /**
   * A key of a live board.
   *
   * @param part which of the board's keys, as {@code board}
   * @param pendingDeletion whether it is renamed to be deleted
   */
  public record Owned(LiveKeys keys, String part, boolean pendingDeletion) {}

  /** The period as messages name it, such as {@code invites 2026-W43}. */
  String label() {
    return board + " " + period;
  }

  public static LiveKeys of(Period period) {
    return new LiveKeys(period.board(), period.name());
  }

  /** Returns the live board of a key; empty if the key belongs to none. */
  public static Optional<Owned> owner(String key) {
    Matcher name = NAME.matcher(key);
    if (!name.matches()) {
      return Optional.empty();
    }
    boolean pendingDeletion = name.group(3).endsWith(KeyRemoval.PENDING_DELETION);
    String part = name.group(3).replaceFirst(KeyRemoval.PENDING_DELETION + "$", "");
    try {
      var keys = new LiveKeys(new BoardId(name.group(1)), new PeriodName(name.group(2)));
      return keys.has(part) && key.startsWith(keys.name(part))
          ? Optional.of(new Owned(keys, part, pendingDeletion))
          : Optional.empty();
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  /** The hash of the board's state, rules and counts. */
  public byte[] meta() {
    return key("meta");
  }

  /** The ZSET of lines. */
  public byte[] lines() {
    return key("board");
  }

  /** The hash of decisions by event id. */
  public byte[] ids() {
    return key("ids");
  }

  /** The hash of what was given for actions that count a limited number of times. */
  byte[] given() {
    return key("given");
  }

  byte[] journal() {
    return key("journal");
  }

  /** The ZSET of levels that a ranked member holds, if equal levels share a rank without gaps. */
  public byte[] levels() {
    return key("levels");
  }

  /** The hash of the number of holders of each level. */
  public byte[] holders() {
    return key("holders");
  }

  /** The hash of tiebreaks by member, on boards whose scores have no room for them. */
  byte[] places() {
    return key("places");
  }

  /** The hash of exclusion levels by member. */
  byte[] excluded() {
    return key("excluded");
  }

  /** The ZSET of the lines of excluded members. */
  byte[] excludedLines() {
    return key("excluded-lines");
  }

  /** The journal that a rebuild has moved aside, whose entries differ from PostgreSQL's. */
  byte[] strays() {
    return key("strays");
  }

  /** The hash of the events that a rebuild gives up, while it goes on. */
  byte[] missing() {
    return key("missing");
  }

  /** The lines as they were before a rebuild that gives events up. */
  byte[] former() {
    return key("former");
  }

  /** The key that exists while a batch is applied and none of its events is deferred. */
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

  /** All keys, and those that an interrupted rebuild may have left. */
  byte[][] everything() {
    return Stream.concat(Arrays.stream(all()), Stream.of(strays(), missing(), former()))
        .toArray(byte[][]::new);
  }

  private byte[] key(String part) {
    return name(part).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the name of a key, such as {@code palmares:{invites:2026-W43:k3fq}:board}. */
  public String name(String part) {
    String name = board + ":" + period;
    long hash =
        FIRST_HASH
            + Math.floorMod(
                PostgresHash.of(name.getBytes(StandardCharsets.UTF_8), 0),
                FIRST_HASH * (RADIX - 1));
    return "palmares:{" + name + ":" + Long.toString(hash, RADIX) + "}:" + part;
  }
}
