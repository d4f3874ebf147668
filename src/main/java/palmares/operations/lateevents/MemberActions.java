package palmares.operations.lateevents;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.OncePer;

/** What one member did in a period, as far as it bears on what counts once, or up to a cap. */
final class MemberActions {
  private final Board rules;
  private final Map<Deed, Gift> given = new HashMap<>();
  private final Map<Counter, Long> counts = new HashMap<>();

  MemberActions(Board rules) {
    this.rules = rules;
  }

  /** What counts once. */
  private record Deed(String action, String subject, String day) {}

  /** What has a cap: an action on a day, or in the period, which has no day. */
  private record Counter(String action, String day) {}

  /** What an undo takes back. */
  record Gift(long points, long thenBy, long quantity, String day) {}

  /** It counted, and gave so much. */
  void did(
      Action action,
      @Nullable String subject,
      Instant at,
      long quantity,
      long points,
      long thenBy) {
    String day = day(at);
    Deed deed = deed(action, subject, day);
    if (deed != null) {
      given.put(deed, new Gift(points, thenBy, quantity, day));
    }
    count(action, day, quantity);
  }

  /** It was taken back. */
  void undid(Action action, @Nullable String subject) {
    Gift gift = given.remove(new Deed(action.name(), String.valueOf(subject), ""));
    if (gift != null) {
      count(action, gift.day(), -gift.quantity());
    }
  }

  /** What an undo would take back; null if there is nothing. */
  @Nullable Gift gift(Action action, @Nullable String subject) {
    return given.get(new Deed(action.name(), String.valueOf(subject), ""));
  }

  /**
   * Why one more would not count; null if it would.
   *
   * @param who the member, for the sentence
   */
  @Nullable String objection(
      String who, Action action, @Nullable String subject, Instant at, long quantity) {
    String day = day(at);
    Deed deed = deed(action, subject, day);
    if (deed != null && given.containsKey(deed)) {
      return "%s did '%s'%s already, which counts once per %s"
          .formatted(
              who,
              action.name(),
              switch (action.oncePer()) {
                case SUBJECT -> " on '%s'".formatted(subject);
                case DAY -> " on " + day;
                case EVENT, PERIOD -> "";
              },
              action.oncePer().word());
    }
    if (passes(action.maxPerDay(), new Counter(action.name(), day), quantity)) {
      return "%s did '%s' as often as counts on a day, %d times, on %s"
          .formatted(who, action.name(), action.maxPerDay(), day);
    }
    if (passes(action.maxPerPeriod(), new Counter(action.name(), ""), quantity)) {
      return "%s did '%s' as often as counts in a period, %d times"
          .formatted(who, action.name(), action.maxPerPeriod());
    }
    return null;
  }

  private boolean passes(long most, Counter counter, long quantity) {
    return most > 0 && counts.getOrDefault(counter, 0L) + quantity > most;
  }

  private void count(Action action, String day, long quantity) {
    counts.merge(new Counter(action.name(), day), quantity, Long::sum);
    counts.merge(new Counter(action.name(), ""), quantity, Long::sum);
  }

  private @Nullable Deed deed(Action action, @Nullable String subject, String day) {
    OncePer once = action.oncePer();
    if (once == OncePer.EVENT || (once == OncePer.SUBJECT && subject == null)) {
      return null;
    }
    return new Deed(
        action.name(),
        once == OncePer.SUBJECT ? String.valueOf(subject) : "",
        once == OncePer.DAY ? day : "");
  }

  private String day(Instant time) {
    return time.atZone(rules.zone()).toLocalDate().toString();
  }
}
