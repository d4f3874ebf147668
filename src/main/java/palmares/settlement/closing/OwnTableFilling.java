package palmares.settlement.closing;

import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.SEALED;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.Population;
import palmares.period.Transitions;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.Exclusions.InForce;
import palmares.platform.bulk.BulkLoad;
import palmares.platform.bulk.ParallelRunner;
import palmares.settlement.lines.ClosingLines;
import palmares.settlement.lines.ClosingLines.Streamed;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.PaymentStream;

/**
 * Fills the outcome of a big period, in own tables.
 *
 * <p>Two parallel transactions write lines and payments into tables without indexes, which nobody
 * reads. Then the tables get their indexes. They become visible in the transaction that marks the
 * period filled. If an attempt dies before that, the next one drops its tables.
 */
@Component
@EnableConfigurationProperties(OwnTableFilling.Settings.class)
class OwnTableFilling {
  private final LeasedTransaction leased;
  private final Transitions transitions;
  private final Leases leases;
  private final Exclusions exclusions;
  private final Revisions revisions;
  private final ClosingLines lines;
  private final Awards awards;
  private final BulkLoad bulkLoad;
  private final TransactionTemplate transaction;
  private final JdbcClient jdbc;
  private final Settings settings;

  OwnTableFilling(
      LeasedTransaction leased,
      Transitions transitions,
      Leases leases,
      Exclusions exclusions,
      Revisions revisions,
      ClosingLines lines,
      Awards awards,
      BulkLoad bulkLoad,
      TransactionTemplate transaction,
      JdbcClient jdbc,
      Settings settings) {
    this.leased = leased;
    this.transitions = transitions;
    this.leases = leases;
    this.exclusions = exclusions;
    this.revisions = revisions;
    this.lines = lines;
    this.awards = awards;
    this.bulkLoad = bulkLoad;
    this.transaction = transaction;
    this.jdbc = jdbc;
    this.settings = settings;
  }

  /**
   * Configures where outcomes are stored.
   *
   * @param ownTablesFrom outcomes of this many members or more get tables of their own; for fewer,
   *     creating tables takes longer than filling them
   */
  @ConfigurationProperties("palmares.history")
  record Settings(@DefaultValue("5000") long ownTablesFrom) {
    Settings {
      if (ownTablesFrom < 1) {
        throw new IllegalArgumentException(
            "palmares.history.own-tables-from is %d, and must be 1 or more"
                .formatted(ownTablesFrom));
      }
    }
  }

  private record Begun(int outcome, InForce excluded) {}

  /** What was sent to PostgreSQL: lines, and payments with the sum of payment_hash over them. */
  private record Sent(Streamed lines, long payments, BigInteger paymentChecksum) {}

  /** Adopted boards are ranked by SQL, in the shared tables. */
  boolean suits(Closing closing) {
    Population population = closing.period().population();
    return population != null
        && population.members() >= settings.ownTablesFrom()
        && closing.board().kind().countsEvents();
  }

  void fill(Closing closing) {
    Period period = closing.period();
    Begun begun = leased.call(closing, () -> begin(closing));
    int outcome = begun.outcome();
    Sent sent = stream(closing, begun);
    boolean moreAwarded =
        leased.call(
            closing,
            () -> {
              exclusions.freeze(period, Revision.FIRST, begun.excluded(), sent.lines().excluded());
              return awards.awardOthers(period, closing.board());
            });
    index(closing, outcome);
    leased.run(
        closing,
        () -> {
          lines.reconcile(period, outcome, closing.board(), sent.lines());
          awards.finish(period, closing.board());
          if (moreAwarded) {
            revisions.markFilled(outcome);
          } else {
            revisions.markFilled(
                outcome,
                sent.lines().lines(),
                sent.lines().checksum(),
                sent.payments(),
                sent.paymentChecksum());
          }
          revisions.attach(outcome);
          transitions.advance(closing.lease(), SEALED, FILLED);
          closing.progress().endStep();
        });
  }

  private Begun begin(Closing closing) {
    revisions.forget(closing.period().id(), Revision.FIRST);
    InForce excluded = exclusions.inForce(closing.period());
    int outcome =
        revisions.begin(closing.period(), closing.board(), closing.cause().by(), Tables.OWN);
    return new Begun(outcome, excluded);
  }

  private Sent stream(Closing closing, Begun begun) {
    try (var pipe =
        bulkLoad.pipe(
            OutcomeTables.payments(begun.outcome()) + " " + PaymentStream.COLUMNS,
            () -> leases.share(closing.lease()))) {
      PaymentStream payments = awards.stream(closing.period(), closing.board(), pipe::write);
      RunProgress.Part step = closing.progress().step();
      long[] ranked = {0};
      Streamed streamed =
          lines.stream(
              closing.lease(),
              closing.period(),
              begun.outcome(),
              closing.board(),
              begun.excluded(),
              (line, rank, excluded) -> {
                payments.next(line, rank, excluded);
                step.reach(++ranked[0]);
              });
      step.reach(streamed.lines());
      long count = payments.finish();
      pipe.finish();
      return new Sent(streamed, count, payments.checksum());
    }
  }

  private void index(Closing closing, int outcome) {
    var indexes =
        List.of(
            Map.entry("line", "member"),
            Map.entry("payment", "member, rule, purpose"),
            Map.entry("line", "place"));
    ParallelRunner.run(
        indexes.stream()
            .map(
                index -> (Runnable) () -> index(closing, outcome, index.getKey(), index.getValue()))
            .toList());
  }

  private void index(Closing closing, int outcome, String rows, String columns) {
    RunProgress.Part slice =
        closing.progress().slice("index %s (%s)".formatted(rows, columns), "indexes", 1L);
    transaction.executeWithoutResult(
        status -> {
          leases.share(closing.lease());
          jdbc.sql("select index_outcome_table(:rows, :outcome, :columns)")
              .param("rows", rows)
              .param("outcome", outcome)
              .param("columns", columns)
              .query((row, n) -> n)
              .single();
        });
    slice.reach(1);
    slice.end();
  }
}
