package palmares.settlement.closing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.Population;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.Exclusions.InForce;
import palmares.platform.bulk.CopyPipe;
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
 * Fills the outcome of a big period, in tables of its own: they are written without indexes by two
 * transactions side by side, get their indexes, and become visible in the transaction of the
 * period's new state. What an attempt leaves that dies before is dropped by the next.
 */
@Component
@EnableConfigurationProperties(OwnTableFilling.Settings.class)
class OwnTableFilling {
  private final StateSteps stateSteps;
  private final Leases leases;
  private final Exclusions exclusions;
  private final Revisions revisions;
  private final ClosingLines lines;
  private final Awards awards;
  private final DataSource dataSource;
  private final TransactionTemplate transaction;
  private final JdbcClient jdbc;
  private final Settings settings;

  OwnTableFilling(
      StateSteps stateSteps,
      Leases leases,
      Exclusions exclusions,
      Revisions revisions,
      ClosingLines lines,
      Awards awards,
      DataSource dataSource,
      TransactionTemplate transaction,
      Settings settings) {
    this.stateSteps = stateSteps;
    this.leases = leases;
    this.exclusions = exclusions;
    this.revisions = revisions;
    this.lines = lines;
    this.awards = awards;
    this.dataSource = dataSource;
    this.transaction = transaction;
    this.jdbc = JdbcClient.create(dataSource);
    this.settings = settings;
  }

  /**
   * How outcomes are kept.
   *
   * @param ownTablesFrom an outcome of so many members, or more, has tables of its own; making them
   *     takes longer than filling them for fewer
   */
  @ConfigurationProperties("palmares.history")
  record Settings(@DefaultValue("5000") long ownTablesFrom) {
    Settings {
      if (ownTablesFrom < 1) {
        throw new IllegalArgumentException(
            "palmares.history.own-tables-from is 1 or more, not " + ownTablesFrom);
      }
    }
  }

  private record Begun(int outcome, InForce excluded) {}

  /** The order of an adopted board is found by SQL, in the shared tables. */
  boolean suits(Closing closing) {
    Population sealed = closing.period().population();
    return sealed != null
        && sealed.members() >= settings.ownTablesFrom()
        && closing.board().adoption() == null;
  }

  void fill(Closing closing) {
    Begun begun = begin(closing);
    int outcome = begun.outcome();
    Period period = closing.period();
    var payments = new Payments();
    Streamed streamed = stream(closing, begun, payments);
    stateSteps.within(
        closing,
        () -> {
          exclusions.freeze(period, Revision.FIRST, begun.excluded(), streamed.excluded());
          payments.all = !awards.awardOthers(period, closing.board());
        });
    index(closing, outcome);
    stateSteps.fill(
        closing,
        () -> {
          lines.prove(period, outcome, closing.board(), streamed);
          awards.finish(period, closing.board());
          if (payments.all) {
            revisions.filled(
                outcome, streamed.lines(), streamed.checksum(), payments.number, payments.checksum);
          } else {
            revisions.filled(outcome);
          }
          revisions.attach(outcome);
        });
  }

  /** What was streamed of the payments. */
  private static final class Payments {
    private long number;
    private BigInteger checksum = BigInteger.ZERO;
    private boolean all;
  }

  private Begun begin(Closing closing) {
    var begun = new ArrayList<Begun>();
    stateSteps.within(
        closing,
        () -> {
          revisions.forget(closing.period().id(), Revision.FIRST);
          InForce excluded = exclusions.inForce(closing.period());
          begun.add(
              new Begun(
                  revisions.begin(
                      closing.period(),
                      closing.board(),
                      closing.cause().by(),
                      closing.cause().person(),
                      Tables.OWN),
                  excluded));
        });
    return begun.get(0);
  }

  private Streamed stream(Closing closing, Begun begun, Payments payments) {
    try (var pipe =
        new CopyPipe(
            dataSource,
            transaction,
            OutcomeTables.payments(begun.outcome()) + " " + PaymentStream.COLUMNS,
            () -> leases.share(closing.lease()))) {
      PaymentStream stream = awards.stream(closing.period(), closing.board(), pipe::write);
      Streamed streamed =
          lines.stream(
              closing.lease(),
              closing.period(),
              begun.outcome(),
              closing.board(),
              begun.excluded(),
              stream::next);
      payments.number = stream.finish();
      payments.checksum = stream.checksum();
      pipe.finish();
      return streamed;
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
  }
}
