package palmares.settlement.closing;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.DuePeriods;
import palmares.period.Leases;
import palmares.period.Leases.StaleLease;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.Repair;
import palmares.platform.Refusal;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.manifest.Manifests;
import palmares.settlement.manifest.Manifests.Awarded;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Records and logs how attempts to close periods ended. */
@Component
class ClosingResults {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingResults.class);

  private final Periods periods;
  private final Leases leases;
  private final DuePeriods duePeriods;
  private final Revisions revisions;
  private final Runs runs;
  private final Manifests manifests;
  private final Outbox outbox;
  private final TransactionTemplate transaction;

  ClosingResults(
      Periods periods,
      Leases leases,
      DuePeriods duePeriods,
      Revisions revisions,
      Runs runs,
      Manifests manifests,
      Outbox outbox,
      TransactionTemplate transaction) {
    this.periods = periods;
    this.leases = leases;
    this.duePeriods = duePeriods;
    this.revisions = revisions;
    this.runs = runs;
    this.manifests = manifests;
    this.outbox = outbox;
    this.transaction = transaction;
  }

  /**
   * Records how the job of an attempt ended.
   *
   * @param start of the attempt, by {@link System#nanoTime}
   */
  ClosingResult record(Attempt attempt, JobExecution execution, long start) {
    if (execution.getStatus() == BatchStatus.STOPPED) {
      return hold(attempt);
    }
    if (execution.getStatus() != BatchStatus.COMPLETED) {
      return fail(
          attempt,
          execution.getAllFailureExceptions().stream()
              .findFirst()
              .orElseGet(() -> new IllegalStateException("the job ended " + execution)));
    }
    Period settled = attempt.period();
    runs.end(attempt, "settled", null);
    logSettled(settled, (System.nanoTime() - start) / 1e9);
    return new ClosingResult(settled, Status.SETTLED, null);
  }

  /** Gives the figures as fields, too, for logs that are structured. */
  private void logSettled(Period settled, double seconds) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    long members = settled.population() == null ? 0 : settled.population().members();
    List<Awarded> awarded = manifests.awarded(settled);
    long awards = awarded.stream().mapToLong(Awarded::awards).sum();
    var sums = new LinkedHashMap<String, BigDecimal>();
    awarded.forEach(each -> sums.put(each.currency(), each.amount()));
    String duration = String.format(Locale.ROOT, "%.3f", seconds);
    LOG.atInfo()
        .addKeyValue("members", members)
        .addKeyValue("awards", awards)
        .addKeyValue("paid", sums)
        .addKeyValue("duration", new BigDecimal(duration))
        .log(
            "settled board={} period={} members={} awards={} paid={} duration={}",
            settled.board(),
            settled.name(),
            members,
            awards,
            sums,
            duration);
  }

  private ClosingResult hold(Attempt attempt) {
    Period held = attempt.period();
    Sentence reasons =
        new ClosingSentences.Reasons(
            revisions.find(held.id(), Revision.FIRST).map(Revision::heldFor).orElse(List.of()));
    runs.end(attempt, "held", reasons);
    LOG.warn(
        "{} board={} period={}; nothing is paid until a person approves it: {}",
        held.state().word(),
        held.board(),
        held.name(),
        Texts.english(reasons));
    return new ClosingResult(held, Status.HELD, reasons);
  }

  /** Records why an attempt failed, unless it has lost the period or has settled it. */
  ClosingResult fail(Attempt attempt, Throwable reason) {
    Period period = periods.get(attempt.lease().period());
    if (reason instanceof StaleLease || !leases.holds(attempt.lease())) {
      return new ClosingResult(period, Status.LOST, new ClosingSentences.TakenOver());
    }
    Sentence failure = Refusal.said(reason);
    if (period.state().isSettled()) {
      runs.end(attempt, "settled", null);
      LOG.warn(
          "settled board={} period={}, but its run failed afterwards: {}",
          period.board(),
          period.name(),
          Texts.english(failure));
      return new ClosingResult(period, Status.SETTLED, null);
    }
    runs.fail(attempt, failure, reason);
    transaction.executeWithoutResult(status -> recordFailure(period, attempt, failure, reason));
    LOG.error(
        "not settled board={} period={} step={}; nobody is paid, and it is tried again later"
            + " ('{}' shows more): {}",
        period.board(),
        period.name(),
        attempt.step(),
        Commands.of(
            Next.of("runs").with("board", period.board()).with("failed", true).with("stack", true)),
        Texts.english(failure).lines().collect(joining(" ")));
    LOG.debug("not settled period={}", period.id(), reason);
    return new ClosingResult(period, Status.FAILED, failure);
  }

  private void recordFailure(Period period, Attempt attempt, Sentence failure, Throwable reason) {
    Repair repair = reason instanceof Repair.Needed needed ? needed.repair() : null;
    duePeriods
        .recordFailure(attempt.lease(), failure, repair)
        .ifPresent(retry -> outbox.failed(period, attempt.lease(), attempt.step(), failure, retry));
  }
}
