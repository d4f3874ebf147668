package palmares.live;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.board.MemberId;

/**
 * An event, worked out for one live board.
 *
 * @param id unique on the board in the period
 * @param subject what it was done to; null if to nothing in particular
 * @param points what it gives; at least 1
 * @param undo whether it takes back instead
 * @param quantity how many of the action it brings; at least 1
 * @param occurredAt when it counts as having happened; null for the server's present time
 * @param arrival whether the grace's end applies to it
 */
public record Change(
    LiveKeys keys,
    String id,
    MemberId member,
    String action,
    @Nullable String subject,
    long points,
    boolean undo,
    long quantity,
    @Nullable Instant occurredAt,
    Arrival arrival) {

  /** When an event counts as having come in. */
  public enum Arrival {
    /** At the server's present time: after the grace it is late. */
    NOW,
    /** Whenever, as a history does: only the seal makes it late. */
    ANY
  }
}
