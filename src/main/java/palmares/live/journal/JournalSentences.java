package palmares.live.journal;

import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What is said of the journal of a period. */
interface JournalSentences {
  record GoesOn(String period, long event, long expected, Sentence missing) implements Sentence {}

  record Ends(String period, long last, long decided, Sentence missing) implements Sentence {}

  record Missing(String period, Sentence missing, @Nullable Sentence last) implements Sentence {}

  /**
   * @param difference by which that was seen
   */
  record WentBack(String period, Sentence difference) implements Sentence {}

  record DecidedAgain(String period, long event, Sentence redis) implements Sentence {}

  record Differs(String period, long event, Sentence redis, Sentence stored) implements Sentence {}

  record Renumbered(String period, long event, String id) implements Sentence {}

  record Behind(String period, long decided, long stored) implements Sentence {}

  record BeingDrained(long seconds) implements Sentence {}

  /** A person's decision on an entry. */
  record Decided(String resolution, String by, String reason) implements Sentence {}

  record Undrained(String period) implements Sentence {}

  record Event(String id, String member, ZonedDateTime at, String outcome, long points)
      implements Sentence {}

  record Unreadable() implements Sentence {}

  record Nothing() implements Sentence {}

  record One(long event) implements Sentence {}

  record Several(List<String> events) implements Sentence {}

  record Counted(long events) implements Sentence {}

  record CountedFrom(long events, String first) implements Sentence {}

  record Last(long number, ZonedDateTime at) implements Sentence {}

  record Empty() implements Sentence {}

  record Refused(String period, long entries, long first, Sentence error) implements Sentence {}

  record StillRefused(String period, long entry, String error) implements Sentence {}

  record NoEntry(String period, long entry) implements Sentence {}

  record ChangedSince(String period, long entry) implements Sentence {}

  record ResolvedOtherwise(String period, long entry) implements Sentence {}

  record Committed(String period, long entry, String id) implements Sentence {}
}
