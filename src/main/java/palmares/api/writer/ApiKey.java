package palmares.api.writer;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;

/**
 * What is known of a key: everything but the key.
 *
 * @param boards the boards that it may write; empty for all of them
 */
public record ApiKey(
    String id, String name, Set<BoardId> boards, Instant createdAt, @Nullable Instant revokedAt) {}
