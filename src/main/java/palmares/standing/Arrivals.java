package palmares.standing;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.board.Holding;
import palmares.board.Resolution;
import palmares.period.Period;

/** Where arrivals break ties, a line holds the number of its event, and the journal its time. */
@Component
class Arrivals {
  private final JdbcClient jdbc;

  Arrivals(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * The same lines, with the times of their events.
   *
   * @throws Mismatch if the journal does not hold an event
   */
  List<Holding> timed(Period period, Board board, List<Holding> lines) {
    return switch (board.scale().tiebreak()) {
      case TIME -> lines;
      case ARRIVAL -> byArrival(period, board, lines);
    };
  }

  private List<Holding> byArrival(Period period, Board board, List<Holding> lines) {
    Map<Long, Instant> times = times(period, lines);
    Resolution resolution = board.scale().resolution();
    return lines.stream().map(line -> timed(period, line, times, resolution)).toList();
  }

  private static Holding timed(
      Period period, Holding line, Map<Long, Instant> times, Resolution resolution) {
    Instant occurredAt = times.get(line.arrival());
    if (occurredAt == null) {
      throw new Mismatch(
          period,
          List.of(
              "%s stands by event %d, which the journal does not hold"
                  .formatted(line.member(), line.arrival())));
    }
    return new Holding(
        line.member(),
        line.points(),
        line.thenBy(),
        line.arrival(),
        resolution.instant(resolution.tick(occurredAt)));
  }

  private Map<Long, Instant> times(Period period, List<Holding> lines) {
    var times = new HashMap<Long, Instant>();
    jdbc.sql("select seq, occurred_at from event where period_id = :period and seq = any(:seqs)")
        .param("period", period.id().value())
        .param("seqs", lines.stream().map(Holding::arrival).toArray(Long[]::new))
        .query(
            row -> {
              times.put(
                  row.getLong("seq"),
                  row.getObject("occurred_at", OffsetDateTime.class).toInstant());
            });
    return times;
  }
}
