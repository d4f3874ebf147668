package palmares.live.member;

import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberId;
import palmares.testing.Rules;

/** Fixtures: a board that counts invites, and registrations. */
final class InviteBoard {
  private InviteBoard() {}

  static Rules rules() {
    return Rules.of("week")
        .with("durability: committed")
        .with("actions: { invite: 100 }")
        .with("invites: { action: invite }");
  }

  /** A registration with a telephone number that ends in these digits. */
  static Registration withNumber(String digits, @Nullable InviteCode code) {
    return new Registration(
        new ExternalId("+86138000" + digits),
        "nick-" + digits,
        code == null ? null : code.value(),
        null);
  }

  static Registration named(String member, @Nullable InviteCode code) {
    return new Registration(
        new ExternalId("+86139000-" + member),
        member,
        code == null ? null : code.value(),
        new MemberId(member));
  }
}
