package palmares.settlement.lines;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.board.TimeResolution;

/** Where arrivals break ties, a line holds the number of its event, and the journal its time. */
@Component
class ArrivalTimes {
  private final JdbcClient jdbc;

  ArrivalTimes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * The same lines, with the times of their events.
   *
   * @throws Mismatch if the journal does not hold an event
   */
  List<MemberScore> timed(Period period, Board board, List<MemberScore> lines) {
    return switch (board.scale().tiebreak()) {
      case TIME -> lines;
      case ARRIVAL -> byArrival(period, board, lines);
    };
  }

  private List<MemberScore> byArrival(Period period, Board board, List<MemberScore> lines) {
    Map<Long, Instant> times = times(period, lines);
    TimeResolution resolution = board.scale().resolution();
    return lines.stream().map(line -> timed(period, line, times, resolution)).toList();
  }

  private static MemberScore timed(
      Period period, MemberScore line, Map<Long, Instant> times, TimeResolution resolution) {
    Instant occurredAt = times.get(line.arrival());
    if (occurredAt == null) {
      throw new Mismatch(
          period,
          List.of(
              "%s stands by event %d, which the journal does not hold"
                  .formatted(line.member(), line.arrival())));
    }
    return new MemberScore(
        line.member(),
        line.points(),
        line.thenBy(),
        line.arrival(),
        resolution.instant(resolution.tick(occurredAt)));
  }

  private Map<Long, Instant> times(Period period, List<MemberScore> lines) {
    var times = new HashMap<Long, Instant>();
    jdbc.sql("select seq, occurred_at from event where period_id = :period and seq = any(:seqs)")
        .param("period", period.id().value())
        .param("seqs", lines.stream().map(MemberScore::arrival).toArray(Long[]::new))
        .query(
            row -> {
              times.put(
                  row.getLong("seq"),
                  row.getObject("occurred_at", OffsetDateTime.class).toInstant());
            });
    return times;
  }
}
