package palmares.standing;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import palmares.board.Holding;
import palmares.bulk.BinaryRows;

/** Encodes the lines of an outcome for COPY, and adds up what was encoded. */
final class LineRows {
  /** The columns in the order of the fields. */
  static final String COLUMNS =
      "(reached_at, points, then_by, arrival, outcome, place, rank, member)";

  private static final int FIELDS = 8;
  private static final int HALF = 32;
  private static final long LOW = 0xffff_ffffL;

  private final int outcome;
  private final BinaryRows rows;
  private final MessageDigest digest = sha256();
  private final StringBuilder text = new StringBuilder();
  private long lines;
  private long points;
  private long high;
  private long low;

  LineRows(int outcome, Consumer<byte[]> sink) {
    this.outcome = outcome;
    this.rows = new BinaryRows(FIELDS, sink);
  }

  void add(@Nullable Integer place, @Nullable Integer rank, Holding line) {
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
    addHash(place, rank, line);
  }

  /** As the SQL function line_hash does. */
  private void addHash(@Nullable Integer place, @Nullable Integer rank, Holding line) {
    Instant reachedAt = line.reachedAt();
    text.setLength(0);
    text.append(place == null ? 0 : place).append('|');
    text.append(rank == null ? 0 : rank).append('|');
    text.append(line.points()).append('|');
    text.append(line.thenBy()).append('|');
    text.append(line.arrival()).append('|');
    text.append(reachedAt == null ? 0 : BinaryRows.micros(reachedAt)).append('|');
    text.append(line.member());
    digest.update(text.toString().getBytes(StandardCharsets.UTF_8));
    long hash = ByteBuffer.wrap(digest.digest()).getLong();
    high += hash >> HALF;
    low += hash & LOW;
  }

  /** Gives away what is left. */
  Totals finish() {
    rows.finish();
    return new Totals(
        lines, points, BigInteger.valueOf(high).shiftLeft(HALF).add(BigInteger.valueOf(low)));
  }

  /**
   * What was encoded.
   *
   * @param checksum the sum of line_hash over the lines
   */
  record Totals(long lines, long points, BigInteger checksum) {}

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
