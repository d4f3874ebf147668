package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.period.Period;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * The boards in {@code jobs/} that pay, closed on facts that never change: everybody's line and
 * every credit is as in the file next to this test.
 */
@WorldTest
class ShippedPrizesTest {
  private static final Path EXPECTED = Path.of("src/test/resources/palmares/settlement/reward");
  private static final List<String> PAYING =
      List.of(
          "activity-daily",
          "activity-monthly",
          "arena-gold",
          "arena-silver",
          "coins",
          "invites",
          "quiz",
          "time-trial");
  private static final int MEMBERS = 36;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Members members;
  @Autowired private Approvals approvals;
  @Autowired private JdbcClient jdbc;

  @Test
  void everyLineAndCreditOfTheShippedBoardsIsAsExpected() throws IOException {
    var boards = boards();
    register();
    var periods = new LinkedHashMap<String, Period>();
    boards.forEach((name, board) -> periods.put(name, world.open(board)));
    boards.forEach(this::play);
    periods.forEach(this::settle);

    for (String name : PAYING) {
      assertThat(palmares(Objects.requireNonNull(periods.get(name))))
          .as(name)
          .isEqualTo(Files.readString(EXPECTED.resolve(name + ".csv")));
    }
    assertThat(moves(boards)).isEqualTo(Files.readString(EXPECTED.resolve("arena.csv")));
    assertThat(records.verify().named()).isEmpty();
  }

  private Map<String, Board> boards() throws IOException {
    var texts = new ArrayList<String>();
    for (String name : PAYING) {
      texts.add(Files.readString(Path.of("jobs", name + ".yml")));
    }
    List<Board> read = world.boards(texts);
    var boards = new LinkedHashMap<String, Board>();
    for (int i = 0; i < read.size(); i++) {
      boards.put(PAYING.get(i), read.get(i));
    }
    return boards;
  }

  /** All but each seventh. */
  private void register() {
    for (int i = 1; i <= MEMBERS; i++) {
      if (i % 7 != 0) {
        var id = new ExternalId("sample-" + i);
        members.register(new Registration(id, member(i), null, new MemberId(member(i))));
      }
    }
  }

  private static String member(int i) {
    return "m%02d".formatted(i);
  }

  private void play(String name, Board board) {
    var random = new Random(name.hashCode());
    for (int i = 1; i <= MEMBERS; i++) {
      for (Action action : board.actions().values()) {
        var facts = new ArrayList<Fact>();
        // Few subjects and few values, so that many tie.
        for (int n = random.nextInt(name.equals("quiz") ? 25 : 4); n > 0; n--) {
          Fact fact = Fact.by(member(i)).does(action.name()).on("s" + n).to(board);
          fact = action.maxQuantity() > 1 ? fact.times(1 + random.nextInt(3)) : fact;
          facts.add(action.points() > 0 ? fact : fact.with(70_000 + 2_500 * random.nextInt(12)));
        }
        world.pass(Duration.ofSeconds(1));
        world.take(facts);
      }
    }
  }

  private void settle(String name, Period period) {
    ClosingResult closed = world.close(period);
    if (closed.outcome() == ClosingResult.Status.HELD) {
      assertThat(name).isEqualTo("time-trial");
      approvals.approve(period.id(), new ApprovalDecision("ann", "looked at the film", Ties.ORDER));
      closed = world.close(period);
    }
    assertThat(closed.outcome()).as(name).isEqualTo(ClosingResult.Status.SETTLED);
  }

  private String palmares(Period period) {
    var csv = new StringBuilder("place,rank,member,points,awards\n");
    jdbc.sql(
            """
            select place, rank, standing.member, points, coalesce(awards, '') as awards
            from standing
            left join (
              select member,
                string_agg(format('%s %s by %s', amount, currency, rule), '; ' order by rule)
                  as awards
              from transfer
              where period_id = :period
              group by member
            ) paid on paid.member = standing.member
            where period_id = :period
            order by place
            """)
        .param("period", period.id().value())
        .query(
            row -> {
              csv.append(
                  "%d,%d,%s,%d,%s\n"
                      .formatted(
                          row.getLong("place"),
                          row.getLong("rank"),
                          row.getString("member"),
                          row.getLong("points"),
                          row.getString("awards")));
            });
    return csv.toString();
  }

  private String moves(Map<String, Board> boards) {
    var csv = new StringBuilder("tier,place,member,direction,to\n");
    var names = new LinkedHashMap<String, String>();
    boards.forEach((name, board) -> names.put(board.id().value(), name));
    jdbc.sql("select * from tier_overview where family = 'arena' order by tier, place")
        .query(
            row -> {
              csv.append(
                  "%d,%d,%s,%s,%s\n"
                      .formatted(
                          row.getInt("tier"),
                          row.getLong("place"),
                          row.getString("member"),
                          row.getString("direction"),
                          names.get(row.getString("to_board"))));
            });
    return csv.toString();
  }
}
