package palmares.reward;

import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import palmares.board.Board;
import palmares.board.Scoring;
import palmares.period.Period;
import palmares.revision.Revision;

/** A revision of a period and the rules that it awards by: what all statements are about. */
record Revised(Period period, Revision revision, Board board) {
  /** Where the payments of a closing are written, and where an amendment compares its own first. */
  private static final String CLOSING = "payment";

  static final String AMENDMENT = "due_payment";

  /** Whether its payments are differences from another revision's. */
  boolean amends() {
    return revision.base() != null;
  }

  /** The table that the rules write into. */
  String payments() {
    return amends() ? AMENDMENT : CLOSING;
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
  private long least() {
    Scoring scoring = board.scale().scoring();
    Long said = board.payout().minPoints();
    if (said != null && !scoring.fewestWin()) {
      return said;
    }
    return scoring.takesValues() ? 0 : 1;
  }

  private long most() {
    Long said = board.payout().minPoints();
    return said != null && board.scale().scoring().fewestWin() ? said : Long.MAX_VALUE;
  }
}
