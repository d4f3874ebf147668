package palmares.live.member;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.ExternalText;
import palmares.rules.board.MemberId;
import palmares.rules.board.Sha256;

/**
 * A request to register a member.
 *
 * @param nickname shown to others; 1 to 64 bytes, not unique
 * @param inviteCode the inviter's code as typed; null if there is none
 * @param member the member id to use; null for a generated one
 */
public record Registration(
    ExternalId externalId,
    String nickname,
    @Nullable String inviteCode,
    @Nullable MemberId member) {
  /** In UTF-8. */
  public static final int MAX_NICKNAME_BYTES = 64;

  /** In UTF-8. */
  public static final int MAX_CODE_BYTES = 64;

  /**
   * @throws IllegalArgumentException if a text is empty, too long, or contains a control character
   *     or an unpaired surrogate
   */
  public Registration {
    ExternalText.require("nickname", nickname, MAX_NICKNAME_BYTES);
    if (inviteCode != null) {
      inviteCode =
          InviteCode.normalize(ExternalText.require("invite-code", inviteCode, MAX_CODE_BYTES));
    }
  }

  Registration withoutCode() {
    return new Registration(externalId, nickname, null, member);
  }

  /** Distinguishes a repeat from a different registration of the same external id. */
  String digest() {
    return Sha256.of(
        String.join(
            "\n",
            nickname,
            Objects.requireNonNullElse(inviteCode, ""),
            member == null ? "" : member.value()));
  }
}
