package palmares.live.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static palmares.live.member.InviteBoard.named;
import static palmares.live.member.InviteBoard.withNumber;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.RefusalReason;
import palmares.live.member.Members.Registered;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Invalid invites are refused or ignored, depending on the boards. */
@WorldTest
class InvitePolicyTest {
  private static final String IGNORING =
      "invites: { action: invite, self: ignore, unknown-code: ignore }";
  private static final InviteCode UNUSED_CODE = new InviteCode("22222222");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Members members;

  @Test
  void anUnknownCodeIsRefusedAndNoMemberIsRegistered() {
    world.board(InviteBoard.rules());
    assertRefused(withNumber("1", UNUSED_CODE), Problem.UNKNOWN_CODE);
    assertThat(records.number("select count(*) from member")).isZero();
    assertThat(members.register(withNumber("1", null)).isNew()).isTrue();
  }

  @Test
  void anUnknownCodeIsIgnoredIfTheBoardSaysSo() {
    world.board(InviteBoard.rules().with(IGNORING));
    Registered registered = members.register(withNumber("1", UNUSED_CODE));
    assertThat(registered.profile().inviter()).isNull();
    assertThat(members.register(withNumber("1", UNUSED_CODE)).profile())
        .isEqualTo(registered.profile());
  }

  @Test
  void theStricterBoardDecides() {
    world.board(InviteBoard.rules().with(IGNORING));
    world.board(InviteBoard.rules());
    assertRefused(withNumber("1", UNUSED_CODE), Problem.UNKNOWN_CODE);
  }

  @Test
  void aSelfInviteIsRefused() {
    Period week = world.open(world.board(InviteBoard.rules()));
    InviteCode own = members.register(named("ann", null)).profile().inviteCode();
    assertRefused(named("ann", own), Problem.SELF_INVITE);
    assertRefused(
        new Registration(new ExternalId("other"), "ann", own.value(), new MemberId("ann")),
        Problem.SELF_INVITE);
    assertThat(records.live(week)).isEmpty();
  }

  @Test
  void anIgnoredSelfInviteRepeatsTheFirstRegistration() {
    Period week = world.open(world.board(InviteBoard.rules().with(IGNORING)));
    var first = members.register(named("ann", null)).profile();
    Registered again = members.register(named("ann", first.inviteCode()));
    assertThat(again.isNew()).isFalse();
    assertThat(again.profile()).isEqualTo(first);
    assertRefused(
        new Registration(
            new ExternalId("other"), "ann", first.inviteCode().value(), new MemberId("ann")),
        Problem.MEMBER_TAKEN);
    assertThat(records.live(week)).isEmpty();
  }

  @Test
  void aSelfInviteByAnEventIsRefused() {
    world.board(InviteBoard.rules().with(IGNORING));
    EventOutcome outcome = world.take(Fact.by("ann").does("invite").on("ann"));
    assertThat(outcome.reason()).isEqualTo(RefusalReason.SELF_INVITE);
  }

  @Test
  void eventsWithTheIdsOfRegistrationsAreRefused() {
    world.board(InviteBoard.rules());
    EventOutcome outcome =
        world.take(Fact.by("ann").does("invite").on("bob").named("registration:invite:bob"));
    assertThat(outcome.reason()).isEqualTo(RefusalReason.INVALID_FIELD);
  }

  @Test
  void aDifferentRegistrationOfTheSameExternalIdIsRefused() {
    world.board(InviteBoard.rules());
    members.register(withNumber("1", null));
    var other = new Registration(withNumber("1", null).externalId(), "other", null, null);
    assertRefused(other, Problem.ALREADY_REGISTERED);
  }

  @Test
  void aMemberIdThatIsTakenIsRefused() {
    world.board(InviteBoard.rules());
    members.register(named("ann", null));
    var other = new Registration(new ExternalId("other"), "ann", null, new MemberId("ann"));
    assertRefused(other, Problem.MEMBER_TAKEN);
  }

  @Test
  void caseAndHyphensInACodeAreIgnored() {
    world.board(InviteBoard.rules());
    String code = members.register(named("ann", null)).profile().inviteCode().value();
    String typed = code.substring(0, 4).toLowerCase() + "-" + code.substring(4);
    var invited = new Registration(new ExternalId("other"), "bob", typed, null);
    assertThat(members.register(invited).profile().inviter()).hasToString("ann");
  }

  private void assertRefused(Registration registration, Problem reason) {
    assertThatThrownBy(() -> members.register(registration))
        .isInstanceOfSatisfying(
            Refusal.class, refused -> assertThat(refused.problem()).isEqualTo(reason));
  }
}
