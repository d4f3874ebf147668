package palmares.live.journal;

import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.BoardChange;
import palmares.live.board.Decision;
import palmares.live.board.LiveKeys;
import palmares.live.board.StoredDecisions;
import palmares.live.board.Verdict;
import palmares.period.PeriodId;

/**
 * Finds the decisions on stored events by id, for repeats of events whose ids Redis has trimmed.
 */
@Component
public class DecidedEvents implements StoredDecisions.Journals {
  private final JdbcClient jdbc;

  DecidedEvents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The identity of an event in a period; the digest distinguishes a repeat from a conflict. */
  public record Key(PeriodId period, String event, String digest) {}

  @Override
  public StoredDecisions search(List<BoardChange> changes) {
    record Position(long id, long drained) {}
    LiveKeys board = changes.get(0).keys();
    // Read before the search, so that it finds every event up to the position.
    Position position =
        jdbc.sql(
                """
                select id, coalesce(drained, 0) as drained
                from period
                left join journal_position on period_id = id
                where board = :board and name = :period
                """)
            .param("board", board.board().value())
            .param("period", board.period().value())
            .query(Position.class)
            .single();
    var period = new PeriodId(position.id());
    var keys =
        changes.stream().map(change -> new Key(period, change.id(), change.digest())).toList();
    Map<Key, Decision> found = find(keys);
    return new StoredDecisions(
        position.drained(), keys.stream().map(key -> Optional.ofNullable(found.get(key))).toList());
  }

  /** Finds the stored ones of these events; the decisions are duplicates or conflicts. */
  public Map<Key, Decision> find(Collection<Key> events) {
    if (events.isEmpty()) {
      return Map.of();
    }
    var found = new HashMap<Key, Decision>();
    jdbc.sql(
            """
            select
              event.period_id,
              event.id,
              asked.digest,
              event.outcome,
              event.points,
              event.occurred_at,
              event.digest is null or event.digest = asked.digest as same
            from unnest(:periods::bigint[], :ids::text[], :digests::text[])
              as asked (period_id, id, digest)
            join event using (period_id, id)
            """)
        .param("periods", events.stream().map(key -> key.period().value()).toArray(Long[]::new))
        .param("ids", events.stream().map(Key::event).toArray(String[]::new))
        .param("digests", events.stream().map(Key::digest).toArray(String[]::new))
        .query(
            row -> {
              var key =
                  new Key(
                      new PeriodId(row.getLong("period_id")),
                      row.getString("id"),
                      row.getString("digest"));
              found.put(
                  key,
                  new Decision(
                      row.getBoolean("same") ? Verdict.DUPLICATE : Verdict.CONFLICT,
                      row.getLong("points"),
                      0,
                      row.getObject("occurred_at", OffsetDateTime.class).toInstant(),
                      Verdict.of(row.getString("outcome"))));
            });
    return found;
  }
}
