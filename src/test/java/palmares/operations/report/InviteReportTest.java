package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The report of a board that counts invites shows nicknames and invite codes. */
@WorldTest
class InviteReportTest {
  @Autowired private World world;
  @Autowired private Members members;
  @Autowired private PalmaresReport palmaresReport;

  @Test
  void linesCarryNicknameAndCodeOfThoseWhoRegistered() {
    Board board =
        world.board(
            Rules.of("week")
                .with("durability: committed")
                .with("actions: { invite: 100 }")
                .with("invites: { action: invite }"));
    Period week = world.open(board);
    String code = register("ann", null);
    register("bob", code);
    world.take(Fact.by("zoe").does("invite").on("max"));
    world.settle(week);

    var lines = new ArrayList<FinalLine>();
    palmaresReport.each(board.id(), List.of(week.name()), lines::add);
    assertThat(lines)
        .extracting(FinalLine::member, FinalLine::nickname, FinalLine::inviteCode)
        .containsExactly(tuple("zoe", null, null), tuple("ann", "Mx ann", code));
  }

  private String register(String member, @Nullable String code) {
    return members
        .register(
            new Registration(new ExternalId(member), "Mx " + member, code, new MemberId(member)))
        .profile()
        .inviteCode()
        .value();
  }
}
