package palmares.settlement.wallet;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/**
 * What the lists of a wallet have in one night, each of a part of the time. Only together they show
 * what is missing, since the awards of an outcome may have arrived over several parts.
 */
public final class WalletNight {
  /** Their names take about 100 MB. */
  static final int MAX_CREDITS = 1_000_000;

  private final Instant since;
  private final Instant until;
  private final Set<String> listed = new HashSet<>();
  private final Set<String> wrong = new HashSet<>();

  /** The times whose lists were read, by their begin; those that follow each other are one. */
  private final TreeMap<Instant, Instant> read = new TreeMap<>();

  private @Nullable Failed failed;
  private long lines;
  private long confirmed;

  /** A time of which no part, or not each, could be compared. */
  record Failed(Instant since, Instant until, Sentence why) {}

  /** The awards that had arrived within this time must be in the lists. */
  public WalletNight(Instant since, Instant until) {
    this.since = since;
    this.until = until;
  }

  Instant since() {
    return since;
  }

  Instant until() {
    return until;
  }

  /**
   * Refuses a list that would take too much memory.
   *
   * @throws Refusal if there are too many credits in one night
   */
  void requireRoomFor(int credits) {
    if (lines + credits > MAX_CREDITS) {
      throw WalletList.refused(new WalletSentences.TooManyInOneNight(MAX_CREDITS));
    }
  }

  /** Whether no list of the night has differed on the award. */
  boolean isRight(String award) {
    return !wrong.contains(award);
  }

  void add(Set<String> names, Collection<String> differing, long lines, long confirmed) {
    listed.addAll(names);
    wrong.addAll(differing);
    this.lines += lines;
    this.confirmed += confirmed;
  }

  /** Notes that the list of a part was compared. */
  public void read(Instant from, Instant to) {
    Map.Entry<Instant, Instant> before = read.floorEntry(from);
    Instant begin = before != null && !before.getValue().isBefore(from) ? before.getKey() : from;
    Instant end = read.getOrDefault(to, to);
    read.remove(to);
    read.put(begin, end);
  }

  /** Notes that the list of a part could not be compared; why is kept of the first one. */
  public void fail(Instant from, Instant to, Sentence why) {
    failed =
        failed == null
            ? new Failed(from, to, why)
            : new Failed(
                from.isBefore(failed.since()) ? from : failed.since(),
                to.isAfter(failed.until()) ? to : failed.until(),
                failed.why());
  }

  @Nullable Failed failed() {
    return failed;
  }

  /** Whether the lists of all of a time were compared. */
  boolean covers(Instant from, Instant to) {
    Map.Entry<Instant, Instant> part = read.floorEntry(from);
    return part != null && to.isBefore(part.getValue());
  }

  /** Until when there is no gap that another night must look at. */
  Instant comparedUntil() {
    return failed == null ? until : failed.since();
  }

  Set<String> listed() {
    return listed;
  }

  long lines() {
    return lines;
  }

  long confirmed() {
    return confirmed;
  }
}
