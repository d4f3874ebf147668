package palmares.live.board;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board.BoardClock;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.board.Sha256;

/**
 * An action of a member on a subject, as a caller sends it. It may feed several boards.
 *
 * @param id chosen by the caller; a repeated id counts once
 * @param subject what the action was done to; null if nothing in particular
 * @param undo whether it takes the action on the subject back
 * @param quantity how many times the action counts; at least 1
 * @param value the value that the member has reached; null if none of its boards takes values
 * @param thenBy the amount of the second key; null if none of its boards has one
 * @param occurredAt when it happened; null if its boards use the server's clock
 * @param board the only board that it is for; null for every board that counts its action
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
  private static final int DIGEST_HEX_DIGITS = 16;

  /**
   * Returns a digest that distinguishes a repeat from another event with the same id. It covers all
   * fields but id and board, and the time only if the board uses the events' clock.
   */
  public String digest(BoardClock clock) {
    @Nullable Instant time = clock == BoardClock.EVENT ? occurredAt : null;
    return Sha256.of(
            String.join(
                "\n",
                member.value(),
                action,
                Objects.toString(subject, ""),
                undo + " " + quantity + " " + value + " " + thenBy + " " + time))
        .substring(0, DIGEST_HEX_DIGITS);
  }
}
