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
 * @param address the address from which an invited member registers, such as that of its network;
 *     only a keyed hash is stored, to find others with the same one; null if it is not known
 * @param device as the address, for the device
 */
public record Registration(
    ExternalId externalId,
    String nickname,
    @Nullable String inviteCode,
    @Nullable MemberId member,
    @Nullable String address,
    @Nullable String device) {
  /** In UTF-8. */
  public static final int MAX_NICKNAME_BYTES = 64;

  /** In UTF-8. */
  public static final int MAX_CODE_BYTES = 64;

  /** Of an address and a device, in UTF-8. */
  public static final int MAX_TAG_BYTES = 256;

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
    if (address != null) {
      ExternalText.require("address", address, MAX_TAG_BYTES);
    }
    if (device != null) {
      ExternalText.require("device", device, MAX_TAG_BYTES);
    }
  }

  /** Without an address and a device. */
  public Registration(
      ExternalId externalId,
      String nickname,
      @Nullable String inviteCode,
      @Nullable MemberId member) {
    this(externalId, nickname, inviteCode, member, null, null);
  }

  Registration withoutCode() {
    return new Registration(externalId, nickname, null, member, address, device);
  }

  /**
   * Distinguishes a repeat from a different registration of the same external id. A repeat may come
   * from another address; the first one counts.
   */
  String digest() {
    return Sha256.of(
        String.join(
            "\n",
            nickname,
            Objects.requireNonNullElse(inviteCode, ""),
            member == null ? "" : member.value()));
  }
}
