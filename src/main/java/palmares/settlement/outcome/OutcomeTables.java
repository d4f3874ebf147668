package palmares.settlement.outcome;

/**
 * Names the tables that hold the rows of an outcome. Outcomes with numbers below zero share tables.
 * An outcome with a number above zero has its own tables, which become partitions once attached.
 */
public final class OutcomeTables {
  private OutcomeTables() {}

  /** The table of an outcome's lines. */
  public static String lines(int outcome) {
    return name("line", outcome);
  }

  /** The table of an outcome's payments. */
  public static String payments(int outcome) {
    return name("payment", outcome);
  }

  private static String name(String shared, int outcome) {
    return shared + (outcome > 0 ? "_" + outcome : "_shared");
  }
}
