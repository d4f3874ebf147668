package palmares.bench.seeding;

import java.util.HexFormat;
import java.util.stream.LongStream;

/**
 * Synthetic members with random ids, and their invitations of one day. A few members have very
 * many, most have one or two, so that there are many ties. Everything is computed from a member's
 * number, the seed and the day; nothing is held in memory.
 *
 * @param members number of members, who are numbered from 0
 * @param seed of the ids
 * @param day number of the day; the same members have other invitations on other days
 */
public record Crowd(long members, long seed, int day) {
  /** Maximum of a member's invitations on a day. */
  public static final int MAX_INVITES = 100_000;

  /**
   * Exponent of the distribution's tail: k times the invitations have k^1.2 times fewer members.
   */
  private static final double TAIL = 1.2;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
  private static final int DIGIT_BITS = 5;
  private static final int ID_LENGTH = 13;

  /** The random values of a member on a day. */
  private enum Draw {
    INVITES(0),
    SPLIT(1),
    FIRST_TIME(2),
    SECOND_TIME(3),
    FIRST_DIGEST(4),
    SECOND_DIGEST(5);

    private final int number;

    Draw(int number) {
      this.number = number;
    }
  }

  /** A member's id: 13 letters and digits, unique because the mixing is one to one. */
  public String member(long n) {
    long mixed = mix(n + mix(seed));
    var id = new char[ID_LENGTH];
    for (int i = 0; i < ID_LENGTH; i++) {
      id[i] = DIGITS[(int) (mixed >>> (i * DIGIT_BITS)) & (DIGITS.length - 1)];
    }
    return new String(id);
  }

  /** Number of a member's invitations; at least one. */
  public int invites(long n) {
    double part = (draw(n, Draw.INVITES) >>> 11) * 0x1.0p-53;
    return (int) Math.min(MAX_INVITES, Math.pow(1 - part, -1 / TAIL));
  }

  /** Number of a member's events: one for a single invitation, else two. */
  int events(long n) {
    return invites(n) == 1 ? 1 : 2;
  }

  /** Invitations of the member's first event, 0, or second event, 1. */
  int invites(long n, int event) {
    int all = invites(n);
    if (all == 1) {
      return all;
    }
    int first = 1 + (int) Math.floorMod(draw(n, Draw.SPLIT), all - 1L);
    return event == 0 ? first : all - first;
  }

  /** Time of an event, from 0 to less than {@code span}. */
  long time(long n, int event, long span) {
    return Math.floorMod(draw(n, event == 0 ? Draw.FIRST_TIME : Draw.SECOND_TIME), span);
  }

  /** Time of the member's last event. */
  public long latestTime(long n, long span) {
    long first = time(n, 0, span);
    return events(n) == 1 ? first : Math.max(first, time(n, 1, span));
  }

  /** A random value as long as the digest that a repeated event is compared by. */
  String digest(long n, int event) {
    return HexFormat.of().toHexDigits(draw(n, event == 0 ? Draw.FIRST_DIGEST : Draw.SECOND_DIGEST));
  }

  /** Number of all events. */
  public long events() {
    return LongStream.range(0, members).map(this::events).sum();
  }

  /** Number of members with 0, 1, 2 and so on invitations. */
  public long[] holders() {
    var holders = new long[MAX_INVITES + 1];
    LongStream.range(0, members).forEach(n -> holders[invites(n)]++);
    return holders;
  }

  private long draw(long n, Draw what) {
    return mix(mix(mix(seed + what.number) + day) + n * GOLDEN);
  }

  /** Stafford's mix 13 of 64 bits, as in SplittableRandom. */
  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
