package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import java.time.Duration;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Verification names changes of exclusions after the settlement. */
@WorldTest
class ExclusionTamperingTest {
  /** What is done, and the kind and the name of a difference that it makes. */
  private static final String TAMPERINGS =
      """
      update frozen_exclusion set level = 'unranked' where member = 'eve' | unequal | frozen exclusion of eve
      update frozen_exclusion set level = 'no-prize' where member = 'dan' | unequal | frozen exclusion of dan
      update frozen_exclusion set reason = 'none'                         | unequal | frozen exclusion of eve
      update frozen_exclusion set made_by = 'nobody'                      | unequal | frozen exclusion of eve
      update frozen_exclusion set starts_at = '2026-11-20T12:00:00Z'      | unequal | frozen exclusion of eve
      update frozen_exclusion set member = 'bob' where member = 'dan'     | extra   | frozen exclusion of bob
      update frozen_exclusion set member = 'bob' where member = 'dan'     | missing | frozen exclusion of dan
      update frozen_exclusion set exclusion_id = exclusion_id + 1 where member = 'dan' | unequal | frozen exclusion of dan
      update frozen_exclusion set revision = 2                            | extra | frozen exclusion of eve in revision 2
      update frozen_exclusion set exclusion_id = null where member = 'dan' | extra | frozen exclusion of dan
      delete from frozen_exclusion where member = 'eve'                   | missing | frozen exclusion of eve
      delete from frozen_exclusion where member = 'dan'                   | missing | frozen exclusion of dan
      insert into frozen_exclusion select period_id, 1, 'ann', 'no-prize', exclusion_id from frozen_exclusion limit 1 | extra | frozen exclusion of ann
      update exclusion set level = 'unranked' where member = 'eve'        | unequal | frozen exclusion of eve
      update exclusion set reason = 'none' where member = 'eve'           | unequal | frozen exclusion of eve
      update exclusion set reason = 'none' where member = 'cid'           | missing | audit entry: exclude cid
      update exclusion set made_by = 'nobody' where member = 'dan'        | extra   | audit entry: exclude dan
      update exclusion set lift_reason = 'none' where member = 'cid'      | missing | audit entry: lift cid
      update exclusion set starts_at = '2026-11-21T00:00:00Z' where member = 'eve' | extra | frozen exclusion of eve
      update exclusion set ends_at = '2026-11-20T00:00:00Z' where member = 'dan' | extra | frozen exclusion of dan
      update exclusion set board = 'other' where member = 'eve'           | extra | frozen exclusion of eve
      update exclusion set member = 'ann' where member = 'eve'            | missing | frozen exclusion of ann
      update exclusion set lifted_at = null, lifted_by = null, lift_reason = null where member = 'cid' | missing | frozen exclusion of cid
      update exclusion set lifted_at = made_at, lifted_by = 'x', lift_reason = 'x' where member = 'eve' | extra | frozen exclusion of eve
      delete from exclusion where member = 'cid'                          | missing | audit entry: exclude cid
      delete from audit_entry where member = 'cid' and verb = 'lift'              | extra   | audit entry: lift cid
      update line set rank = 4 where member = 'dan'                       | unequal | line of dan
      update line set place = 9 where member = 'dan'                      | unequal | line of dan
      update line set place = 9 where member = 'eve'                      | unequal | line of eve
      update line set place = 9, rank = 9 where member = 'eve'            | unequal | line of eve
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;

  @BeforeEach
  void aContestThatExcludesThree() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    exclude("eve", ExclusionLevel.HIDDEN);
    exclude("dan", ExclusionLevel.UNRANKED);
    exclude("dan", ExclusionLevel.NO_PRIZE);
    long lifted = exclude("cid", ExclusionLevel.HIDDEN);
    world.pass(Duration.ofHours(1));
    exclusions.lift(lifted, "a mistake", "boss");
    world.settle(day);
  }

  private long exclude(String member, ExclusionLevel level) {
    Terms terms = Terms.always(new MemberId(member), level);
    return exclusions.exclude(terms, "two accounts", "boss").id();
  }

  @Test
  void anUnchangedPeriodVerifies() {
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.words("select member || ' ' || level from frozen_exclusion order by member"))
        .containsExactly("dan unranked", "eve hidden");
  }

  @Test
  void everyTamperingIsFoundWithItsMember() {
    assertSoftly(softly -> TAMPERINGS.lines().forEach(line -> assertFound(softly, line)));
    assertThat(records.verify().named()).as("after the rollbacks").isEmpty();
  }

  private void assertFound(SoftAssertions softly, String line) {
    String[] tampering = line.split("\\|");
    Findings findings = servers.tampered(tampering[0], records::verify);
    softly
        .assertThat(findings.named())
        .extracting(difference -> Texts.english(difference.said()))
        .as(line)
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith(tampering[1].strip() + ": ")
                    .contains(tampering[2].strip()));
  }
}
