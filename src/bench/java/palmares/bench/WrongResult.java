package palmares.bench;

import palmares.platform.text.Texts;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.verification.Findings;

/** Thrown if the measured work produced a wrong result, so that its time means nothing. */
public final class WrongResult extends RuntimeException {
  public WrongResult(String message) {
    super(message);
  }

  /**
   * Requires a closing to have settled its period.
   *
   * @throws WrongResult if it has not
   */
  public static void requireSettled(ClosingResult closed) {
    if (closed.outcome() != ClosingResult.Status.SETTLED) {
      throw new WrongResult(
          "%s was not settled: %s, %s"
              .formatted(closed.period().label(), closed.outcome(), closed.detail()));
    }
  }

  /**
   * Requires verification to have found no difference.
   *
   * @throws WrongResult if it has found one
   */
  public static void requireClean(Findings findings) {
    if (!findings.clean()) {
      throw new WrongResult(
          "verification found differences: %s; %s"
              .formatted(
                  Texts.english(findings.summary()),
                  Texts.english(findings.named().get(0).said())));
    }
  }
}
