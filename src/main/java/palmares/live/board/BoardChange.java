package palmares.live.board;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/**
 * An event as it counts on one live board.
 *
 * @param id unique on the board in the period
 * @param action the rule by which it counts
 * @param subject what the action was done to; null if nothing in particular
 * @param undo whether it takes the action on the subject back
 * @param quantity how many times the action counts; at least 1
 * @param occurredAt the time that it counts by; null for the present time of Redis
 * @param arrival whether the end of the grace applies to it
 * @param day the day that it counts on; null if the action has no rule by day
 * @param digest distinguishes a repeat from another event with the same id
 */
public record BoardChange(
    LiveKeys keys,
    String id,
    MemberId member,
    Action action,
    @Nullable String subject,
    boolean undo,
    long quantity,
    Worth worth,
    @Nullable Instant occurredAt,
    Arrival arrival,
    @Nullable Day day,
    String digest) {

  /** Returns the change for another live board; it counts by that time if it states none. */
  public BoardChange on(LiveKeys other, Instant time) {
    return new BoardChange(
        other,
        id,
        member,
        action,
        subject,
        undo,
        quantity,
        worth,
        occurredAt == null ? time : occurredAt,
        arrival,
        day,
        digest);
  }

  /**
   * The numbers of an event.
   *
   * @param points the points that it adds; 0 if the board takes values
   * @param value its value; null if points add up
   * @param thenBy the amount of the second key; 0 if there is none
   */
  public record Worth(long points, @Nullable Long value, long thenBy) {}

  /** A day in the board's zone. */
  public record Day(String name, Instant startsAt, Instant endsAt) {
    public static Day of(Instant time, ZoneId zone) {
      LocalDate date = time.atZone(zone).toLocalDate();
      return new Day(
          date.toString(),
          date.atStartOfDay(zone).toInstant(),
          date.plusDays(1).atStartOfDay(zone).toInstant());
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
    boolean adds = !rules.scale().scoring().takesValues();
    return new BoardChange(
        keys,
        entry.id(),
        new MemberId(entry.member()),
        action,
        entry.subject(),
        undo,
        entry.quantity(),
        new Worth(
            adds ? Math.multiplyExact(action.points(), entry.quantity()) : 0,
            entry.value(),
            undo ? 0 : entry.thenBy()),
        entry.occurredAt(),
        Arrival.ANY,
        action.goesByDay() ? Day.of(entry.occurredAt(), rules.zone()) : null,
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
