package palmares.live.board;

import palmares.period.Repair;
import palmares.platform.Refusal;

/** Reports that PostgreSQL has forgotten that a period was sealed or settled. */
public final class ClosingForgotten extends Refusal implements Repair.Needed {
  public ClosingForgotten(String label, String state) {
    super(Reason.EVENTS_MISSING, sentence(label, state));
  }

  /**
   * Says what follows for a period, as in {@code invites 2026-W43}, and what to do.
   *
   * @param state the state that PostgreSQL has forgotten
   */
  public static String sentence(String label, String state) {
    return ("PostgreSQL has forgotten that %1$s was %2$s, as Redis knows: it went back to an"
            + " earlier state, and nobody is paid until it is restored to a later point, or"
            + " 'palmares rebuild %1$s --replace --accept-loss --reason TEXT' lets the period close"
            + " again")
        .formatted(label, state);
  }

  @Override
  public Repair repair() {
    return Repair.ACCEPT_LOSS;
  }
}
