package palmares.operations.lateevents;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.rules.board.Action;
import palmares.rules.board.Action.OncePer;
import palmares.rules.board.Board;

/** The actions of one member in a period, for what counts once or up to a cap. */
final class MemberActions {
  private final Board rules;
  private final Map<OnceKey, Counted> counted = new HashMap<>();
  private final Map<Counter, Long> counts = new HashMap<>();

  MemberActions(Board rules) {
    this.rules = rules;
  }

  /** Identifies what counts once. */
  private record OnceKey(String action, String subject, String day) {}

  /** Identifies what has a cap: an action on a day, or in the whole period if the day is empty. */
  private record Counter(String action, String day) {}

  /** Says what an action gave, and an undo takes back. */
  record Counted(long points, long thenBy, long quantity, String day) {}

  void did(
      Action action,
      @Nullable String subject,
      Instant at,
      long quantity,
      long points,
      long thenBy) {
    String day = day(at);
    OnceKey key = onceKey(action, subject, day);
    if (key != null) {
      counted.put(key, new Counted(points, thenBy, quantity, day));
    }
    count(action, day, quantity);
  }

  void undid(Action action, @Nullable String subject, Instant at) {
    OnceKey key = onceKey(action, subject, day(at));
    Counted undone = key == null ? null : counted.remove(key);
    if (undone != null) {
      count(action, undone.day(), -undone.quantity());
    }
  }

  /** What an undo would take back; null if there is nothing. */
  @Nullable Counted counted(Action action, @Nullable String subject, Instant at) {
    OnceKey key = onceKey(action, subject, day(at));
    return key == null ? null : counted.get(key);
  }

  /**
   * Why one more action would not count; null if it would.
   *
   * @param who the member, for the message
   */
  @Nullable Sentence rejection(
      String who, Action action, @Nullable String subject, Instant at, long quantity) {
    String day = day(at);
    OnceKey key = onceKey(action, subject, day);
    if (key != null && counted.containsKey(key)) {
      return switch (action.oncePer()) {
        case SUBJECT -> new LateEventSentences.OncePerSubject(who, action.name(), key.subject());
        case SUBJECT_A_DAY ->
            new LateEventSentences.OncePerSubjectADay(who, action.name(), key.subject(), day);
        case DAY -> new LateEventSentences.OncePerDay(who, action.name(), day);
        case EVENT, PERIOD -> new LateEventSentences.OncePerPeriod(who, action.name());
      };
    }
    if (exceeds(action.maxPerDay(), new Counter(action.name(), day), quantity)) {
      return new LateEventSentences.CapOfDay(who, action.name(), action.maxPerDay(), day);
    }
    if (exceeds(action.maxPerPeriod(), new Counter(action.name(), ""), quantity)) {
      return new LateEventSentences.CapOfPeriod(who, action.name(), action.maxPerPeriod());
    }
    return null;
  }

  private boolean exceeds(long most, Counter counter, long quantity) {
    return most > 0 && counts.getOrDefault(counter, 0L) + quantity > most;
  }

  private void count(Action action, String day, long quantity) {
    counts.merge(new Counter(action.name(), day), quantity, Long::sum);
    counts.merge(new Counter(action.name(), ""), quantity, Long::sum);
  }

  private @Nullable OnceKey onceKey(Action action, @Nullable String subject, String day) {
    OncePer once = action.oncePer();
    if (once == OncePer.EVENT || (once.isOfSubject() && subject == null)) {
      return null;
    }
    return new OnceKey(
        action.name(),
        once.isOfSubject() ? String.valueOf(subject) : "",
        once.isOfDay() ? day : "");
  }

  private String day(Instant time) {
    return rules.calendar().days().date(time).toString();
  }
}
