package palmares.operations.amendment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.Amendments.Decision;
import palmares.period.Period;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.OwnTables;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;

/** The laws of amendments, for outcomes with their own tables. */
@OwnTables
class BigAmendmentsTest extends AmendmentLawsTest {
  /** What fails instead of a write to the table of all outcomes. */
  private static final Map<String, String> COMMANDS =
      Map.of("line", "CREATE TABLE", "payment", "ALTER TABLE");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Amendments amendments;
  @Autowired private DryRun dryRun;

  @Override
  void outage(String write, String table) {
    if (!COMMANDS.containsKey(table)) {
      super.outage(write, table);
      return;
    }
    servers.failOn(COMMANDS.get(table));
  }

  @Override
  void endOutage(String table) {
    if (COMMANDS.containsKey(table)) {
      servers.failNoMore();
    } else {
      super.endOutage(table);
    }
  }

  /** Rows that are rolled back, or deleted, take space in a shared table until it is vacuumed. */
  @Test
  void noAmendmentTouchesTheSharedTables() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    String before = sharedTables();
    String tables = ownTables();
    var request = new AmendmentRequest("ann", "x", null, Map.of(new MemberId("dan"), 500L));
    var nothing = new AmendmentRequest("ann", "x", null, Map.of());

    assertThat(dryRun.run(day.id(), request, Set.of(), 10).differences().none()).isFalse();
    assertThat(amendments.prepare(day.id(), nothing)).isEmpty();
    assertThat(ownTables()).as("after a dry run, and an amendment of nothing").isEqualTo(tables);

    amendments.prepare(day.id(), request);
    amendments.reject(day.id(), new Decision(2, null, "bob", "not so"), () -> {});
    amendments.prepare(day.id(), request);
    amendments.approve(day.id(), 3, "bob", "right so");
    assertThat(records.number("select count(*) from revision where id > 0")).isEqualTo(3);
    assertThat(sharedTables()).isEqualTo(before);
    assertThat(records.verify().named()).isEmpty();
  }

  private String sharedTables() {
    return records
        .words(
            """
            select relname || pg_relation_size(oid) from pg_class
            where relname in ('line_shared', 'payment_shared')
            order by relname
            """)
        .toString();
  }

  private String ownTables() {
    return records
        .words("select relname from pg_class where relname ~ '^(line|payment)_[0-9]' order by 1")
        .toString();
  }
}
