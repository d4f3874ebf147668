package palmares.settlement.lines;

import java.math.BigInteger;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.platform.bulk.BinaryRows;
import palmares.platform.bulk.Checksum;
import palmares.rules.board.MemberScore;

/** Encodes the lines of an outcome for COPY, and adds them up. */
final class LineRows {
  /** The columns in the order of the fields. */
  static final String COLUMNS =
      "(reached_at, points, then_by, arrival, outcome, place, rank, member)";

  private static final int FIELDS = 8;

  private final int outcome;
  private final BinaryRows rows;
  private final Checksum checksum = new Checksum();
  private long lines;
  private long points;

  LineRows(int outcome, Consumer<byte[]> sink) {
    this.outcome = outcome;
    this.rows = new BinaryRows(FIELDS, sink);
  }

  void add(@Nullable Integer place, @Nullable Integer rank, MemberScore line) {
    Instant reachedAt = line.reachedAt();
    rows.row()
        .time(reachedAt)
        .int8(line.points())
        .int8OrNone(line.thenBy())
        .int8OrNone(line.arrival())
        .int4(outcome)
        .int4(place)
        .int4(rank)
        .text(line.member());
    lines++;
    points = Math.addExact(points, line.points());
    // The same sum as the SQL function line_hash.
    checksum
        .and(place == null ? 0 : place)
        .and(rank == null ? 0 : rank)
        .and(line.points())
        .and(line.thenBy())
        .and(line.arrival());
    if (reachedAt == null) {
      checksum.andNone();
    } else {
      checksum.and(BinaryRows.micros(reachedAt));
    }
    checksum.end(line.member());
  }

  /** Sends the last block. */
  Totals finish() {
    rows.finish();
    return new Totals(lines, points, checksum.sum());
  }

  /**
   * Holds the sums of the encoded lines.
   *
   * @param checksum the sum of line_hash over the lines
   */
  record Totals(long lines, long points, BigInteger checksum) {}
}
