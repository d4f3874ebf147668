package palmares.operations.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Expiry;
import palmares.settlement.verification.Difference;
import palmares.settlement.verification.Findings;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Verification proves what stays of an archived period, though its journal is gone. */
@WorldTest
class ArchiveProofTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Expiry expiry;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private Archives archives;

  @TempDir private Path folder;

  /** A podium and a rule for each invitation, with a hidden member. */
  private Period archivedContest() {
    exclusions.exclude(
        Terms.always(new MemberId("eve"), ExclusionLevel.HIDDEN), "two accounts", "boss");
    return archived(world.board(Contest.rules()), Contest.facts());
  }

  private Period archived(Board board, List<Fact> facts) {
    Period day = world.open(board);
    for (int i = 0; i < facts.size(); i += 500) {
      world.take(facts.subList(i, Math.min(i + 500, facts.size())));
    }
    world.settle(day);
    archive(day);
    return day;
  }

  private void archive(Period day) {
    world.now(world.again(day).expiresAt());
    expiry.expire(duePeriods.expirableOnDemand());
    archives.move(day.id(), folder, "zoe", "long ago");
    assertThat(records.verify().named()).isEmpty();
  }

  private static List<String> whats(Findings findings) {
    return findings.named().stream().map(Difference::what).map(Texts::english).toList();
  }

  @Test
  void aChangedPrizeIsNamedThoughItsSumsAgreeAndTheJournalIsGone() {
    archivedContest();
    Findings findings = servers.tampered(forged("member = 'ann' and rule = 1"), records::verify);
    assertThat(whats(findings)).contains("award of ann by podium in revision 1");
  }

  /** Actions are in the archive only; their awards are compared by rule and sum. */
  @Test
  void aChangedAwardForActionsIsNamedByItsSum() {
    archivedContest();
    Findings findings = servers.tampered(forged("member = 'bob' and rule = 2"), records::verify);
    assertThat(whats(findings))
        .contains("awards-by-rule in the manifest of revision 1")
        .doesNotContain("award of bob by each-invite in revision 1");
  }

  /** Awards for actions of former outcomes count in the differences, too. */
  @Test
  void allRevisionsOfAnAmendedPeriodAreProved() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    exclusions.exclude(
        Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "two accounts", "boss");
    world.pass(Duration.ofMinutes(1));
    amendments.prepare(
        day.id(), new AmendmentRequest("bob", "cheats", null, Map.of(new MemberId("dan"), 300L)));
    amendments.approve(day.id(), null, "kim", "so be it");
    archive(day);
    Findings findings =
        servers.tampered(
            "update payment set amount = amount + 1 where purpose = 2 and rule = 1",
            records::verify);
    assertThat(whats(findings)).contains("return of ann by podium in revision 2");
    findings =
        servers.tampered(
            "update payment set amount = amount + 1 where purpose = 2 and rule = 2",
            records::verify);
    assertThat(whats(findings)).contains("awards-by-rule in the manifest of revision 2");
  }

  /** Changes an amount, and the stored checksum with it. */
  private static String forged(String which) {
    return """
    with forged as (
      update payment set amount = amount + 20 where %s returning *
    )
    update revision
    set payment_sum = payment_sum
      + payment_hash(rule, purpose, amount, member)
      - payment_hash(rule, purpose, amount - 20, member)
    from forged
    where revision.id = forged.outcome
    """
        .formatted(which);
  }
}
