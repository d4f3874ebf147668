package palmares.operations.amendment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A change of a board does not wait for a long change of another board. */
@WorldTest
class IndependentChangesTest {
  private static final AmendmentRequest REQUEST =
      new AmendmentRequest("ann", "a cheater was found", null, Map.of());

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private TransactionTemplate transaction;

  private Period day;

  @BeforeEach
  void aSettledDayWithACheater() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    exclude("ann", null);
  }

  private void exclude(String member, @Nullable BoardId board) {
    transaction.executeWithoutResult(
        status -> {
          servers.sql("set local lock_timeout = '5s'");
          exclusions.exclude(
              new Terms(new MemberId(member), ExclusionLevel.HIDDEN, board, null, null),
              "cheats",
              "zoe");
        });
  }

  /** Runs the other work once the long one waits for a locked table, or for a partition of it. */
  private void during(Runnable longWork, String table, Runnable other) throws Exception {
    CompletableFuture<Void> under =
        transaction.execute(
            status -> {
              servers.sql("lock table %s in share mode".formatted(table));
              var begun = CompletableFuture.runAsync(longWork);
              while (!begun.isDone() && waiting(table) == 0) {
                Thread.onSpinWait();
              }
              assertThat(begun).as("it came to " + table).isNotDone();
              CompletableFuture.runAsync(other).join();
              assertThat(begun).isNotDone();
              return begun;
            });
    under.get(60, TimeUnit.SECONDS);
  }

  private long waiting(String table) {
    return records.number(
        """
        select count(*)
        from pg_locks
        join (values (?::regclass)) as wanted (root)
          on relation = root or relation in (select relid from pg_partition_tree(root))
        where not granted
        """,
        table);
  }

  @ParameterizedTest
  @ValueSource(strings = {"other", ""})
  void anExclusionIsMadeWhileAnAmendmentIsApproved(String board) throws Exception {
    amendments.prepare(day.id(), REQUEST);
    during(
        () -> amendments.approve(day.id(), 2, "bob", "right so"),
        "manifest",
        () -> exclude("cid", board.isEmpty() ? null : new BoardId(board)));
    assertThat(
            records.words(
                "select verb from audit_entry entry join audit_link on entry.id = audit_entry_id"
                    + " order by n"))
        .as("in the order in which they committed")
        .containsExactly("exclude", "amend", "exclude", "approve");
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anExclusionIsMadeWhileAnAmendmentIsPreparedAndFollowsItsFreeze() throws Exception {
    during(() -> amendments.prepare(day.id(), REQUEST), "payment", () -> exclude("cid", null));
    amendments.approve(day.id(), 2, "bob", "right so");
    assertThat(records.words("select member from frozen_exclusion")).containsExactly("ann");
    assertThat(
            records.number(
                "select count(*) from exclusion, revision where made_at > frozen_at"
                    + " and revision = 2 and member = 'cid'"))
        .isOne();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anAuditEntryWithoutALinkAndALinkWithoutAnEntryAreNamed() {
    assertThat(
            servers
                .tampered(
                    "delete from audit_link where n = (select max(n) from audit_link)",
                    records::verify)
                .named())
        .hasSize(1);
    assertThat(servers.tampered("delete from audit_entry", records::verify).named()).isNotEmpty();
    exclude("bob", null);
    for (String change :
        List.of("by = 'eve'", "reason = 'another'", "details = details || '{\"x\": 1}'")) {
      assertThat(
              servers
                  .tampered(
                      "update audit_entry set %s where id = (select min(id) from audit_entry)"
                          .formatted(change),
                      records::verify)
                  .named())
          .as(change)
          .extracting(difference -> Texts.english(difference.what()))
          .anyMatch(what -> what.startsWith("audit entry "));
    }
  }
}
