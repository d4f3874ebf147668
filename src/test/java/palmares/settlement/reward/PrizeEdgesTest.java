package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule.Denominator;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.verification.Verification;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Nobody there, one member, all equal, amounts that no account holds. */
@WorldTest
class PrizeEdgesTest {
  private static final long MOST = (1L << 53) - 1;

  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Revisions revisions;
  @Autowired private Awards awards;
  @Autowired private Verification verification;

  private Podium podium;

  @BeforeEach
  void aPodium() {
    podium = new Podium(world, jdbc, transaction, revisions, awards, verification);
  }

  private Board board(String ranks, String rule, String payout) {
    return world.board(
        """
        title: Edges
        period: day
        max-points: 1000
        actions: { invite: 3 }
        ranks: %s
        rewards: [{ rule: r, %s }]
        %s
        """
            .formatted(ranks, rule, payout));
  }

  private Map<String, Long> credits(Board board, Entrant... entrants) {
    var outcome = podium.awards(board, List.of(entrants), null);
    assertThat(outcome.doubts()).isEmpty();
    return outcome.credits();
  }

  private static Entrant ann(long points) {
    return Entrant.of("ann", points);
  }

  private static Entrant bob(long points) {
    return Entrant.of("bob", points);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ranks: { 1-3: 5 }",
        "ranks: { 1: 9, 2: 5 }, ties: share",
        "top: { 1%: 5 }",
        "top: { 0.0001%: 5 }, of: eligible, ties: share",
        "points: { 1: 5 }",
        "per: invite, credits: 5",
        "taking-part: 5"
      })
  void anEmptyBoardPaysNobodyAndAMemberAloneIsTheBest(String rule) {
    Board board = board("competition", rule, "");
    assertThat(credits(board)).isEmpty();
    assertThat(credits(board, ann(7).doing(1, 0))).hasSize(1);
    assertThat(credits(board, ann(0).doing(1, 0))).as("all of it taken back").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10%, 1, up, 1",
    "10%, 1, down, 0",
    "10%, 9, down, 0",
    "10%, 10, down, 1",
    "10%, 10, up, 1",
    "10%, 11, up, 2",
    "33.3333%, 3, down, 0",
    "33.3333%, 3, up, 1",
    "100%, 3, down, 3",
    "99.9999%, 3, up, 3",
    "0.0001%, 30, up, 1"
  })
  void aPercentOfATinyBoardIsWholeMembers(String percent, int members, String rounding, int paid) {
    Board board = board("unique", "top: { %s: 5 }, rounding: %s".formatted(percent, rounding), "");
    Entrant[] entrants = new Entrant[members];
    for (int i = 0; i < members; i++) {
      entrants[i] = Entrant.of("m" + i, 500 - i);
    }
    assertThat(credits(board, entrants)).hasSize(paid);
  }

  /** A row is replaced by another before the posting, which counts what is stored then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          6, 1, 'ann' | unequal | award of ann by r in revision 1: derived 5 credits, stored 6 credits
          5, 2, 'ann' | unequal | award of ann by r in revision 1: derived 5 credits, stored 5 gems
          5, 1, 'zoe' | extra   | award of zoe by r
          """)
  void verificationNamesAnAwardThatNoRuleGives(String forged, String kind, String doubt) {
    Board board = board("unique", "taking-part: 5", "");
    List<String> doubts =
        podium.with(
            board,
            List.of(ann(5), bob(4)),
            period -> {
              awards.award(period, 1, board, null);
              int outcome = revisions.find(period.id(), 1).orElseThrow().id();
              jdbc.sql("insert into prize values (?, 2, 'r', 'gems')").param(outcome).update();
              jdbc.sql("delete from payment where member = 'ann'").update();
              jdbc.sql(
                      """
                      insert into payment (outcome, purpose, amount, rule, member)
                      values (?, 1, %s)
                      """
                          .formatted(forged))
                  .param(outcome)
                  .update();
              revisions.markFilled(outcome);
              podium.post();
              return podium.doubts(period);
            });
    assertThat(doubts)
        .anySatisfy(found -> assertThat(found).startsWith(kind + ": ").contains(doubt));
  }

  @Test
  void ifAllAreEqualTheTieRuleDecides() {
    Entrant cid = Entrant.of("cid", 5);
    String prizes = "ranks: { 1: 10, 2: 5 }, ties: ";
    assertThat(credits(board("competition", prizes + "each", ""), ann(5), bob(5), cid))
        .isEqualTo(Map.of("ann r credits", 10L, "bob r credits", 10L, "cid r credits", 10L));
    assertThat(credits(board("dense", prizes + "share", ""), ann(5), bob(5), cid))
        .isEqualTo(Map.of("ann r credits", 5L, "bob r credits", 5L, "cid r credits", 5L));
    assertThat(credits(board("unique", "ranks: { 1: 10, 2: 5 }", ""), ann(5), bob(5), cid))
        .isEqualTo(Map.of("ann r credits", 10L, "bob r credits", 5L));
  }

  @Test
  void tiesLeftToAPersonAreNamedAndPaidAsDecided() {
    Board board = board("competition", "ranks: { 1: 10, 2: 5, 3-9: 2 }, ties: hold", "");
    var entrants =
        List.of(ann(9), bob(9), Entrant.of("cid", 4), Entrant.of("dan", 4), Entrant.of("eve", 1));
    assertThat(podium.awards(board, entrants, null).ties())
        .as("cid and dan get the same by either decision")
        .containsExactly(new HeldTie("r", "credits", 1, 2, List.of("ann", "bob"), 15));
    assertThat(podium.awards(board, entrants, Ties.EACH).credits())
        .containsEntry("ann r credits", 10L)
        .containsEntry("bob r credits", 10L);
    assertThat(podium.awards(board, entrants, Ties.SHARE).credits())
        .containsEntry("ann r credits", 8L)
        .containsEntry("bob r credits", 7L);
    assertThat(podium.awards(board, entrants, Ties.ORDER).credits())
        .containsEntry("ann r credits", 10L)
        .containsEntry("bob r credits", 5L);
  }

  /** bob has the first prize by his rank and by his seat, and a half of both prizes by a share. */
  @Test
  void aTieWithAMemberWhoMayNotWinIsLeftToAPersonToo() {
    Board board = board("competition", "ranks: { 1: 10, 2: 5 }, ties: hold", "");
    var entrants = List.of(bob(9), ann(9).barred());
    assertThat(podium.awards(board, entrants, null).ties())
        .containsExactly(new HeldTie("r", "credits", 1, 2, List.of("bob", "ann"), 15));
    assertThat(podium.awards(board, entrants, Ties.SHARE).credits())
        .isEqualTo(Map.of("bob r credits", 8L));
  }

  /** bob's rank has none, and cid's has none, but one of the places of cid and dan has. */
  @Test
  void ranksWithoutAPrizeBetweenOthersAreLeftToAPersonIfATieReachesOne() {
    Board board = board("competition", "ranks: { 1: 10, 4: 5 }, ties: hold", "");
    var entrants = List.of(ann(9), bob(8), Entrant.of("cid", 7), Entrant.of("dan", 7));
    assertThat(podium.awards(board, entrants, null).ties())
        .containsExactly(new HeldTie("r", "credits", 3, 2, List.of("cid", "dan"), 5));
  }

  /** cid has 5 by rank and by a share, and nothing by the third place. */
  @Test
  void aMemberWhomOnlyItsPlaceGivesNothingIsLeftToAPerson() {
    Board board = board("competition", "ranks: { 1: 5, 2: 10 }, ties: hold", "");
    var entrants = List.of(ann(9).barred(), bob(9).barred(), Entrant.of("cid", 9));
    assertThat(podium.awards(board, entrants, null).ties())
        .containsExactly(new HeldTie("r", "credits", 1, 3, List.of("ann", "bob", "cid"), 15));
  }

  /** cid is third by rank and fourth by seat: the tie before it changes what it gets. */
  @Test
  void onADenseBoardAMemberBehindATieIsLeftToAPersonToo() {
    Board board = board("dense", "ranks: { 1-3: 100, 4: 10 }, ties: hold", "");
    var entrants = List.of(ann(9), bob(9), Entrant.of("dan", 5), Entrant.of("cid", 4));
    var undecided = podium.awards(board, entrants, null);
    assertThat(undecided.ties())
        .containsExactly(new HeldTie("r", "credits", 3, 1, List.of("cid"), 10));
    assertThat(undecided.doubts())
        .as("verification misses the decision if it is paid without one")
        .singleElement()
        .asString()
        .contains("decision on ties by r at rank 3");
    assertThat(podium.awards(board, entrants, Ties.EACH).credits())
        .containsEntry("cid r credits", 100L);
    assertThat(podium.awards(board, entrants, Ties.ORDER).credits())
        .containsEntry("cid r credits", 10L);
  }

  @Test
  void aForfeitedPrizeGoesToNobodyOrMovesUp() {
    String prizes = "ranks: { 1: 10, 2: 5 }";
    var entrants = new Entrant[] {ann(9).barred(), bob(8), Entrant.of("cid", 7)};
    assertThat(credits(board("unique", prizes, ""), entrants))
        .isEqualTo(Map.of("bob r credits", 5L));
    assertThat(credits(board("unique", prizes, "payout: { forfeited: moves-up }"), entrants))
        .isEqualTo(Map.of("bob r credits", 10L, "cid r credits", 5L));
  }

  /** ann registers at the very end, and bob a microsecond before it. */
  @Test
  void whoRegistersAtTheEndIsOfTheNextPeriod() {
    Board board = board("unique", "ranks: { 1: 10, 2: 5 }", "payout: { eligible: registered }");
    assertThat(credits(board, ann(9).stranger(), bob(8))).isEqualTo(Map.of("bob r credits", 5L));
  }

  @Test
  void onlyMembersWhoMayWinAreEligible() {
    Board board = board("unique", "top: { 50%: 5 }, of: eligible", "payout: { min-points: 5 }");
    var entrants =
        List.of(ann(9), bob(8).barred(), Entrant.of("cid", 4), Entrant.of("dan", 9).unranked());
    Map<Denominator, Long> counted =
        podium.with(board, entrants, period -> awards.denominators(period, 1, board));
    assertThat(counted).isEqualTo(Map.of(Denominator.RANKED, 3L, Denominator.ELIGIBLE, 1L));
  }

  @Test
  void anAwardThatExceedsAnAccountIsRefusedWithTheRulesName() {
    Board board = board("unique", "per: invite, credits: " + MOST, "");
    assertThat(credits(board, ann(5).doing(1024, 0)))
        .isEqualTo(Map.of("ann r credits", MOST * 1024));
    assertThatThrownBy(() -> credits(board, ann(5).doing(1025, 0)))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("the rule 'r' awards a member more credits than an account can hold");
    assertThatThrownBy(() -> credits(board, ann(5).doing(1024, 0), bob(5).doing(1, 0)))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("the rules r award 9232379236109515775 credits together");
  }

  /** One sum is exactly what an account holds. */
  @Test
  void theAwardsOfEachOutcomeInEachCurrencyMayFillAnAccount() {
    String most = "per: invite, credits: " + MOST;
    Board former = board("unique", most, "");
    String others = " }, { rule: s, taking-part: 1023 }, { rule: g, currency: gems, ";
    Board board = board("unique", most + others + most, "");
    var amounts =
        podium.with(
            former,
            List.of(bob(5).doing(1024, 0)),
            before -> {
              awards.award(before, 1, former, null);
              return podium.with(
                  board,
                  List.of(ann(5).doing(1024, 0)),
                  period -> {
                    awards.award(period, 1, board, null);
                    return amounts();
                  });
            });
    assertThat(amounts).containsExactly(1023L, MOST * 1024, MOST * 1024, MOST * 1024);
  }

  private List<Long> amounts() {
    return jdbc.sql("select amount from payment order by amount").query(Long.class).list();
  }

  @Test
  void whoIsSlowerThanTheLastMilestoneGetsNothing() {
    Board board =
        world.board(
            """
            title: Edges
            period: day
            scoring: lowest-best
            max-points: 1000
            actions: { invite: {} }
            rewards: [{ rule: r, points: { 9: 5, 4: 10 } }]
            """);
    assertThat(credits(board, ann(4), bob(9), Entrant.of("cid", 10)))
        .isEqualTo(Map.of("ann r credits", 10L, "bob r credits", 5L));
  }

  /** A late event's id is of its board and period, and each amendment accepts events again. */
  @Test
  void onlyLateEventsOfTheActionThatTheRevisionAcceptsArePaid() {
    Board elsewhere = board("unique", "per: invite, credits: 5", "");
    Board board = board("unique", "per: invite, credits: 5", "");
    var amounts =
        podium.with(
            elsewhere,
            List.of(ann(5).doing(0, 1)),
            before ->
                podium.with(
                    board,
                    List.of(ann(5).stranger().doing(0, 1)),
                    period -> {
                      acceptOtherLateEvents(period);
                      awards.award(period, 1, board, null);
                      return amounts();
                    }));
    assertThat(amounts).containsExactly(5L);
  }

  /** One of another action, one of another period with an equal id, and one in an amendment. */
  private void acceptOtherLateEvents(Period period) {
    beginAmendment(period);
    for (String sql :
        List.of(
            """
            insert into late_event (
              board, period, id, member, action, undo, quantity, occurred_at, arrived_at)
            select board, other.period, other.id, member, other.action, undo, quantity,
              occurred_at, arrived_at
            from late_event
            cross join lateral (
              values ('before', late_event.id, action), (late_event.period, 'x', 'like'))
              as other (period, id, action)
            where board = ?
            """,
            """
            insert into correction (
              period_id, revision, n, member, kind, event_id, points, reason, made_by, made_at)
            select period_id, other.revision, n + 1, member, kind, other.id, points, reason,
              made_by, made_at
            from correction
            cross join lateral (values (1, 'x'), (2, event_id)) as other (revision, id)
            where period_id = (select id from period where board = ?)
            """)) {
      jdbc.sql(sql).param(period.board().value()).update();
    }
  }

  private void beginAmendment(Period period) {
    jdbc.sql(
            """
            insert into revision (
              id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
              reason)
            select id - 1000000, period_id, 2, 1, definition_hash, owed, prepared_by, prepared_at,
              'a test'
            from revision
            where period_id = ?
            """)
        .param(period.id().value())
        .update();
  }

  /** ann is excluded of another period, and bob of an amendment. */
  @Test
  void exclusionsOfOtherOutcomesBarNobody() {
    Board elsewhere = board("unique", "taking-part: 5", "");
    Board board = board("unique", "ranks: { 1: 10, 2: 5 }", "");
    var amounts =
        podium.with(
            elsewhere,
            List.of(ann(5).barred()),
            before ->
                podium.with(
                    board,
                    List.of(ann(9).stranger(), bob(8)),
                    period -> {
                      beginAmendment(period);
                      jdbc.sql(
                              """
                              insert into frozen_exclusion (
                                period_id, revision, member, level, exclusion_id)
                              select ?, 2, 'bob', level, exclusion_id from frozen_exclusion
                              """)
                          .param(period.id().value())
                          .update();
                      awards.award(period, 1, board, null);
                      return amounts();
                    }));
    assertThat(amounts).containsExactly(5L, 10L);
  }

  @Test
  void aTieForTheLastPrizeIsLeftToAPersonAndNamesTenMembers() {
    Board board = board("competition", "ranks: { 1: 10 }, ties: hold", "");
    var entrants = IntStream.range(0, 12).mapToObj(n -> Entrant.of("m" + n, 9)).toList();
    assertThat(podium.awards(board, entrants, null).ties())
        .singleElement()
        .satisfies(tie -> assertThat(tie.members()).hasSize(10))
        .extracting(HeldTie::size)
        .isEqualTo(12L);
  }
}
