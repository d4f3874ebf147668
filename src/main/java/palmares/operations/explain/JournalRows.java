package palmares.operations.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.explain.Explanation.Journal;
import palmares.operations.explain.Explanation.Spot;
import palmares.operations.explain.Explanation.Step;
import palmares.period.Period;
import palmares.rules.board.Board;

/** What the journal in PostgreSQL knows of a member. */
@Component
class JournalRows {
  private static final int FETCH = 5_000;

  /** A curve of more points looks no better. */
  private static final int MOST_SPOTS = 500;

  private final JdbcClient jdbc;

  JournalRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * @param most how many of the last events to tell
   */
  Journal of(Period period, Board rules, String member, int most) {
    var told = new Told(most);
    jdbc.sql(
            """
            select seq, id, action, subject, outcome, quantity, points, occurred_at
            from event
            where period_id = :period and member = :member
            union all
            select null, id, action, subject, outcome, quantity, 0, occurred_at
            from committed_event
            where :committed
              and period_id = :period
              and member = :member
              and outcome in ('full', 'full-then', 'full-sum', 'exhausted', 'conflict')
            order by seq
            """)
        .withFetchSize(FETCH)
        .param("period", period.id().value())
        .param("member", member)
        .param("committed", rules.durability().name().equals("COMMITTED"))
        .query(
            row -> {
              told.tell(row);
            });
    return new Journal(
        told.total,
        told.total - told.steps.size(),
        List.copyOf(told.steps),
        thin(told.spots),
        note(period, rules, told.total));
  }

  /** The last steps, and every change. */
  private static final class Told {
    private final int most;
    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final List<Spot> spots = new ArrayList<>();
    private long total;
    private long points;
    private Instant latest = Instant.MIN;

    Told(int most) {
      this.most = most;
    }

    void tell(ResultSet row) throws SQLException {
      Instant at = row.getObject("occurred_at", OffsetDateTime.class).toInstant();
      long change = row.getLong("points");
      total++;
      points += change;
      // Events may come in another order than they happened in; the curve goes by what counted
      // when.
      latest = at.isAfter(latest) ? at : latest;
      if (change != 0 || spots.isEmpty()) {
        spots.add(new Spot(latest, points));
      }
      steps.add(
          new Step(
              row.getLong("seq"),
              row.getString("id"),
              at,
              deed(row),
              row.getString("outcome"),
              change,
              points));
      if (steps.size() > most) {
        steps.removeFirst();
      }
    }

    private static String deed(ResultSet row) throws SQLException {
      String outcome = row.getString("outcome");
      boolean undo = outcome.equals("undone") || outcome.equals("nothing-to-undo");
      long quantity = row.getLong("quantity");
      String subject = row.getString("subject");
      return (undo ? "undo of " : "")
          + row.getString("action")
          + (quantity == 1 ? "" : " times " + quantity)
          + (subject == null ? "" : " on " + subject);
    }
  }

  /** Of neighbours that are too many, the last stands for all. */
  private static List<Spot> thin(List<Spot> spots) {
    if (spots.size() <= MOST_SPOTS) {
      return List.copyOf(spots);
    }
    var thin = new ArrayList<Spot>();
    for (int i = 1; i <= MOST_SPOTS; i++) {
      thin.add(spots.get((int) ((long) i * spots.size() / MOST_SPOTS) - 1));
    }
    return thin;
  }

  private @Nullable String note(Period period, Board rules, long total) {
    if (rules.adoption() != null) {
      return "another program writes this board: there is no journal of single events";
    }
    if (!period.state().isFilled()) {
      return "the period goes on: this is what the journal in the database has so far, %d events of"
              .formatted(drained(period))
          + " all members; the latest may be missing";
    }
    boolean decided = period.population() != null && period.population().events() > 0;
    return total == 0 && decided && drained(period) > 0 && !anyEvent(period)
        ? "the journal of this period is archived: its single events are not here any more"
        : null;
  }

  private long drained(Period period) {
    return jdbc.sql("select coalesce(max(drained), 0) from journal_position where period_id = :id")
        .param("id", period.id().value())
        .query(Long.class)
        .single();
  }

  private boolean anyEvent(Period period) {
    return jdbc.sql("select exists (select from event where period_id = :id)")
        .param("id", period.id().value())
        .query(Boolean.class)
        .single();
  }
}
