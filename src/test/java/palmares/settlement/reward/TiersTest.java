package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.verification.Findings;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Members move between the tiers of a family as the closing finds them, and nobody both ways. */
@WorldTest
class TiersTest {
  private static final String MOVES =
      "select member || ' ' || direction from tier_move order by tier, member";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;

  private static String tier(String family) {
    return Rules.day().with("family: { name: league, " + family + " }").text();
  }

  /** A board with this number of members, m1 the best. */
  private Period played(Board board, int members) {
    Period period = world.open(board);
    for (int i = 1; i <= members; i++) {
      world.pass(Duration.ofSeconds(1));
      world.take(Fact.by("m" + i).does("coin").times(members - i + 1).on("s").to(board));
    }
    return period;
  }

  private List<Board> league(String promote, String relegate) {
    return world.boards(
        List.of(
            tier("tier: 1"),
            tier("tier: 2, promote: " + promote + ", relegate: " + relegate),
            tier("tier: 3")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2   | 1   | 5 | m1 up, m2 up, m5 down",
        "10% | 30% | 9 | m8 down, m9 down",
        "50% | 50% | 3 | m1 up, m3 down",
        "3   | 3   | 4 | m1 up, m2 up, m3 up, m4 down",
        "3   | 3   | 1 | m1 up",
        "3   | 3   | 0 | "
      })
  void theFirstMoveUpAndTheLastMoveDown(
      String promote, String relegate, int members, String moves) {
    List<Board> league = league(promote, relegate);
    world.open(league.get(0));
    world.open(league.get(2));
    world.settle(played(league.get(1), members));

    assertThat(String.join(", ", records.words(MOVES))).isEqualTo(moves == null ? "" : moves);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theBoardsAboveAndBelowAreThoseOfTheSameTime() {
    List<Board> league = league("1", "1");
    world.open(league.get(0));
    world.settle(played(league.get(1), 3));

    assertThat(
            records.words(
                "select direction || ' to ' || coalesce(to_board, 'none') from tier_move order by"
                    + " 1"))
        .containsExactly("down to none", "up to " + league.get(0).id());
    world.open(league.get(2));
    assertThat(records.verify().named()).as("a board that opened later was not there").isEmpty();
  }

  /** Though no rank changes, nor anybody's prize. */
  @Test
  void anAmendmentNamesMembersWhoNoLongerMoveUp() {
    List<Board> league = league("1", "1");
    Period period = world.settle(played(league.get(1), 4));
    exclusions.exclude(Terms.always(new MemberId("m1"), ExclusionLevel.NO_PRIZE), "cheats", "ann");
    Amendment amendment =
        amendments
            .prepare(period.id(), new AmendmentRequest("ann", "cheats", null, Map.of()))
            .orElseThrow();
    assertThat(amendment.differences().first())
        .extracting(one -> one.member() + " " + one.tierBefore() + " > " + one.tierAfter())
        .containsExactly("m1 up > null", "m2 null > up");
    assertThat(amendment.differences().changed()).isEqualTo(2);
    amendments.approve(period.id(), null, "bob", "right so");
    assertThat(records.words("select member || ' ' || direction from tier_overview order by place"))
        .containsExactly("m2 up", "m4 down");
    assertThat(records.verify().named()).isEmpty();
  }

  /** Before the closing it was frozen of another board, and before the last amendment of one. */
  @Test
  void anExclusionThatWasLiftedLetsAMemberMoveUp() {
    Board board = league("1", "1").get(1);
    Period elsewhere = played(world.board(Rules.day()), 1);
    Period period = played(board, 4);
    Exclusion former = exclude();
    world.settle(elsewhere);
    exclusions.lift(former.id(), "innocent", "ann");
    world.settle(period);
    assertThat(records.words(MOVES)).containsExactly("m1 up", "m4 down");

    Exclusion latter = exclude();
    amend(period);
    exclusions.lift(latter.id(), "innocent", "ann");
    amend(period);
    assertThat(records.words("select member || ' ' || direction from tier_overview order by place"))
        .containsExactly("m1 up", "m4 down");
  }

  @Test
  void aMemberWithoutARankDoesNotMove() {
    Period period = played(league("1", "1").get(1), 4);
    var unranked = Terms.always(new MemberId("m4"), ExclusionLevel.UNRANKED);
    exclusions.exclude(unranked, "a bot", "ann");
    world.settle(period);
    assertThat(records.words(MOVES)).containsExactly("m1 up", "m3 down");
  }

  private Exclusion exclude() {
    return exclusions.exclude(
        Terms.always(new MemberId("m1"), ExclusionLevel.NO_PRIZE), "cheats", "ann");
  }

  private void amend(Period period) {
    amendments.prepare(period.id(), new AmendmentRequest("ann", "cheats", null, Map.of()));
    amendments.approve(period.id(), null, "bob", "right so");
  }

  @Test
  void aMemberWhoUndidAllDoesNotMoveUp() {
    List<Board> league = league("1", "1");
    Period period = world.open(league.get(1));
    Fact like = Fact.by("ann").on("s").to(league.get(1));
    world.take(List.of(like, like.undone()));
    world.settle(period);
    assertThat(records.words(MOVES)).containsExactly("ann down");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from tier_move where member = 'm1'",
        "update tier_move set member = 'm2' where member = 'm1'",
        "update tier_move set direction = 'down', to_tier = 3 where member = 'm1'",
        "update tier_move set to_board = 'elsewhere' where member = 'm1'",
        "update tier_move set family = 'cup' where member = 'm1'",
        "update tier_move set revision = 2 where member = 'm1'",
        "insert into tier_move select period_id, revision, 'm2', family, tier, direction, to_tier,"
            + " to_board from tier_move where member = 'm1'"
      })
  void verificationNamesAChangedMove(String sql) {
    List<Board> league = league("1", "1");
    world.open(league.get(0));
    world.settle(played(league.get(1), 4));
    Findings findings = servers.tampered(sql, records::verify);
    assertThat(findings.named())
        .extracting(difference -> Texts.english(difference.said()))
        .anySatisfy(sentence -> assertThat(sentence).contains("move of m"));
  }
}
