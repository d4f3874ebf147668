package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;

/** All laws of tampering, with outcomes that have own tables. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigTamperingTest extends TamperingTest {
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private JdbcClient jdbc;
  @Autowired private Exclusions exclusions;

  @Test
  void bothParallelPartsNameTheirFindings() {
    servers.unguarded(
        () -> {
          jdbc.sql("update event set points = 99 where member = 'ann' and subject = 'joe'")
              .update();
          jdbc.sql("update payment set amount = 21 where rule = 2 and member = 'bob'").update();
        });
    Findings findings = records.verify();
    assertThat(findings.named())
        .extracting(found -> Texts.english(found.what()))
        .contains("line of ann in revision 1", "award of bob by each-invite in revision 1");
    assertThat(Texts.english(findings.summary())).startsWith("verified: 1 period,");
  }

  /** The points of such a board come from one action, so that payments are compared with lines. */
  @Test
  void paymentsForTheOnlyActionFollowFromTheLines() {
    settleCoins(5);
    String tamperings =
        """
        update payment set amount = 16 where member = 'kim'      | unequal | award of kim by each-coin
        update payment set amount = 20 - amount where member in ('kim', 'lou') | unequal | award of kim by each-coin
        delete from payment where member = 'lou'                 | missing | award of lou by each-coin
        insert into payment select 5, outcome, rule, 1, 'mia' from payment where member = 'lou' | extra | award of mia by each-coin
        insert into payment select 5, outcome, rule, 1, 'new' from payment where member = 'lou' | extra | award of new by each-coin
        update payment set member = 'max' where member = 'lou'   | extra   | award of max by each-coin
        update payment set purpose = 2 where member = 'kim'      | missing | award of kim by each-coin
        update line set points = 4 where member = 'kim'            | unequal | line of kim
        update line set points = 8 - points where member in ('kim', 'lou') | unequal | line of kim
        update line set arrival = 1 where member = 'kim'           | unequal | line of kim
        update line set then_by = 1 where member = 'kim'           | unequal | line of kim
        update line set reached_at = 'infinity' where member = 'kim' | unequal | line of kim
        update event set then_by = 1 where member = 'kim'; update line set reached_at = 'infinity' where member = 'kim' | unequal | line of kim
        update line set member = 'max' where member = 'kim'        | missing | line of kim
        delete from line where member = 'kim'                      | missing | line of kim
        update event set then_by = 1 where member = 'kim'          | unequal | line of kim
        update event set points = 8 - points where member in ('kim', 'lou') | unequal | line of kim
        update event set member = 'max' where member = 'kim'       | extra   | line of kim
        delete from line where member = 'kim'                      | unequal | population
        delete from event where member = 'kim'                     | unequal | population
        update period set sealed_members = 4 where sealed_members = 3 | unequal | population
        update period set sealed_points = 9 where sealed_members = 3 | unequal | population
        update period set sealed_events = 9 where sealed_members = 3 | unequal | population
        update line set place = 4, rank = 4 where member = 'mia'   | unequal | line of mia
        update line set reached_at = reached_at - interval '1 s' where member = 'kim' | unequal | line of kim
        update event set occurred_at = occurred_at + interval '1 s' where member = 'kim' | unequal | line of kim
        """;
    assertSoftly(softly -> tamperings.lines().forEach(line -> assertFound(softly, line)));
    assertThat(records.verify().named()).as("after the rollbacks").isEmpty();
  }

  private void settleCoins(long credits) {
    Rules rules =
        Rules.day()
            .with("actions: { coin: { points: 2, max-quantity: 10 } }")
            .with("rewards: [{ rule: each-coin, per: coin, credits: %d }]".formatted(credits));
    Period day = world.open(world.board(rules));
    world.take(
        List.of(
            Fact.by("kim").does("coin").times(3),
            Fact.by("lou").does("coin"),
            Fact.by("mia").does("coin")));
    exclusions.exclude(Terms.always(new MemberId("mia"), ExclusionLevel.NO_PRIZE), "cheats", "ann");
    world.settle(day);
  }

  /** What such prizes give in all is not multiplied in advance, since it might overflow. */
  @Test
  void paymentsOfHugePrizesFollowFromTheLines() {
    settleCoins(3_000_000_000L);
    String tamperings =
        """
        update payment set amount = amount + 1 where member = 'kim' | unequal | award of kim by each-coin
        update payment set amount = 12000000000 - amount where member in ('kim', 'lou') | unequal | award of lou by each-coin
        update payment set member = 'max' where member = 'lou'   | missing | award of lou by each-coin
        """;
    assertSoftly(softly -> tamperings.lines().forEach(line -> assertFound(softly, line)));
    assertThat(records.verify().named()).as("after the rollbacks").isEmpty();
  }
}
