package palmares.settlement.lines;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.platform.bulk.BinaryRows;
import palmares.platform.bulk.Checksum;
import palmares.platform.bulk.ExactSum;
import palmares.platform.bulk.PostgresHash;
import palmares.platform.time.Microseconds;
import palmares.rules.board.MemberScore;
import palmares.settlement.lines.ClosingLines.Totals;

/** Encodes the lines of an outcome for COPY, and adds them up. */
final class LineRows {
  /** The columns in the order of the fields. */
  static final String COLUMNS =
      "(reached_at, points, then_by, arrival, outcome, place, rank, member)";

  private static final int FIELDS = 8;

  private final int outcome;
  private final BinaryRows rows;
  private final Checksum checksum = new Checksum();
  private final ExactSum fingerprint = new ExactSum();
  private long lines;
  private long points;

  LineRows(int outcome, Consumer<byte[]> sink) {
    this.outcome = outcome;
    this.rows = new BinaryRows(FIELDS, sink);
  }

  void add(@Nullable Integer place, @Nullable Integer rank, MemberScore line) {
    Instant reachedAt = line.reachedAt();
    byte[] member = line.member().getBytes(StandardCharsets.UTF_8);
    rows.row()
        .time(reachedAt)
        .int8(line.points())
        .int8OrNone(line.thenBy())
        .int8OrNone(line.arrival())
        .int4(outcome)
        .int4(place)
        .int4(rank)
        .text(member);
    lines++;
    points = Math.addExact(points, line.points());
    long micros = reachedAt == null ? 0 : Microseconds.micros(reachedAt);
    fingerprint.add(fingerprint(member, line.points(), line.thenBy(), line.arrival(), micros));
    // The same sum as the SQL function line_hash.
    checksum.and(place == null ? 0 : place, rank == null ? 0 : rank);
    if (line.thenBy() != 0 || line.arrival() != 0) {
      checksum.and(~line.points()).and(line.thenBy()).and(line.arrival());
    } else {
      checksum.and(line.points());
    }
    if (reachedAt != null) {
      checksum.and(BinaryRows.postgresMicros(reachedAt));
    }
    checksum.end(member);
  }

  /**
   * The hash of a line that its {@link Totals#fingerprint} adds up.
   *
   * @param member in UTF-8
   */
  static long fingerprint(byte[] member, long points, long thenBy, long arrival, long micros) {
    long ofTime = PostgresHash.of(0, micros);
    long ofArrival = PostgresHash.of(0, arrival ^ ofTime);
    return PostgresHash.of(member, points ^ PostgresHash.of(0, thenBy ^ ofArrival));
  }

  Totals finish() {
    rows.finish();
    return new Totals(lines, points, checksum.sum(), fingerprint.sum());
  }
}
