package palmares.live.member;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.ExternalText;
import palmares.rules.board.MemberId;
import palmares.rules.board.Sha256;

/**
 * What somebody who registers tells.
 *
 * @param nickname what others call the member; 1 to 64 bytes, and not unique
 * @param inviteCode of the inviter, as it was typed; null if there is none
 * @param member the id that the member is to have; null for a new one
 */
public record Registration(
    ExternalId externalId,
    String nickname,
    @Nullable String inviteCode,
    @Nullable MemberId member) {
  /** The longest nickname, in bytes of UTF-8. */
  public static final int MOST_NICKNAME_BYTES = 64;

  /** The longest invite code that is looked at, in bytes of UTF-8. */
  public static final int MOST_CODE_BYTES = 64;

  /**
   * @throws IllegalArgumentException if a text is empty, too long, holds a control character or
   *     half a surrogate pair
   */
  public Registration {
    ExternalText.require("a nickname", nickname, MOST_NICKNAME_BYTES);
    if (inviteCode != null) {
      inviteCode =
          InviteCode.plain(ExternalText.require("an invite code", inviteCode, MOST_CODE_BYTES));
    }
  }

  Registration withoutCode() {
    return new Registration(externalId, nickname, null, member);
  }

  /** Tells a repeat from another registration of the same external id, which is no part of it. */
  String digest() {
    return Sha256.of(
        String.join(
            "\n",
            nickname,
            Objects.requireNonNullElse(inviteCode, ""),
            member == null ? "" : member.value()));
  }
}
