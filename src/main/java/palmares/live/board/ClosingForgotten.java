package palmares.live.board;

import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Reports that PostgreSQL has forgotten that a period was sealed or settled. */
public final class ClosingForgotten extends Refusal implements Repair.Needed {
  /**
   * @param state the state that PostgreSQL has forgotten
   */
  public ClosingForgotten(Period period, String state) {
    super(Problem.EVENTS_MISSING, new LiveSentences.Forgotten(period.label(), state));
    then(repair().next(period.board(), period.name()));
  }

  @Override
  public Repair repair() {
    return Repair.ACCEPT_LOSS;
  }
}
