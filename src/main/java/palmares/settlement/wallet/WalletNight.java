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
  /** Of the names of awards, which are kept until the night ends. */
  private static final long MAX_CHARACTERS = 64L << 20;

  private final Instant since;
  private final Instant until;
  private final Set<String> listed = new HashSet<>();
  private final Set<String> wrong = new HashSet<>();

  /** The times whose lists were read, by their begin; those that follow each other are one. */
  private final TreeMap<Instant, Instant> parts = new TreeMap<>();

  private @Nullable Failed failed;
  private long characters;
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
   * Refuses a list whose new names would take too much memory.
   *
   * @throws Refusal if the names of the night are too long together
   */
  void requireRoomFor(Set<String> names) {
    long more =
        names.stream().filter(name -> !listed.contains(name)).mapToLong(String::length).sum();
    if (characters + more > MAX_CHARACTERS) {
      throw WalletList.refused(new WalletSentences.TooManyInOneNight());
    }
  }

  /** Whether no list of the night has differed on the award. */
  boolean isRight(String award) {
    return !wrong.contains(award);
  }

  void add(Set<String> names, Collection<String> differing, long lines, long confirmed) {
    for (String name : names) {
      characters += listed.add(name) ? name.length() : 0;
    }
    wrong.addAll(differing);
    this.lines += lines;
    this.confirmed += confirmed;
  }

  /** Notes that the list of a part was compared. */
  public void addPart(Instant from, Instant to) {
    Map.Entry<Instant, Instant> before = parts.floorEntry(from);
    Instant begin = before != null && !before.getValue().isBefore(from) ? before.getKey() : from;
    Instant end = parts.getOrDefault(to, to);
    parts.remove(to);
    parts.put(begin, end);
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

  /**
   * Returns until when lists were compared that begin with a time, without a gap; the time itself
   * if there is none.
   */
  Instant readUntil(Instant from) {
    Map.Entry<Instant, Instant> part = parts.floorEntry(from);
    return part == null || part.getValue().isBefore(from) ? from : part.getValue();
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
