package palmares.settlement.verification;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.sql.RecordMapper;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Finds the periods and outcomes to verify. */
@Component
class VerificationScope {
  /** Each night verifies the payments of one share of the posted outcomes. */
  static final int SHARES = 30;

  private static final int MAX_OUTCOMES_PER_STATEMENT = 1_000;

  private final JdbcClient jdbc;
  private final Periods periods;

  VerificationScope(JdbcClient jdbc, Periods periods) {
    this.jdbc = jdbc;
    this.periods = periods;
  }

  List<Period> periods(Collection<PeriodId> ids) {
    return ids.stream().map(periods::get).toList();
  }

  /** Settled periods; null for any board, or any name. */
  List<PeriodId> settled(@Nullable BoardId board, @Nullable PeriodName period) {
    return jdbc.sql(
            """
            select id from period
            where is_settled(state)
              and board = coalesce(:board, board)
              and name = coalesce(:period, name)
            order by board, starts_at
            """)
        .param("board", board)
        .param("period", period)
        .query(PeriodId.class)
        .list();
  }

  /** Periods that were settled or amended from a time on. */
  List<PeriodId> settledSince(Instant since) {
    return jdbc.sql(
            """
            select id from period
            where is_settled(state)
              and (settled_at >= :since
                or id in (select period_id from revision where posted_at >= :since))
            order by board, starts_at
            """)
        .param("since", since)
        .query(PeriodId.class)
        .list();
  }

  /** The labels of periods that are not settled, by id. */
  Map<Long, String> unsettled() {
    return jdbc.sql(
            """
            select id, board || ' ' || name as label from period
            where settled_at is null
            """)
        .query(RecordMapper.map(Long.class, String.class));
  }

  /** The labels of those of these periods whose journal is in the database, not archived. */
  Map<Long, String> withJournal(Map<Long, String> labels) {
    var kept = new LinkedHashMap<>(labels);
    jdbc.sql("select id from period where id = any(:ids) and archived_at is not null")
        .param("ids", labels.keySet())
        .query(Long.class)
        .list()
        .forEach(kept::remove);
    return kept;
  }

  record Outcome(long periodId, int number, int id, String definitionHash, boolean posted) {
    boolean hasOwnTables() {
      return id > 0;
    }
  }

  /** All outcomes of these periods, earlier revisions first. */
  List<Outcome> outcomes(Collection<Long> periods) {
    return jdbc.sql(
            """
            select period_id, revision as number, id, definition_hash,
              posted_at is not null as posted
            from revision
            where period_id = any(:ids)
            order by revision, definition_hash, period_id
            """)
        .param("ids", periods)
        .query(Outcome.class)
        .list();
  }

  /**
   * The posted outcomes of the shares of nights, in groups: those in shared tables together, each
   * other one alone. An outcome is in one of {@link #SHARES} shares, which take turns.
   *
   * @param nights the number of nights up to the given one
   */
  List<List<Integer>> posted(LocalDate night, long nights) {
    List<Integer> shares =
        LongStream.range(0, Math.min(nights, SHARES))
            .mapToObj(ago -> Math.floorMod(night.toEpochDay() - ago, SHARES))
            .toList();
    List<Integer> all =
        jdbc.sql(
                """
                select id from revision
                where posted_at is not null
                  and mod(abs(id), :all) = any(:shares)
                order by id
                """)
            .param("all", SHARES)
            .param("shares", shares)
            .query(Integer.class)
            .list();
    int shared = (int) all.stream().filter(id -> id < 0).count();
    var groups = new ArrayList<List<Integer>>();
    int next = 0;
    while (next < all.size()) {
      int end = next < shared ? Math.min(next + MAX_OUTCOMES_PER_STATEMENT, shared) : next + 1;
      groups.add(all.subList(next, end));
      next = end;
    }
    return groups;
  }
}
