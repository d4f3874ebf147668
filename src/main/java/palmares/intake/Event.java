package palmares.intake;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.board.BoardId;
import palmares.board.MemberId;

/**
 * One idempotent fact that changes points: an action by a member on a subject.
 *
 * @param id the caller's own; a repeat of it counts once
 * @param subject what it was done to, which counts once a member; null if to nothing in particular
 * @param undo whether it takes the action on the subject back instead
 * @param quantity how many of the action it brings; at least 1
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
    @Nullable Instant occurredAt,
    @Nullable BoardId board) {}
