package palmares.settlement.decisions;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palmares.period.Period;
import palmares.platform.sql.SqlFile;
import palmares.rules.board.Action;
import palmares.rules.board.Board;

/**
 * Holds the statement that derives what the rules decide on the events of the periods {@code :ids}:
 * rows of {@code period_id, what, derived, stored}, where the live board has decided otherwise.
 */
public final class DecisionSql {
  public static final String WRONG = SqlFile.read(DecisionSql.class, "decisions-from-rules.sql");

  /** Draws the key of hashes, so that nobody can know it who sends events or changes rows. */
  private static final SecureRandom KEYS = new SecureRandom();

  private DecisionSql() {}

  /**
   * Returns the parameters that are the same for all periods of these rules.
   *
   * @param from the start of the first period
   * @param to the end of the last period
   */
  public static Map<String, Object> parameters(Board board, Instant from, Instant to) {
    var actions = List.copyOf(board.actions().values());
    var parameters = new HashMap<String, Object>();
    parameters.put("actions", actions.stream().map(Action::name).toList());
    parameters.put("onces", actions.stream().map(Action::oncePer).toList());
    parameters.put("mostAtOnce", actions.stream().map(Action::maxQuantity).toList());
    parameters.put("mostADay", actions.stream().map(Action::maxPerDay).toList());
    parameters.put("mostAPeriod", actions.stream().map(Action::maxPerPeriod).toList());
    parameters.put("leastAtOnce", actions.stream().mapToLong(Action::maxQuantity).min().orElse(1));
    parameters.put("limited", actions.stream().anyMatch(Action::isLimited));
    parameters.put(
        "capped",
        actions.stream().anyMatch(action -> action.maxPerDay() + action.maxPerPeriod() > 0));
    parameters.put("dayStarts", board.calendar().days().starts(from, to));
    parameters.put("key", KEYS.nextLong());
    return parameters;
  }

  /** Returns all parameters, for one period. */
  public static Map<String, Object> parameters(Period period, Board board) {
    var parameters = parameters(board, period.slot().startsAt(), period.slot().endsAt());
    parameters.put("ids", List.of(period.id()));
    return parameters;
  }
}
