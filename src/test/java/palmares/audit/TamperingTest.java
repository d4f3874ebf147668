package palmares.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** No row that money or fame depends on can be changed, lost or slipped in without being named. */
@WorldTest
class TamperingTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Verification verification;

  private Period day;

  @BeforeEach
  void aSettledContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          update snapshot set points = points + 1 where member = 'dan'       | unequal | snapshot of dan
          update snapshot set reached_at = reached_at - interval '1 ms'      | unequal | snapshot of ann
          delete from snapshot where member = 'eve'                          | missing | snapshot of eve
          insert into snapshot select period_id, 'zoe', 1, now() from snapshot limit 1 | extra | snapshot of zoe
          update standing set rank = 1 where member = 'cid'                  | unequal | standing of cid
          update standing set points = 101 where member = 'bob'              | unequal | standing of bob
          update standing set reached_at = now() where member = 'eve'        | unequal | standing of eve
          delete from standing where member = 'dan'                          | missing | standing of dan
          insert into standing select period_id, 1, 6, 6, 'zoe', 0, now() from standing limit 1 | extra | standing of zoe
          update award set credits = 999 where rule = 'podium' and member = 'ann' | unequal | award of ann by podium
          update award set member = 'dan' where rule = 'podium' and member = 'bob' | extra | award of dan by podium
          delete from award where member = 'cid' and rule = 'each-invite'    | missing | award of cid by each-invite
          insert into award select period_id, 1, 'dan', 'each-invite', 20 from award limit 1 | extra | award of dan by each-invite
          update transfer set amount = 21 where member = 'bob' and rule = 'each-invite' | unequal | transfer to bob by each-invite
          delete from transfer where member = 'ann' and rule = 'podium'      | missing | transfer to ann by podium
          insert into transfer (period_id, revision, member, rule, from_account, to_account, amount, posted_at, fence) select period_id, 1, 'dan', rule, from_account, to_account, 1, now(), 1 from transfer limit 1 | extra | transfer to dan by
          update entry set amount = amount + 1 where amount = 1000           | unequal | transfer to ann by podium
          delete from entry where amount = -1000                             | unequal | transfer to ann by podium
          update entry set account_id = (select id from account where name = 'bob') where amount = 1000 | unequal | transfer to ann by podium
          update entry set amount = amount + 1 where amount = 1000           | unequal | balance of member ann
          update entry set amount = amount - 5 where amount < 0              | unequal | balance of house
          update event set points = 99 where member = 'ann' and subject = 'joe' | unequal | snapshot of ann
          delete from event where member = 'bob'                             | extra   | snapshot of bob
          insert into standing select period_id, 2, 1, 1, 'zoe', 999, now() from standing limit 1 | extra | standing of zoe in revision 2
          insert into standing select period_id, 2, place, rank, member, points, reached_at from standing | extra | standing of ann in revision 2
          insert into award select period_id, 2, member, rule, credits from award where rule = 'podium' | extra | award of ann by podium in revision 2
          update award set revision = 2 where member = 'ann' and rule = 'podium' | missing | award of ann by podium
          update transfer set revision = 2 where member = 'ann' and rule = 'podium' | extra | transfer to ann by podium in revision 2
          update account set currency = 'gold'                               | unequal | transfer to ann by podium
          update account set currency = 'gold' where kind = 'house'          | unequal | transfer to ann by podium
          update transfer set to_account = (select id from account where name = 'bob') where amount = 1000 | unequal | transfer to ann by podium
          update event set id = 'forged', quantity = 2 where member = 'bob'  | unequal | event forged of bob
          update event set id = 'forged', points = 200 where member = 'bob'  | unequal | event forged of bob
          update event set id = 'forged', action = 'like' where member = 'bob' | unequal | event forged of bob
          update event set id = 'forged', action = 'hug' where member = 'dan' and points = 1 | extra | event forged of dan
          update event set id = 'forged', subject = 'joe' where member = 'dan' and outcome = 'undone' | unequal | event forged of dan
          update event set id = 'forged', points = -99 where member = 'dan' and outcome = 'undone' | unequal | event forged of dan
          update event set id = 'forged', action = 'like' where member = 'dan' and outcome = 'undone' | unequal | event forged of dan
          """)
  void everyTamperingIsFoundAndItsMemberNamed(String sql, String kind, String what) {
    Findings findings = servers.tampered(sql, records::verify);
    assertThat(findings.clean()).isFalse();
    assertThat(findings.named())
        .extracting(Difference::sentence)
        .anySatisfy(sentence -> assertThat(sentence).startsWith(kind + ": ").contains(what))
        .allSatisfy(
            sentence -> assertThat(sentence).as("nothing is left blank").doesNotContain("  "));
    assertThat(records.verify().named()).as("once it is taken back").isEmpty();
  }

  @Test
  void aTransferInAnotherRevisionIsFoundThoughItsBooksBalance() {
    Findings findings =
        servers.tampered(
            """
            with invented as (
              insert into transfer (
                period_id, revision, member, rule, from_account, to_account, amount,
                posted_at, fence)
              select period_id, 2, member, rule, from_account, to_account, 1000000, now(), fence
              from transfer
              where member = 'ann' and rule = 'podium'
              returning *
            )
            insert into entry (transfer_id, account_id, amount)
            select id, from_account, -amount from invented
            union all
            select id, to_account, amount from invented
            """,
            records::verify);
    assertThat(findings.named())
        .extracting(Difference::sentence)
        .containsExactly(
            """
            extra: %s: transfer to ann by podium in revision 2: \
            1000000 credits from rewards:%s to ann\
            """
                .formatted(day.label(), day.board()));
  }

  @ParameterizedTest
  @CsvSource({"paid, 0", "awarded, 6", "ranked, 12", "reconciled, 17", "sealed, 17"})
  void whatAnUnsettledPeriodCannotHoldYetIsExtra(String state, int extra) {
    String sql = "update period set settled_at = null, state = '" + state + "'";
    Findings findings = servers.tampered(sql, records::verify);
    assertThat(findings.named())
        .hasSize(extra)
        .allSatisfy(
            found -> {
              assertThat(found.where()).isEqualTo(day.label());
              assertThat(found.derived()).isNull();
            });
    Findings ofOneBoard =
        servers.tampered(sql, () -> verification.verifySettled(day.board(), null));
    assertThat(ofOneBoard.clean()).as("only a verification of everything looks").isTrue();
  }

  @Test
  void anotherRevisionOfAnUnsettledPeriodIsExtra() {
    Findings findings =
        servers.tampered(
            """
            with reopened as (
              update period set settled_at = null, state = 'paid' returning id
            )
            insert into award (period_id, revision, member, rule, credits)
            select id, 2, 'ann', 'podium', 1000 from reopened
            """,
            records::verify);
    assertThat(findings.named())
        .extracting(Difference::sentence)
        .containsExactly(
            "extra: %s: award of ann by podium in revision 2: 1000 credits".formatted(day.label()));
  }

  @Test
  void aDifferenceTellsWhereItIsAndBothFigures() {
    Findings findings =
        servers.tampered(
            "update award set credits = 21 where member = 'bob' and rule = 'each-invite'",
            records::verify);
    assertThat(findings.named().get(0).sentence())
        .isEqualTo(
            "unequal: %s: award of bob by each-invite: derived 20 credits, stored 21 credits"
                .formatted(day.label()));
    assertThat(findings.summary()).endsWith("0 missing, 0 extra, 4 unequal");
  }

  @Test
  void aVerificationOfAnotherBoardOrPeriodDoesNotSeeIt() {
    String sql = "update standing set points = 999 where member = 'ann'";
    BoardId own = day.board();
    assertThat(servers.tampered(sql, () -> verification.verifySettled(own, null)).clean())
        .isFalse();
    assertThat(servers.tampered(sql, () -> verification.verifySettled(own, day.name())).clean())
        .isFalse();
    var other = new PeriodName("2026-11-19");
    assertThat(servers.tampered(sql, () -> verification.verifySettled(own, other)).clean())
        .isTrue();
  }

  @Test
  void onlySettledPeriodsAreLookedAt() {
    world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    assertThat(records.verify().summary()).startsWith("verified: 1 periods,");
  }
}
