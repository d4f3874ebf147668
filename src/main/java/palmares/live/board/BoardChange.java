package palmares.live.board;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import palmares.platform.time.Days;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/**
 * An event as it counts on one live board.
 *
 * @param event as its caller sent it
 * @param action the rule by which it counts
 * @param occurredAt the time that it counts by; null for the present time of Redis
 * @param arrival whether the end of the grace applies to it
 * @param day the day that it counts on; null if the action has no rule by day
 * @param digest distinguishes a repeat from another event with the same id
 */
public record BoardChange(
    LiveKeys keys,
    Event event,
    Action action,
    Worth worth,
    @Nullable Instant occurredAt,
    Arrival arrival,
    @Nullable Day day,
    String digest) {
  /** Returns the id of the event, which is unique on the board in the period. */
  public String id() {
    return event.id();
  }

  /** Returns the change for another live board; it counts by that time if it states none. */
  public BoardChange on(LiveKeys other, Instant time) {
    return new BoardChange(
        other, event, action, worth, occurredAt == null ? time : occurredAt, arrival, day, digest);
  }

  /**
   * The numbers of an event.
   *
   * @param points the points that it adds; 0 if the board takes values
   * @param value its value; null if points add up
   * @param thenBy the amount of the second key; 0 if there is none
   */
  public record Worth(long points, @Nullable Long value, long thenBy) {}

  /** A day of the board's calendar. */
  public record Day(String name, Instant startsAt, Instant endsAt) {
    /** Returns the day of a time; null if the action has no rule by day. */
    public static @Nullable Day of(Action action, Instant time, Board rules) {
      if (!action.dependsOnDay()) {
        return null;
      }
      Days days = rules.calendar().days();
      LocalDate date = days.date(time);
      return new Day(date.toString(), days.start(date), days.start(date.plusDays(1)));
    }
  }

  /**
   * Returns the change of an event that was decided before.
   *
   * @param rules the rules of its period
   * @throws IllegalStateException if the rules do not count its action
   */
  static BoardChange again(LiveKeys keys, LiveEntry entry, Board rules) {
    Action action = rules.actions().get(entry.action());
    if (action == null) {
      throw new IllegalStateException(
          "event %d of %s %s has the action '%s', which the period's rules do not count"
              .formatted(entry.seq(), keys.board(), keys.period(), entry.action()));
    }
    boolean undo = entry.outcome().isOfUndo();
    long thenBy = undo ? 0 : entry.thenBy();
    boolean adds = !rules.scale().scoring().takesValues();
    return new BoardChange(
        keys,
        new Event(
            entry.id(),
            new MemberId(entry.member()),
            entry.action(),
            entry.subject(),
            undo,
            entry.quantity(),
            entry.value(),
            thenBy,
            entry.occurredAt(),
            null),
        action,
        new Worth(
            adds ? Math.multiplyExact(action.points(), entry.quantity()) : 0,
            entry.value(),
            thenBy),
        entry.occurredAt(),
        Arrival.ANY,
        Day.of(action, entry.occurredAt(), rules),
        entry.digest() == null ? "" : entry.digest());
  }

  /** Which limit makes an event late. */
  public enum Arrival {
    /** The event arrives now, and is late after the grace. */
    NOW,
    /** The event is imported or relayed, and is late only after the seal. */
    ANY
  }
}
