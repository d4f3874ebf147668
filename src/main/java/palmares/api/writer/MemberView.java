package palmares.api.writer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.live.member.Profile;
import palmares.rules.board.MemberId;

/**
 * A member as answers spell it.
 *
 * @param externalId masked
 * @param inviter who invited it; null if nobody did
 * @param invites how many members it has invited; null where it has just registered
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record MemberView(
    String member,
    String nickname,
    String inviteCode,
    String externalId,
    @Nullable String inviter,
    @Nullable Long invites,
    Instant registeredAt) {

  static MemberView of(Profile profile) {
    return of(profile, profile.invites());
  }

  /** What a repeat of the registration is answered with too, whatever has come since. */
  static MemberView registered(Profile profile) {
    return of(profile, null);
  }

  private static MemberView of(Profile profile, @Nullable Long invites) {
    MemberId inviter = profile.inviter();
    return new MemberView(
        profile.id().value(),
        profile.nickname(),
        profile.inviteCode().value(),
        profile.externalId(),
        inviter == null ? null : inviter.value(),
        invites,
        profile.registeredAt());
  }
}
