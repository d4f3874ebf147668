package palmares.operations.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.archive.SwapForgery.Candidate;
import palmares.operations.archive.SwapForgery.Swap;
import palmares.operations.forgetting.Forgetting;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Expiry;
import palmares.settlement.verification.Difference;
import palmares.settlement.verification.Findings;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
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
  @Autowired private Forgetting forgetting;
  @Autowired private JdbcClient jdbc;

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

  private Path path(Period day) {
    return folder.resolve(day.board().value()).resolve(day.name().value());
  }

  private static List<String> whats(Findings findings) {
    return findings.named().stream().map(Difference::what).toList();
  }

  @Test
  void aChangedPrizeIsNamedThoughItsSumsAgreeAndTheJournalIsGone() {
    archivedContest();
    Findings findings = servers.tampered(forged("member = 'ann' and rule = 1"), records::verify);
    assertThat(whats(findings))
        .contains("award of ann by podium", "payments of revision 1 as archived");
  }

  /** Actions are in the archive only; their awards are compared by rule and sum. */
  @Test
  void aChangedAwardForActionsIsNamedByItsSum() {
    archivedContest();
    Findings findings = servers.tampered(forged("member = 'bob' and rule = 2"), records::verify);
    assertThat(whats(findings))
        .contains(
            "awards-by-rule in the manifest of revision 1", "payments of revision 1 as archived")
        .doesNotContain("award of bob by each-invite");
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
    assertThat(records.number("select count(*) from archived_root")).isEqualTo(4);
    Findings findings =
        servers.tampered(
            "update payment set amount = amount + 1 where purpose = 2 and rule = 1",
            records::verify);
    assertThat(whats(findings))
        .contains("return of ann by podium in revision 2", "payments of revision 2 as archived")
        .doesNotContain("payments of revision 1 as archived");
    findings =
        servers.tampered(
            "update payment set amount = amount + 1 where purpose = 2 and rule = 2",
            records::verify);
    assertThat(whats(findings))
        .contains(
            "awards-by-rule in the manifest of revision 2", "payments of revision 2 as archived");
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          update period set archive_hash = repeat('0', 64)                   | archiving
          update period set archived_at = archived_at + interval '1 s'       | archiving
          update period set archived_at = null, archive_hash = null          | archiving
          update archived_root set root = repeat('0', 64)                    | archiving
          update archived_root set root = repeat('0', 64)                    | lines of revision 1 as archived
          delete from archived_root where what = 'payments'                  | archiving
          delete from archived_root                                          | archiving
          delete from audit_entry where verb = 'archive'                     | archiving
          update audit_entry set reason = 'long ago' where verb = 'archive'  | archiving
          insert into audit_entry (at, by, verb, board, period, reason) select at, 'zoe', verb, board, period, reason from audit_entry where verb = 'archive' | archiving
          update line set arrival = 7 where place = 1                            | lines of revision 1 as archived
          """)
  void everyTamperingWithTheProofIsNamed(String sql, String what) {
    archivedContest();
    assertThat(whats(servers.tampered(sql, records::verify))).contains(what);
  }

  @Test
  void aCheckOfTheFilesDoesNotTrustTheHashInThePeriod() {
    Period day = archivedContest();
    archives.check(path(day));
    servers.tampered(
        "update period set archive_hash = repeat('0', 64)",
        () -> {
          assertThatThrownBy(() -> archives.check(path(day)))
              .isInstanceOf(WrongState.class)
              .hasMessageContaining("and in the audit log")
              .hasMessageContaining("run palmares verify");
          return null;
        });
  }

  /** The sums of the manifest agree to the last bit, and only the order of all rows shows it. */
  @Test
  void swapsThatChangeNoChecksumAreNamedByTheRoot() {
    int members = 4096;
    Board board =
        world.board(
            Rules.day()
                .with("actions: { invite: 1 }")
                .with("rewards: [{ rule: each-invite, per: invite, credits: 20 }]"));
    archived(
        board,
        IntStream.range(0, members)
            .boxed()
            .flatMap(i -> Collections.nCopies(1 + i % 2, "m" + i).stream())
            .map(member -> Fact.by(member).does("invite"))
            .toList());
    List<Swap> swaps = SwapForgery.find(candidates(20, 40), candidates(40, 20)).orElseThrow();
    assertThat(swaps).hasSize(16);
    String swapped =
        Stream.concat(swaps.stream().map(Swap::one), swaps.stream().map(Swap::other))
            .map(candidate -> "'" + candidate.member() + "'")
            .reduce((one, other) -> one + ", " + other)
            .orElseThrow();
    Findings findings =
        servers.tampered(
            "update payment set amount = 60 - amount where member in (" + swapped + ")",
            records::verify);
    assertThat(whats(findings)).containsExactly("payments of revision 1 as archived");
  }

  /** The members with one amount, and what the other one would change. */
  private List<Candidate> candidates(long amount, long other) {
    return jdbc.sql(
            """
            select member,
              payment_hash(rule, purpose, :other, member)::numeric
                - payment_hash(rule, purpose, amount, member) as change
            from payment
            where amount = :amount
            order by member
            """)
        .param("amount", amount)
        .param("other", other)
        .query(
            (row, n) ->
                new Candidate(
                    row.getString("member"),
                    row.getObject("change", BigDecimal.class).toBigIntegerExact()))
        .list();
  }

  @Test
  void theProofHoldsAfterPeopleAreForgottenAndStillNamesTampering() {
    archivedContest();
    for (String member : List.of("bob", "eve", "ann")) {
      forgetting.forget(new MemberId(member), "a request", "boss", done -> {});
      assertThat(records.verify().named()).as(member).isEmpty();
    }
    assertThat(records.words("select what from forgotten_root order by what"))
        .containsExactly("lines", "lines", "lines", "payments", "payments");
    for (String sql :
        List.of(
            "update payment set amount = amount + 1 where rule = 2",
            "update line set arrival = 7 where place = 1",
            "delete from forgotten_root where what = 'payments'",
            "update forgotten_root set root = repeat('0', 64) where what = 'lines'")) {
      assertThat(whats(servers.tampered(sql, records::verify)))
          .as(sql)
          .anyMatch(what -> what.endsWith("of revision 1 as archived"));
    }
  }

  /** Rows that have been changed before a person is forgotten are named afterwards, too. */
  @Test
  void forgettingSomebodyHidesNoEarlierTampering() {
    archivedContest();
    servers.unguarded(
        () -> servers.sql("update payment set amount = 21 where member = 'bob' and rule = 2"));
    forgetting.forget(new MemberId("ann"), "a request", "boss", done -> {});
    assertThat(whats(records.verify())).contains("payments of revision 1 as archived");
  }

  /** A step that nobody's forgetting has proved explains no other root. */
  @Test
  void aPretendedForgettingHidesNothing() {
    archivedContest();
    Findings findings =
        servers.tampered(
            """
            update payment set amount = 21 where member = 'bob' and rule = 2;
            insert into forgotten_root
              select outcome, what, 'forgotten-x', root, root_of(what, outcome)
              from archived_root where what = 'payments'
            """,
            records::verify);
    assertThat(whats(findings))
        .contains("what renaming to forgotten-x changed")
        .doesNotContain("payments of revision 1 as archived");
  }
}
