package palmares.bench.close;

import java.util.List;
import palmares.audit.Findings;
import palmares.audit.Verification;
import palmares.bench.Parts;
import palmares.bench.WrongResult;
import palmares.closing.Cause;
import palmares.closing.Closed;
import palmares.closing.Closings;
import palmares.period.Period;

/** Closes periods by the application's own job. */
final class RealClosing {
  private final Closings closings;
  private final Verification verification;

  RealClosing(Parts parts) {
    this.closings = parts.get(Closings.class);
    this.verification = parts.get(Verification.class);
  }

  /**
   * Closes a period that is over.
   *
   * @throws WrongResult if it is not settled then
   */
  StepTimes close(Period period) {
    var times = new StepTimes();
    Closed closed = closings.close(period.id(), Cause.of("bench"), times);
    times.stop();
    if (closed.outcome() != Closed.Outcome.SETTLED) {
      throw new WrongResult(
          "%s was not settled: %s, %s"
              .formatted(period.label(), closed.outcome(), closed.detail()));
    }
    return times;
  }

  /**
   * Derives all that the closed period must hold anew.
   *
   * @throws WrongResult if anything differs
   */
  void verify(Period period) {
    Findings findings = verification.verify(List.of(period.id()));
    if (!findings.clean()) {
      throw new WrongResult(
          "%s does not verify: %s; %s"
              .formatted(
                  period.label(), findings.summary(), findings.named().get(0).sentence()));
    }
  }
}
