package palmares.operations.explain;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.Verdict;
import palmares.operations.explain.Explanation.CurvePoint;
import palmares.operations.explain.Explanation.Journal;
import palmares.operations.explain.Explanation.Step;
import palmares.period.Period;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Durability;

/** Reads a member's events from the journal in PostgreSQL. */
@Component
class JournalRows {
  private static final int ROWS_PER_FETCH = 5_000;

  private static final int MAX_CURVE_POINTS = 500;

  /** The outcomes of committed events that only their own rows show. */
  private static final List<Verdict> OUTSIDE_JOURNAL =
      Arrays.stream(Verdict.values()).filter(Verdict::isFinalOutsideJournal).toList();

  private final JdbcClient jdbc;

  JournalRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * The member's events in a period.
   *
   * @param most how many of the latest events to list
   */
  Journal of(Period period, Board rules, String member, int most) {
    var events = new Events(most);
    var select =
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
                  and outcome = any(:outsideJournal)
                order by seq
                """)
            .withFetchSize(ROWS_PER_FETCH)
            .param("period", period.id())
            .param("member", member)
            .param("committed", rules.durability() == Durability.COMMITTED)
            .param("outsideJournal", OUTSIDE_JOURNAL);
    try (var rows = select.query(Row.class).stream()) {
      rows.forEach(events::add);
    }
    return new Journal(
        events.total,
        events.total - events.steps.size(),
        List.copyOf(events.steps),
        thin(events.curve),
        note(period, rules, events.total));
  }

  private record Row(
      @Nullable Long seq, String id, Instant occurredAt, long points, MemberEvents.Done done) {}

  /** The latest steps, and every change of points. */
  private static final class Events {
    private final int most;
    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final List<CurvePoint> curve = new ArrayList<>();
    private long total;
    private long points;
    private Instant latest = Instant.MIN;

    Events(int most) {
      this.most = most;
    }

    void add(Row row) {
      Instant at = row.occurredAt();
      long change = row.points();
      total++;
      points += change;
      // Events may arrive in another order than they happened; the curve shows when they counted.
      latest = at.isAfter(latest) ? at : latest;
      if (change != 0 || curve.isEmpty()) {
        curve.add(new CurvePoint(latest, points));
      }
      steps.add(
          new Step(
              row.seq() == null ? 0 : row.seq(),
              row.id(),
              at,
              row.done().said(),
              row.done().outcome().word(),
              change,
              points));
      if (steps.size() > most) {
        steps.removeFirst();
      }
    }
  }

  /** If there are too many points, keeps the last of each group of neighbours. */
  private static List<CurvePoint> thin(List<CurvePoint> curve) {
    if (curve.size() <= MAX_CURVE_POINTS) {
      return List.copyOf(curve);
    }
    var thin = new ArrayList<CurvePoint>();
    for (int i = 1; i <= MAX_CURVE_POINTS; i++) {
      thin.add(curve.get((int) ((long) i * curve.size() / MAX_CURVE_POINTS) - 1));
    }
    return thin;
  }

  private @Nullable Sentence note(Period period, Board rules, long total) {
    return rules
        .kind()
        .map(() -> journalNote(period, total), adoption -> new ExplanationSentences.NoJournal());
  }

  private @Nullable Sentence journalNote(Period period, long total) {
    if (!period.state().isFilled()) {
      return new ExplanationSentences.StillOpen(drained(period));
    }
    boolean decided = period.population() != null && period.population().events() > 0;
    return total == 0 && decided && drained(period) > 0 && !anyEvent(period)
        ? new ExplanationSentences.Archived()
        : null;
  }

  private long drained(Period period) {
    return jdbc.sql("select coalesce(max(drained), 0) from journal_position where period_id = :id")
        .param("id", period.id())
        .query(Long.class)
        .single();
  }

  private boolean anyEvent(Period period) {
    return jdbc.sql("select exists (select from event where period_id = :id)")
        .param("id", period.id())
        .query(Boolean.class)
        .single();
  }
}
