package palmares.settlement.outcome;

import java.util.List;
import java.util.stream.Stream;

/**
 * Names the tables that hold the rows of an outcome. Outcomes with numbers below zero share tables.
 * An outcome with a number above zero has its own tables, which become partitions once attached.
 */
public record OutcomeTables(String lines, String payments) {
  /** The tables of all outcomes; a statement reads the partitions of those that it names. */
  public static final OutcomeTables ALL = new OutcomeTables("line", "payment");

  /** As the function of that name, which sees attached tables only. */
  private static final String AWARD_CHANGES =
      """
      (
        select payment.outcome, payment.member, prize.name as rule, prize.currency,
          case when payment.purpose in (1, 5) then payment.amount else -payment.amount end
            as credits
        from {payments} payment
        join prize on prize.outcome = payment.outcome and prize.rule = payment.rule
        where payment.outcome = any(:parts) and prize.outcome = any(:parts)
      )
      """;

  private static final OutcomeTables SHARED = new OutcomeTables("line_shared", "payment_shared");

  /** The indexes of the tables; the shared ones have them. */
  public static final List<Index> INDEXES =
      List.of(
          new Index("line", "member"),
          new Index("payment", "member, rule, purpose"),
          new Index("line", "place"));

  /** A unique index of the table of lines or payments. */
  public record Index(String rows, String columns) {}

  static boolean areOwn(int outcome) {
    return outcome > 0;
  }

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

  /**
   * The tables for a statement about these outcomes: if it is one, its own, which may not be
   * attached yet.
   */
  public static OutcomeTables of(List<Integer> outcomes) {
    return outcomes.size() == 1 ? of(outcomes.get(0).intValue()) : of(outcomes.stream());
  }

  /** The tables of an outcome's lines, and of the payments that add up to its awards. */
  public static OutcomeTables of(int outcome, List<Integer> parts) {
    return new OutcomeTables(lines(outcome), of(parts).payments());
  }

  public static String lines(int outcome) {
    return of(outcome).lines();
  }

  public static String payments(int outcome) {
    return of(outcome).payments();
  }

  /**
   * The statement with these tables in place of <code>{lines}</code> and <code>{payments}</code>.
   * In place of <code>{award_changes}</code> are the rows of <code>award_changes(:parts)</code>.
   */
  public String in(String sql) {
    return sql.replace("{award_changes}", AWARD_CHANGES)
        .replace("{lines}", lines)
        .replace("{payments}", payments);
  }
}
