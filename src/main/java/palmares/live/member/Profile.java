package palmares.live.member;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberId;

/**
 * A registered member.
 *
 * @param externalId masked
 * @param inviter null if it was not invited
 * @param invites number of members that it has invited
 */
public record Profile(
    MemberId id,
    String nickname,
    InviteCode inviteCode,
    String externalId,
    @Nullable MemberId inviter,
    long invites,
    Instant registeredAt) {}
