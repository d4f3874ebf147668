package palmares.settlement.closing;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Lease;
import palmares.period.exclusion.FrozenExclusions.InForce;
import palmares.platform.sql.RecordMapper.Prefixed;
import palmares.rules.board.Sha256;
import palmares.settlement.lines.ClosingLines.Numbered;
import palmares.settlement.lines.ClosingLines.Streamed;
import palmares.settlement.lines.ClosingLines.Totals;
import palmares.settlement.lines.LineSlice;
import palmares.settlement.outcome.Revision;
import palmares.settlement.reward.PaymentStream;

/**
 * Stores how the outcome of a big period is filled: its slices, and the sums of those that are
 * stored. An attempt continues with the slices that are missing if the one before it died.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class ClosingSlices {
  private final JdbcClient jdbc;

  ClosingSlices(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The sums of a slice that is stored. */
  record Filled(Streamed lines, @Prefixed PaymentStream.Totals payments) {}

  /**
   * A slice of an outcome.
   *
   * @param number from 0
   * @param filled null while it is not stored
   */
  record Slice(int number, LineSlice lines, @Nullable Filled filled) {}

  /**
   * Finds the outcome that an attempt which died has begun to fill, if this one would fill it in
   * the same way: by the same rules and exclusions, for the same caller.
   */
  Optional<Integer> unfinished(Closing closing, InForce excluded) {
    return jdbc.sql(
            """
            select id from revision
            where period_id = :period
              and revision = :revision
              and id > 0
              and definition_hash = :hash
              and prepared_by = :by
              and verdict is null
              and filled_at is null
              and exists (
                select from closing_slice
                where outcome = revision.id and excluded = :excluded)
            """)
        .param("period", closing.period().id())
        .param("revision", Revision.FIRST)
        .param("hash", closing.board().source().hash())
        .param("by", closing.cause().by())
        .param("excluded", digest(excluded))
        .query(Integer.class)
        .optional();
  }

  /** Stores the slices of an outcome, none of which is filled. */
  void plan(int outcome, List<LineSlice> slices, InForce excluded, Lease lease) {
    String digest = digest(excluded);
    for (int i = 0; i < slices.size(); i++) {
      LineSlice slice = slices.get(i);
      jdbc.sql(
              """
              insert into closing_slice (
                outcome, slice, excluded, fence, from_index, to_index, before_index, place, rank,
                levels, unranked)
              values (
                :outcome, :slice, :excluded, :fence, :from, :to, :before, :place, :rank, :levels,
                :unranked)
              """)
          .param("outcome", outcome)
          .param("slice", i)
          .param("excluded", digest)
          .param("fence", lease.fence())
          .param("from", slice.from())
          .param("to", slice.to())
          .param("before", slice.before())
          .param("place", slice.place())
          .param("rank", slice.rank())
          .param("levels", slice.levels())
          .param("unranked", slice.unranked())
          .update();
    }
  }

  /** Returns the slices of an outcome in their order. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<Slice> of(int outcome) {
    return jdbc.sql(
            """
            select slice as number, from_index as "from", to_index as "to", before_index as before,
              place, rank, levels, unranked, lines, points, line_sum as checksum, fingerprint,
              ranked_lines as numbered_ranked, unranked_lines as numbered_unranked,
              excluded_members as numbered_excluded, payments as payments_payments,
              payment_sum as payments_checksum, awarded as payments_awarded
            from closing_slice
            where outcome = :outcome
            order by slice
            """)
        .param("outcome", outcome)
        .query(Slice.class)
        .list();
  }

  /**
   * Stores the sums of a slice, in the transaction that stores its rows.
   *
   * @throws IllegalStateException if the slice is stored already
   */
  void fill(int outcome, int slice, Filled filled, Lease lease) {
    Numbered numbered = filled.lines().numbered();
    Totals lines = filled.lines().totals();
    int rows =
        jdbc.sql(
                """
                update closing_slice
                set filled_fence = :fence, lines = :lines, points = :points, line_sum = :lineSum,
                  fingerprint = :fingerprint, ranked_lines = :ranked, unranked_lines = :unranked,
                  excluded_members = :members::text[], payments = :payments,
                  payment_sum = :paymentSum, awarded = :awarded::text[]::numeric[]
                where outcome = :outcome and slice = :slice and filled_fence is null
                """)
            .param("fence", lease.fence())
            .param("lines", lines.lines())
            .param("points", lines.points())
            .param("lineSum", new BigDecimal(lines.checksum()))
            .param("fingerprint", new BigDecimal(lines.fingerprint()))
            .param("ranked", numbered.ranked())
            .param("unranked", numbered.unranked())
            .param("members", numbered.excluded())
            .param("payments", filled.payments().payments())
            .param("paymentSum", new BigDecimal(filled.payments().checksum()))
            .param(
                "awarded", filled.payments().awarded().stream().map(BigInteger::toString).toList())
            .param("outcome", outcome)
            .param("slice", slice)
            .update();
    if (rows != 1) {
      throw new IllegalStateException(
          "slice %d of outcome %d is stored already".formatted(slice, outcome));
    }
  }

  /** Forgets the slices of an outcome, so that no later attempt continues with them. */
  void forget(int outcome) {
    jdbc.sql("delete from closing_slice where outcome = :outcome")
        .param("outcome", outcome)
        .update();
  }

  /** A hash of what is in force; the time of the freeze is no part of it. */
  private static String digest(InForce excluded) {
    return Sha256.of(
        Stream.concat(
                excluded.lists().stream().sorted(),
                new TreeMap<>(excluded.levels())
                    .entrySet().stream().map(entry -> entry.getKey() + "\0" + entry.getValue()))
            .collect(joining("\0")));
  }
}
