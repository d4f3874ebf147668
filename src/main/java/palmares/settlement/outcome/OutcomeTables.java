package palmares.settlement.outcome;

import java.util.stream.Stream;

/**
 * Names the tables that hold the rows of an outcome. Outcomes with numbers below zero share tables.
 * An outcome with a number above zero has its own tables, which become partitions once attached.
 */
public record OutcomeTables(String lines, String payments) {
  /** The tables of all outcomes; a statement reads the partitions of those that it names. */
  public static final OutcomeTables ALL = new OutcomeTables("line", "payment");

  private static final OutcomeTables SHARED = new OutcomeTables("line_shared", "payment_shared");

  /** Whether an outcome has its own tables. */
  static boolean areOwn(int outcome) {
    return outcome > 0;
  }

  /** The tables of one outcome. */
  public static OutcomeTables of(int outcome) {
    return areOwn(outcome) ? new OutcomeTables("line_" + outcome, "payment_" + outcome) : SHARED;
  }

  /**
   * The tables for a statement about these outcomes: the shared ones if all of them share tables.
   * Such a statement locks no partition, and its plan can be kept for other outcomes.
   */
  public static OutcomeTables of(Stream<Integer> outcomes) {
    return outcomes.anyMatch(OutcomeTables::areOwn) ? ALL : SHARED;
  }

  /** The table of an outcome's lines. */
  public static String lines(int outcome) {
    return of(outcome).lines();
  }

  /** The table of an outcome's payments. */
  public static String payments(int outcome) {
    return of(outcome).payments();
  }

  /**
   * The statement with these tables in place of <code>{lines}</code> and <code>{payments}</code>.
   */
  public String in(String sql) {
    return sql.replace("{lines}", lines).replace("{payments}", payments);
  }
}
