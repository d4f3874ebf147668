package palmares.settlement.reward;

import java.util.HashMap;
import java.util.Map;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Scale.Scoring;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;

/**
 * A revision of a period and the rules that it awards by, which all statements refer to.
 *
 * @param number the revision's number within the period
 * @param outcome its number among all outcomes
 * @param amends whether its payments are differences from the awards in force
 */
record RevisionContext(Period period, int number, int outcome, boolean amends, Board board) {
  /** The temporary table of an amendment's awards, which are compared with those in force. */
  static final String AMENDMENT = "due_payment";

  static RevisionContext of(Period period, Revision revision, Board board) {
    return new RevisionContext(
        period, revision.number(), revision.id(), revision.base() != null, board);
  }

  /** Of the closing's own outcome. */
  static RevisionContext ofClosing(Period period, int outcome, Board board) {
    return new RevisionContext(period, Revision.FIRST, outcome, false, board);
  }

  String payments() {
    return amends() ? AMENDMENT : OutcomeTables.payments(outcome);
  }

  String lines() {
    return OutcomeTables.lines(outcome);
  }

  /** The parameters of {@link SeatSql}. */
  Map<String, Object> parameters() {
    var parameters = new HashMap<String, Object>();
    parameters.put("period", period.id());
    parameters.put("revision", number);
    parameters.put("outcome", outcome);
    parameters.put("ends", period.slot().endsAt());
    parameters.put("least", least());
    parameters.put("most", most());
    return parameters;
  }

  /** The fewest points that win. Where points add up, a member with 0 has undone all events. */
  long least() {
    Scoring scoring = board.scale().scoring();
    Long said = board.payout().minPoints();
    if (said != null && !scoring.fewestWin()) {
      return said;
    }
    return scoring.takesValues() ? 0 : 1;
  }

  /** The most points that win. */
  long most() {
    Long said = board.payout().minPoints();
    return said != null && board.scale().scoring().fewestWin() ? said : Long.MAX_VALUE;
  }
}
