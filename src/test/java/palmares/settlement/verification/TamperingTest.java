package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Verification names each changed, missing or added row that results or payments depend on. */
@WorldTest
class TamperingTest {
  /** What is done, and the kind and the name of a difference that it makes. */
  private static final String TAMPERINGS =
      """
      update line set points = points + 1 where member = 'dan'           | unequal | line of dan
      update line set points = 101 where member = 'bob'                  | unequal | line of bob
      update line set then_by = 1 where member = 'bob'                   | unequal | line of bob
      update line set arrival = 7 where member = 'cid'                   | unequal | line of cid
      update line set reached_at = reached_at - interval '1 ms'          | unequal | line of ann
      update line set reached_at = null where member = 'eve'             | unequal | line of eve
      update line set place = 9 where member = 'dan'                     | unequal | line of dan
      update line set rank = 1 where member = 'cid'                      | unequal | line of cid
      update line set place = 9 where member = 'cid'; update line set place = 2 where member = 'bob'; update line set place = 3 where member = 'cid' | unequal | line of bob
      update line set rank = null where member = 'dan'                   | unequal | line of dan
      update line set place = null, rank = null where member = 'dan'     | unequal | line of dan
      update line set member = 'zoe' where member = 'dan'                | missing | line of dan
      delete from line where member = 'dan'                              | missing | line of dan
      delete from line where member = 'eve'                              | missing | line of eve
      insert into line (outcome, place, rank, member, points) select outcome, 6, 6, 'zoe', 0 from line limit 1 | extra | line of zoe
      insert into line (outcome, member, points) select outcome, 'zoe', 0 from line limit 1 | extra | line of zoe
      update payment set amount = 999 where rule = 1 and member = 'ann'  | unequal | award of ann by podium
      update payment set amount = 21 where rule = 2 and member = 'bob'   | unequal | award of bob by each-invite
      update payment set member = 'dan' where rule = 1 and member = 'bob' | extra | award of dan by podium
      update payment set rule = 7 where rule = 1 and member = 'bob'      | extra | award of bob by rule number 7
      update payment set purpose = 2 where rule = 1 and member = 'ann'   | extra | return of ann by podium
      delete from payment where rule = 2 and member = 'cid'              | missing | award of cid by each-invite
      insert into payment select 20, outcome, 2, 1, 'dan' from payment limit 1 | extra | award of dan by each-invite
      insert into payment select 20, outcome, 2, 4, 'ann' from payment limit 1 | extra | write-off of ann by each-invite
      update prize set currency = 'gold' where rule = 1                  | unequal | award of ann by podium
      update prize set currency = 'gold' where rule = 1                  | unequal | prize number 1
      update prize set name = 'other' where rule = 1                     | missing | award of ann by podium
      delete from prize where rule = 1                                   | missing | prize number 1
      insert into prize select outcome, 3, 'other', 'gold' from prize limit 1 | extra | prize number 3
      update revision set lines = lines + 1                              | unequal | lines stored for the manifest
      update revision set line_sum = line_sum + 1                        | unequal | lines-checksum stored for the manifest
      update revision set payments = payments + 1                        | unequal | payments stored for the manifest
      update revision set payment_sum = payment_sum + 1                  | unequal | payments-checksum stored for the manifest
      update revision set fence = fence + 1                              | unequal | posted-under-lease in the manifest
      update revision set posted_at = posted_at + interval '1 s'         | unequal | posted-at in the manifest
      update revision set posted_at = null, fence = null                 | extra | current revision
      update revision set posted_at = null, fence = null                 | extra | manifest of revision 1
      update revision set posted_at = null, fence = null, verdict = null, decided_by = null, decided_at = null, verdict_reason = null | extra | manifest of revision 1
      update revision set decided_by = 'zoe', verdict_reason = 'x'       | extra | posting of revision 1
      delete from manifest                                               | missing | manifest of revision 1
      update manifest set sums = jsonb_set(sums, '{awards-by-rule,0,amount}', '1') | unequal | awards-by-rule in the sums of the manifest of revision 1
      update manifest set sums = jsonb_set(sums, '{payments-by-purpose,0,currency}', '"gold"') | unequal | payments-by-purpose in the sums of the manifest of revision 1
      update manifest set sums = sums - 'awards-by-rule'                 | missing | awards-by-rule in the sums of the manifest of revision 1
      update manifest set sums = jsonb_insert(sums, '{awards-by-rule,0}', '{"currency": "gems", "amount": 999}') | unequal | awards-by-rule in the sums of the manifest of revision 1
      update manifest set sums = jsonb_set(sums, '{awards-by-rule}', (select jsonb_build_array(jsonb_build_object('name', substring(body from '(?n)^awards-by-rule: (.*) [^ ]+: [^;]*$'), 'currency', last ->> 'currency', 'number', last -> 'number', 'amount', last -> 'amount')) from jsonb_path_query(sums, '$."awards-by-rule"[last]') as last)) where jsonb_array_length(sums -> 'awards-by-rule') > 1 | unequal | awards-by-rule in the sums of the manifest of revision 1
      update manifest set sums = jsonb_set(sums, '{board}', '"other"')   | extra   | board in the sums of the manifest of revision 1
      update manifest_link set counted_at = 'infinity'                   | unequal | link
      update period set sealed_members = sealed_members; alter table period drop constraint "a sealed period states its population"; update period set sealed_members = null | unequal | stored none members
      update journal_position set checksum = checksum + 1                | unequal | events-checksum stored for the manifest
      update journal_position set drained = drained + 1                  | unequal | drained events
      update event set points = 99 where member = 'ann' and subject = 'joe' | unequal | line of ann
      update event set points = 9223372036854775807 where member = 'ann' and outcome = 'applied' | unequal | line of ann
      update event set then_by = 9223372036854775807 where member = 'ann' | unequal | line of ann
      delete from event where member = 'bob'                             | extra   | line of bob
      update event set id = 'forged', quantity = 2 where member = 'bob'  | unequal | event forged of bob
      update event set id = 'forged', points = 200 where member = 'bob'  | unequal | event forged of bob
      update event set id = 'forged', action = 'like' where member = 'bob' | unequal | event forged of bob
      update event set id = 'forged', action = 'hug' where member = 'dan' and points = 1 | extra | event forged of dan
      update event set id = 'forged', subject = 'joe' where member = 'dan' and outcome = 'undone' | unequal | event forged of dan
      update event set id = 'forged', points = -99 where member = 'dan' and outcome = 'undone' | unequal | event forged of dan
      update event set id = 'forged', action = 'like' where member = 'dan' and outcome = 'undone' | unequal | event forged of dan
      """;

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

  @Test
  void everyTamperingIsFoundWithItsMember() {
    assertSoftly(softly -> TAMPERINGS.lines().forEach(line -> assertFound(softly, line)));
    assertThat(records.verify().named()).as("after the rollbacks").isEmpty();
  }

  final void assertFound(SoftAssertions softly, String line) {
    String[] tampering = line.split("\\|");
    String difference = tampering[1].strip() + ": ";
    Findings findings = servers.tampered(tampering[0], records::verify);
    softly.assertThat(findings.clean()).as(line).isFalse();
    softly
        .assertThat(findings.named())
        .extracting(found -> Texts.english(found.said()))
        .as(line)
        .anySatisfy(
            sentence -> assertThat(sentence).startsWith(difference).contains(tampering[2].strip()))
        .allSatisfy(
            sentence -> assertThat(sentence).as("nothing is left blank").doesNotContain("  "));
  }

  @Test
  void aPostingThatNobodyApprovedIsFound() {
    Findings findings =
        servers.tampered(
            """
            update revision set fence = fence;
            alter table revision drop constraint "only what is approved is posted";
            update revision
            set verdict = null, decided_by = null, decided_at = null, verdict_reason = null
            """,
            records::verify);
    assertThat(findings.named())
        .extracting(found -> Texts.english(found.said()))
        .contains("extra: %s: posting of revision 1: undecided".formatted(day.label()));
  }

  @Test
  void aDifferenceWithoutValuesIsSaid() {
    var neither = new Difference("", Sentence.verbatim("a row"), null, null);
    assertThat(Texts.english(neither.said())).isEqualTo("missing: a row: none");
  }

  /** The derived payments contradict forged rows even if their sums agree. */
  @Test
  void aForgedPaymentIsFoundThoughItsSumsAgree() {
    Findings findings =
        servers.tampered(
            """
            with forged as (
              update payment set amount = amount + 1000000
              where member = 'ann' and rule = 1
              returning *
            )
            update revision
            set payment_sum = payment_sum
              + payment_hash(rule, purpose, amount, member)
              - payment_hash(rule, purpose, amount - 1000000, member)
            from forged
            where revision.id = forged.outcome
            """,
            records::verify);
    assertThat(Texts.english(findings.named().get(0).said()))
        .isEqualTo(
            ("unequal: %s: award of ann by podium in revision 1:"
                    + " derived 1,000 credits, stored 1,001,000 credits")
                .formatted(day.label()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          approved | posting of revision 1;manifest of revision 1
          held     | posting of revision 1;manifest of revision 1
          sealed   | posting of revision 1;manifest of revision 1
          """)
  void rowsThatAnUnsettledPeriodCannotHaveAreExtra(String state, String extra) {
    String sql = "update period set settled_at = null, state = '" + state + "'";
    Findings findings = servers.tampered(sql, records::verify);
    assertThat(findings.named())
        .extracting(found -> Texts.english(found.what()))
        .containsExactlyInAnyOrder(extra.split(";"));
    assertThat(findings.named())
        .allSatisfy(
            found -> {
              assertThat(found.where()).isEqualTo(day.label());
              assertThat(found.derived()).isNull();
            });
    Findings ofOneBoard =
        servers.tampered(sql, () -> verification.verifySettled(day.board(), null));
    assertThat(ofOneBoard.clean()).as("only a verification of all boards checks it").isTrue();
  }

  @Test
  void anUnsettledPeriodHasOneOutcomeAndAnOpenOneHasNone() {
    Period open = world.open(world.board(Contest.rules()));
    assertThat(records.verify().clean()).isTrue();
    Findings findings =
        servers.tampered(
            """
            insert into revision (
              id, period_id, revision, definition_hash, owed, prepared_by, prepared_at)
            select -1000, id, 1, definition_hash, 'take', 'zoe', now()
            from period
            where state = 'open'
            """,
            records::verify);
    assertThat(findings.named())
        .extracting(found -> Texts.english(found.said()))
        .containsExactly(
            "extra: %s: revision 1: of a period that is open: 0 lines, 0 payments"
                .formatted(open.label()));
  }

  @Test
  void aDifferenceNamesItsPlaceAndBothValues() {
    Findings findings =
        servers.tampered(
            "update payment set amount = 21 where member = 'bob' and rule = 2", records::verify);
    assertThat(Texts.english(findings.named().get(0).said()))
        .isEqualTo(
            ("unequal: %s: award of bob by each-invite in revision 1:"
                    + " derived 20 credits, stored 21 credits")
                .formatted(day.label()));
    assertThat(Texts.in(Locale.CHINESE).of(findings.named().get(0).said()))
        .isEqualTo(
            "不符：%s：第 1 版中 bob 按规则 each-invite 的奖励：推算为 20 credits，存储为 21 credits"
                .formatted(day.label()));
    assertThat(Texts.english(findings.summary()))
        .as("the payment, the sum kept of it, and three fields of the manifest")
        .endsWith("0 missing, 0 extra, 5 unequal");
  }

  @Test
  void aVerificationOfAnotherBoardOrPeriodDoesNotFindIt() {
    String sql = "update line set points = 999 where member = 'ann'";
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
  void onlySettledPeriodsAreVerified() {
    world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    assertThat(Texts.english(records.verify().summary())).startsWith("verified: 1 period,");
  }
}
