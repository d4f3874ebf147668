package palmares.api.keys;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;

/**
 * An API key, without its secret.
 *
 * @param boards the boards that it may write; empty for all
 * @param revokedAt null while it is valid
 */
public record ApiKey(
    String id, String name, Set<BoardId> boards, Instant createdAt, @Nullable Instant revokedAt) {}
