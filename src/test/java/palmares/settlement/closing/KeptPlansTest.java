package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * A small closing, whose plans PostgreSQL keeps, locks no table of another outcome, as statements
 * are planned on a real server.
 */
@WorldTest
@TestPropertySource(
    properties = {
      "palmares.history.own-tables-from=5000",
      "spring.datasource.hikari.data-source-properties.prepareThreshold=1"
    })
class KeptPlansTest {
  /** Above the five times that PostgreSQL plans a statement before it keeps its plan. */
  private static final int CLOSINGS = 8;

  private static final int OTHER_OUTCOMES = 5;
  private static final int FIRST_OTHER = 3_000_001;

  /** Runs at each commit of a transaction that changed a period. */
  private static final String REFUSE_LOCKS =
      """
      create or replace function refuse_locks() returns trigger language plpgsql as $$
      declare
        locked text;
      begin
        select string_agg(relation::regclass::text, ', ') into locked
        from pg_locks
        where pid = pg_backend_pid()
          and locktype = 'relation'
          and relation::regclass::text ~ '^(line|payment)_(from_)?[0-9]+$';
        if locked is not null then
          raise exception 'the transaction has locked %', locked;
        end if;
        return null;
      end $$;
      create constraint trigger refuse_locks after update on period
        deferrable initially deferred for each row execute function refuse_locks();
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  /** Rejected ones, which belong to no lease. */
  @BeforeEach
  void otherOutcomes() {
    Period other = world.open(world.board(Contest.rules()));
    servers.sql(
        """
        insert into revision (
          id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, reason,
          verdict, decided_by, decided_at, verdict_reason)
        select ? + n, id, 1 + n, nullif(n, 0), definition_hash, 'take', 'test', now(), 'a test',
          'rejected', 'test', now(), 'a test'
        from period cross join generate_series(0, ?) as n
        where id = ?
        """,
        FIRST_OTHER,
        OTHER_OUTCOMES - 1,
        other.id().value());
    others("make_outcome_tables");
    others("attach_outcome_tables");
    servers.sql(REFUSE_LOCKS);
  }

  @AfterEach
  void dropThem() {
    servers.sql("drop function refuse_locks cascade");
  }

  private void others(String function) {
    IntStream.range(FIRST_OTHER, FIRST_OTHER + OTHER_OUTCOMES)
        .forEach(
            outcome ->
                servers.sql("do $$ begin perform %s(%d); end $$".formatted(function, outcome)));
  }

  @Test
  void aSmallClosingLocksNoOtherOutcome() {
    List<Rules> kinds =
        List.of(
            Contest.rules(),
            Contest.rules().with("payout: { unusual: 3, budget: { credits: { month: 99999 } } }"));
    for (Rules rules : kinds) {
      for (int i = 0; i < CLOSINGS; i++) {
        Period day = world.open(world.board(rules));
        world.take(Contest.facts());
        world.settle(day);
        assertThat(records.paid(day)).isEqualTo(Contest.PAID);
      }
    }
  }
}
