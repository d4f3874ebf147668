package palmares.live.member;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberId;

/**
 * A registered member.
 *
 * @param externalId masked
 * @param inviter who invited it; null if nobody did
 * @param invites how many members it has invited
 */
public record Profile(
    MemberId id,
    String nickname,
    InviteCode inviteCode,
    String externalId,
    @Nullable MemberId inviter,
    long invites,
    Instant registeredAt) {}
