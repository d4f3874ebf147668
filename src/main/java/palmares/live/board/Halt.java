package palmares.live.board;

import palmares.platform.Problem;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;

/** Says why a live board takes no events until it is rebuilt or its journal is whole again. */
public enum Halt implements Choice {
  /** Its keys do not hold what it has counted, so its ranks are wrong. It is not read, either. */
  TORN(Problem.TORN),
  /** Its journal lacks events that it has counted. Its ranks are right. */
  GAP(Problem.JOURNAL_GAP);

  private final Problem reason;

  Halt(Problem reason) {
    this.reason = reason;
  }

  Problem reason() {
    return reason;
  }

  /** Says what follows for a period, as {@code invites 2026-W43}. */
  public Sentence said(String period) {
    return this == TORN ? new LiveSentences.Torn(period) : new LiveSentences.Gap(period);
  }
}
