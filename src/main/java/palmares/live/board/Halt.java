package palmares.live.board;

import palmares.platform.Refusal;
import palmares.platform.form.Choice;

/** Says why a live board takes no events until it is rebuilt or its journal is whole again. */
public enum Halt implements Choice {
  /** Its keys do not hold what it has counted, so its ranks are wrong. It is not read, either. */
  TORN(Refusal.Reason.TORN),
  /** Its journal lacks events that it has counted. Its ranks are right. */
  GAP(Refusal.Reason.JOURNAL_GAP);

  private final Refusal.Reason reason;

  Halt(Refusal.Reason reason) {
    this.reason = reason;
  }

  Refusal.Reason reason() {
    return reason;
  }

  /** Says what follows for a period, as in {@code invites 2026-W43}, and what to do. */
  public String sentence(String label) {
    return switch (this) {
      case TORN ->
          ("the live board of %1$s is torn: Redis lost a part of it; it takes no events and shows"
                  + " no ranks, and nobody is paid from it, until 'palmares rebuild %1$s --replace'"
                  + " has rebuilt it")
              .formatted(label);
      case GAP ->
          ("the journal of %1$s lacks events that the live board has counted; the period takes no"
                  + " events, and nobody is paid from it, until Redis or PostgreSQL is restored to"
                  + " a state that has them, or 'palmares rebuild %1$s --replace --accept-loss"
                  + " --reason TEXT' gives them up")
              .formatted(label);
    };
  }
}
