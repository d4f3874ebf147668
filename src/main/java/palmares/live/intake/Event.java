package palmares.live.intake;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardClock;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.board.Sha256;

/**
 * One idempotent fact that changes points: an action by a member on a subject.
 *
 * @param id the caller's own; a repeat of it counts once
 * @param subject what it was done to, which counts once a member; null if to nothing in particular
 * @param undo whether it takes the action on the subject back instead
 * @param quantity how many of the action it brings; at least 1
 * @param value what the member has reached; null if no board of it takes values
 * @param thenBy what it brings of a second key; null if no board of it has one
 * @param occurredAt when it happened; null if its boards go by the server's clock
 * @param board the only board that it is for; null for every board that has its action
 */
public record Event(
    String id,
    MemberId member,
    String action,
    @Nullable String subject,
    boolean undo,
    long quantity,
    @Nullable Long value,
    @Nullable Long thenBy,
    @Nullable Instant occurredAt,
    @Nullable BoardId board) {

  /** A part of what was told, in so many hexadecimal digits, tells any two apart. */
  private static final int DIGEST_LENGTH = 16;

  /**
   * Tells a repeat from another event with the same id: of all that it says but id and board, and
   * but its time where the board goes by another clock.
   */
  String digest(BoardClock clock) {
    @Nullable Instant time = clock == BoardClock.EVENT ? occurredAt : null;
    return Sha256.of(
            String.join(
                "\n",
                member.value(),
                action,
                Objects.toString(subject, ""),
                undo + " " + quantity + " " + value + " " + thenBy + " " + time))
        .substring(0, DIGEST_LENGTH);
  }
}
