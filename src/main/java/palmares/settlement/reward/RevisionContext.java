package palmares.settlement.reward;

import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Scoring;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;

/** A revision of a period and the rules that it awards by: what all statements are about. */
record RevisionContext(Period period, Revision revision, Board board) {
  /** Where an amendment writes its awards, to be compared with those that stand. */
  static final String AMENDMENT = "due_payment";

  /** Whether its payments are differences from another revision's. */
  boolean amends() {
    return revision.base() != null;
  }

  /** The table that the rules write into. */
  String payments() {
    return amends() ? AMENDMENT : OutcomeTables.payments(revision.id());
  }

  /** The table of its lines. */
  String lines() {
    return OutcomeTables.lines(revision.id());
  }

  /** What {@link SeatSql} asks for. */
  Map<String, Object> parameters() {
    var parameters = new HashMap<String, Object>();
    parameters.put("period", period.id().value());
    parameters.put("revision", revision.number());
    parameters.put("outcome", revision.id());
    parameters.put("ends", period.slot().endsAt().atOffset(ZoneOffset.UTC));
    parameters.put("least", least());
    parameters.put("most", most());
    return parameters;
  }

  /** Who holds no points where they add up has taken back all that it did. */
  long least() {
    Scoring scoring = board.scale().scoring();
    Long said = board.payout().minPoints();
    if (said != null && !scoring.fewestWin()) {
      return said;
    }
    return scoring.takesValues() ? 0 : 1;
  }

  long most() {
    Long said = board.payout().minPoints();
    return said != null && board.scale().scoring().fewestWin() ? said : Long.MAX_VALUE;
  }
}
