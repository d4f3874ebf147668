package palmares.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.board.Board;
import palmares.board.MemberId;
import palmares.member.ExternalId;
import palmares.member.Members;
import palmares.member.Registration;
import palmares.period.Period;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The palmarès of a board that counts invites says whose each line is, where that is known. */
@WorldTest
class InviteReportTest {
  @Autowired private World world;
  @Autowired private Members members;
  @Autowired private Palmareses palmareses;

  @Test
  void csvAndJsonTellNicknameAndCodeOfThoseWhoRegistered() {
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

    assertThat(csv(board, week))
        .isEqualTo(
            """
            period,rank,member,points,reached_at,credits,nickname,invite_code
            2026-W47,1,zoe,100,2026-11-20T10:00:00Z,0,,
            2026-W47,2,ann,100,2026-11-20T10:00:00Z,0,Mx ann,%s
            """
                .formatted(code));
    assertThat(json(board, week)).contains("\"nickname\":\"Mx ann\",\"invite_code\":\"" + code);
  }

  private String register(String member, @Nullable String code) {
    return members
        .register(
            new Registration(new ExternalId(member), "Mx " + member, code, new MemberId(member)))
        .profile()
        .inviteCode()
        .value();
  }

  private String csv(Board board, Period period) {
    var out = new StringBuilder();
    try (LineWriter writer = LineWriter.csv(out, List.of(board), false)) {
      palmareses.each(board.id(), period.name(), writer::write);
    }
    return out.toString();
  }

  private String json(Board board, Period period) {
    var out = new StringBuilder();
    try (LineWriter writer = LineWriter.json(out, List.of(board), false)) {
      palmareses.each(board.id(), period.name(), writer::write);
    }
    return out.toString();
  }
}
