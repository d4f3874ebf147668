package palmares.bench.seeding;

import java.util.HexFormat;
import java.util.stream.LongStream;

/**
 * So many members with random ids, and what each brought on one day: a few of them very much, most
 * of them one or two, so that many are equal. All of it is worked out from a member's number, the
 * same for the same seed and day, and nothing is held in memory.
 *
 * @param members how many there are; numbered from 0
 * @param seed who they are
 * @param day the number of the day: another one brings other invitations of the same members
 */
public record Crowd(long members, long seed, int day) {
  /** The most that a member brings on a day. */
  public static final int MOST_INVITES = 100_000;

  /** How heavy the tail is: at k times the invitations there are k^1.2 times fewer members. */
  private static final double TAIL = 1.2;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
  private static final int DIGIT_BITS = 5;
  private static final int ID_LENGTH = 13;

  /** What is drawn for a member on a day, and the number that sets its draws apart. */
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

  /** A member's id: 13 letters and digits. No two have the same, since the mixing is one to one. */
  public String member(long n) {
    long mixed = mix(n + mix(seed));
    var id = new char[ID_LENGTH];
    for (int i = 0; i < ID_LENGTH; i++) {
      id[i] = DIGITS[(int) (mixed >>> (i * DIGIT_BITS)) & (DIGITS.length - 1)];
    }
    return new String(id);
  }

  /** How many invitations the member brought: at least one. */
  public int invites(long n) {
    double part = (draw(n, Draw.INVITES) >>> 11) * 0x1.0p-53;
    return (int) Math.min(MOST_INVITES, Math.pow(1 - part, -1 / TAIL));
  }

  /** How many events brought them: more than one invitation came in two. */
  int events(long n) {
    return invites(n) == 1 ? 1 : 2;
  }

  /** How many invitations came in the member's first event, 0, or its second, 1. */
  int invites(long n, int event) {
    int all = invites(n);
    if (all == 1) {
      return all;
    }
    int first = 1 + (int) Math.floorMod(draw(n, Draw.SPLIT), all - 1L);
    return event == 0 ? first : all - first;
  }

  /** When the event came: a number from 0 to less than {@code span}. */
  long time(long n, int event, long span) {
    return Math.floorMod(draw(n, event == 0 ? Draw.FIRST_TIME : Draw.SECOND_TIME), span);
  }

  /** When the last of the member's events came. */
  public long latestTime(long n, long span) {
    long first = time(n, 0, span);
    return events(n) == 1 ? first : Math.max(first, time(n, 1, span));
  }

  /** In place of what tells a repeat from another event with the same id: as many digits. */
  String digest(long n, int event) {
    return HexFormat.of().toHexDigits(draw(n, event == 0 ? Draw.FIRST_DIGEST : Draw.SECOND_DIGEST));
  }

  /** How many events all of them brought. */
  public long events() {
    return LongStream.range(0, members).map(this::events).sum();
  }

  /** How many members brought 0, 1, 2 ... invitations. */
  public long[] holders() {
    var holders = new long[MOST_INVITES + 1];
    LongStream.range(0, members).forEach(n -> holders[invites(n)]++);
    return holders;
  }

  private long draw(long n, Draw what) {
    return mix(mix(mix(seed + what.number) + day) + n * GOLDEN);
  }

  /** Stafford's thirteenth mixing of 64 bits, as SplittableRandom has it. */
  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
