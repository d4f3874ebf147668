package palmares.standing;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.board.Scale;
import palmares.bulk.Abreast;
import palmares.bulk.OwnTables;
import palmares.bulk.Piece;
import palmares.bulk.Room;
import palmares.period.Period;
import palmares.period.Population;

/** Holds a snapshot, and what was counted at the seal, against the journal. */
@Component
class JournalProof {
  private static final int NAMED = 10;

  /** So many members' sums and lines find room in memory. */
  private static final int PIECE = 1_000_000;

  private final JdbcClient jdbc;
  private final OwnTables own;
  private final Room room;
  private final TransactionTemplate transaction;

  JournalProof(JdbcClient jdbc, OwnTables own, Room room, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.own = own;
    this.room = room;
    this.transaction = transaction;
  }

  /** What a member holds here and there. */
  private record Difference(String member, String told) {}

  /**
   * What is not the same; the members of a big period are looked at by some pieces side by side,
   * each in a transaction of its own: neither snapshot nor journal changes any more.
   */
  List<String> differences(Period period, Board board, Population sealed) {
    var faults = new ArrayList<String>();
    long events = events(period);
    if (events != sealed.events()) {
      faults.add(
          "the journal holds %d events, the sealed board counted %d"
              .formatted(events, sealed.events()));
    }
    long lost = committedAndLost(period);
    if (lost > 0) {
      faults.add("%d committed events are not in the journal as they were told".formatted(lost));
    }
    differences(period, board.scale(), sealed.members()).stream()
        .map(Difference::told)
        .forEach(faults::add);
    return faults;
  }

  private List<Difference> differences(Period period, Scale scale, long members) {
    if (!own.suit(members)) {
      return differences(period, scale, Piece.WHOLE);
    }
    var found = new ConcurrentLinkedQueue<Difference>();
    List<Runnable> pieces = new ArrayList<>();
    for (Piece piece : Piece.all(Abreast.pieces(members, PIECE))) {
      pieces.add(
          () ->
              transaction.executeWithoutResult(
                  status -> {
                    room.take(members);
                    found.addAll(differences(period, scale, piece));
                  }));
    }
    Abreast.run(pieces, () -> {});
    return found.stream()
        .sorted(Comparator.comparing(Difference::member).reversed())
        .limit(NAMED)
        .toList();
  }

  private long events(Period period) {
    return jdbc.sql("select count(*) from event where period_id = :period")
        .param("period", period.id().value())
        .query(Long.class)
        .single();
  }

  private long committedAndLost(Period period) {
    return jdbc.sql(
            """
            select count(*) from kept_commit kept
            where period_id = :period
              and not exists (
                select from event
                where event.period_id = kept.period_id
                  and event.id = kept.id
                  and (event.outcome, event.points) = (kept.outcome, kept.points))
            """)
        .param("period", period.id().value())
        .query(Long.class)
        .single();
  }

  private List<Difference> differences(Period period, Scale scale, Piece piece) {
    return jdbc.sql(
            """
            with derived as (
            %s),
            frozen as (
              select member, points, then_by, arrival, reached_at
              from snapshot
              where period_id = :period and %s
            )
            select
              member,
              frozen.points as frozen_points,
              frozen.reached_at as frozen_at,
              derived.points as derived_points,
              derived.reached_at as derived_at,
              format('; second keys %%s and %%s, arrivals %%s and %%s',
                frozen.then_by, derived.then_by, frozen.arrival, derived.arrival) as others,
              (frozen.then_by, frozen.arrival) <> (derived.then_by, derived.arrival)
                as others_differ
            from frozen
            full join derived using (member)
            where (frozen.points, frozen.then_by, frozen.arrival, frozen.reached_at)
              is distinct from
                (derived.points, derived.then_by, derived.arrival, derived.reached_at)
            order by member desc
            limit :named
            """
                .formatted(Derivation.sql(scale, piece), piece.holds("member")))
        .param("period", period.id().value())
        .param("tick", scale.resolution().micros() + " microseconds")
        .param("named", NAMED)
        .query(JournalProof::difference)
        .list();
  }

  private static Difference difference(ResultSet row, int n) throws SQLException {
    String member = row.getString("member");
    String told =
        "%s: the board says %s points at %s, the journal %s at %s%s"
            .formatted(
                member,
                row.getString("frozen_points"),
                row.getString("frozen_at"),
                row.getString("derived_points"),
                row.getString("derived_at"),
                row.getBoolean("others_differ") ? row.getString("others") : "");
    return new Difference(member, told);
  }
}
