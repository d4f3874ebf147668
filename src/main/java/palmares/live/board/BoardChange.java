package palmares.live.board;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/**
 * An event, worked out for one live board.
 *
 * @param id unique on the board in the period
 * @param action how it counts
 * @param subject what it was done to; null if to nothing in particular
 * @param undo whether it takes back instead
 * @param quantity how many of the action it brings; at least 1
 * @param worth what it is worth
 * @param day the day that it happens on; null where days do not matter
 * @param digest of what its sender told, which tells a repeat from another event
 * @param occurredAt when it counts as having happened; null for the server's present time
 * @param arrival whether the grace's end applies to it
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

  /** The same on another live board, where it counts by that time if it states none. */
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
   * What an event is worth.
   *
   * @param points what it adds; 0 where events bring their value
   * @param value its value; null where points add up
   * @param thenBy what it brings of the second key; 0 if there is none
   */
  public record Worth(long points, @Nullable Long value, long thenBy) {}

  /** A day of the board's zone. */
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
   * An event that was decided once, as it was then.
   *
   * @param rules those that its period has
   * @throws IllegalStateException if the rules do not know its action
   */
  static BoardChange again(LiveKeys keys, LiveEntry entry, Board rules) {
    Action action = rules.actions().get(entry.action());
    if (action == null) {
      throw new IllegalStateException(
          "event %d of %s %s is a '%s', which its rules do not know"
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

  /** When an event counts as having come in. */
  public enum Arrival {
    /** At the server's present time: after the grace it is late. */
    NOW,
    /** Whenever, as a history does: only the seal makes it late. */
    ANY
  }
}
