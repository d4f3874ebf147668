package palmares.operations.rebuild;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What is said of the rebuild of a live board. */
public interface RebuildSentences {
  record Needless(String period, String state) implements Sentence {}

  record Adopted(String period) implements Sentence {}

  record Present(String period) implements Sentence {}

  record Busy(String period) implements Sentence {}

  record WouldLose(
      String period,
      long events,
      long sealedEvents,
      long members,
      long sealedMembers,
      long points,
      long sealedPoints)
      implements Sentence {}

  record NoEvent(String period, long event) implements Sentence {}

  record Changed(
      String period,
      long event,
      String id,
      String member,
      String outcome,
      long points,
      String outcomeNow,
      long pointsNow)
      implements Sentence {}

  record Would(String period, String state, long events) implements Sentence {}

  record Progress(long events) implements Sentence {}

  record Done(String period, long events, String state) implements Sentence {}

  record GoesOn(String period, String state) implements Sentence {}

  record DecidedAfter(long events) implements Sentence {}

  record RefusedNow(long events, List<Sentence> refused) implements Sentence {}

  record Stray(String id, String verdict) implements Sentence {}

  /**
   * @param more how many more members have other points; null if all are named
   */
  record GivenUp(
      Sentence missing, long events, @Nullable List<String> members, @Nullable Sentence more)
      implements Sentence {}

  record AndMore(long members) implements Sentence {}

  record NoneKnown() implements Sentence {}

  record MemberChanged(String member, long before, long now) implements Sentence {}

  record MemberGone(String member, long before) implements Sentence {}

  record WasLost(Sentence last) implements Sentence {}
}
