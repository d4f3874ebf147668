package palmares.settlement.outcome;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.rules.board.Board;

/** Outcomes that are computed to be looked at, and never kept. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class DryRuns {
  /** From here on numbers are of what is only supposed: others never count so far. */
  private static final int SUPPOSED = 1_000_000_000;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Prizes prizes;

  DryRuns(JdbcClient jdbc, Clock clock, Prizes prizes) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.prizes = prizes;
  }

  /**
   * Begins what nobody asks to be paid, in a transaction that rolls back: beside an amendment that
   * waits, too, and under a number that none will have.
   *
   * @param rules those that it awards by
   * @return its number
   */
  public int begin(Revision base, Board rules, String by, String reason) {
    int number = SUPPOSED + ThreadLocalRandom.current().nextInt(SUPPOSED);
    int id =
        jdbc.sql(
                """
                insert into revision (
                  id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
                  reason, verdict, decided_by, decided_at, verdict_reason)
                select
                  nextval('shared_outcome'), period_id, :number, revision, :hash, owed, :by, :now,
                  :reason, 'rejected', :by, :now, 'only supposed'
                from revision
                where period_id = :period and revision = :base
                returning id
                """)
            .param("number", number)
            .param("hash", rules.source().hash())
            .param("by", by)
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .param("reason", reason)
            .param("period", base.period().value())
            .param("base", base.number())
            .query(Integer.class)
            .single();
    prizes.number(id, rules);
    return number;
  }
}
