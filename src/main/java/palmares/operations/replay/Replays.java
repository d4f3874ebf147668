package palmares.operations.replay;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.platform.time.ZoneOffsets;
import palmares.rules.board.Board;
import palmares.rules.board.Board.LineRule;
import palmares.rules.board.BoardId;
import palmares.rules.payout.Budget;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.PerAction;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.ReplayedAwards;

/** Computes what other rules would have paid for settled periods, in their revisions in force. */
@Component
public class Replays {
  /** What is said of periods under other rules. */
  interface ReplaySentences {
    record OtherRules(LineRule what) implements Sentence {}

    record Archived(String rule) implements Sentence {}

    record PeriodBudget(BigDecimal budget) implements Sentence {}

    record MonthBudget(BigDecimal budget) implements Sentence {}

    record Compared(long periods, long lines) implements Sentence {}

    record Amended(long periods) implements Sentence {}

    record Adopted(long periods) implements Sentence {}

    record Unsettled(long periods) implements Sentence {}

    record TiesShared(long periods) implements Sentence {}

    record Withheld(long periods) implements Sentence {}

    record NoPeriods() implements Sentence {}

    record TooManyPeriods(long periods, long most) implements Sentence {}
  }

  /** Of which each may lock the tables of its lines and payments until the end. */
  static final int MAX_PERIODS = 1_000;

  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Revisions revisions;
  private final ReplayedAwards awards;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  Replays(
      Periods periods,
      BoardDefinitions definitions,
      Revisions revisions,
      ReplayedAwards awards,
      JdbcClient jdbc,
      PlatformTransactionManager transactions) {
    this.periods = periods;
    this.definitions = definitions;
    this.revisions = revisions;
    this.awards = awards;
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
  }

  /** In which part of the comparison a row is. */
  public enum Part implements Choice {
    /** The sum of a currency. */
    TOTAL,
    /** The sum of a month. */
    MONTH,
    /** The sum of a rule. */
    RULE,
    /** One of the members who would have got most in addition. */
    GAIN,
    /** One of the members who would have lost most. */
    LOSS,
    /** A period or month whose budget would have held it. */
    BUDGET,
    /** A period that cannot be compared. */
    SKIPPED
  }

  /**
   * A row of the comparison.
   *
   * @param name of the month, rule, member or period; empty for a total
   * @param paid what was paid; null, as the next ones, for a period that is skipped
   * @param would what the other rules would have paid
   * @param difference what they would have paid in addition; below zero if less
   * @param detail why, for budgets and skipped periods
   */
  public record ReplayRow(
      Part part,
      @Wrapped String name,
      @Nullable String currency,
      @Nullable BigDecimal paid,
      @Nullable BigDecimal would,
      @Nullable BigDecimal difference,
      @Nullable Sentence detail) {
    static ReplayRow of(
        Part part, String name, String currency, Sums sums, @Nullable Sentence why) {
      return new ReplayRow(
          part, name, currency, sums.paid, sums.would, sums.would.subtract(sums.paid), why);
    }
  }

  /** What was paid, and what would have been. */
  private record Sums(BigDecimal paid, BigDecimal would) {
    static final Sums NONE = new Sums(BigDecimal.ZERO, BigDecimal.ZERO);

    Sums plus(Sums other) {
      return new Sums(paid.add(other.paid), would.add(other.would));
    }
  }

  /** The rows, and what is said about them. */
  public record Replay(List<ReplayRow> rows, List<Sentence> notes) {
    public Replay {
      rows = List.copyOf(rows);
      notes = List.copyOf(notes);
    }
  }

  private record Asked(PeriodId id, Instant startsAt, String month, boolean settled) {}

  private record Compared(Period period, String month) {}

  /**
   * Compares the rules with what was paid for the settled periods of a board that start in a range.
   * The transaction may write nothing but a temporary table.
   *
   * @param from null, as {@code to}, for no limit
   * @param top how many members to name who would have got more, and less
   */
  public Replay of(
      BoardId board, Board rules, @Nullable Instant from, @Nullable Instant to, int top) {
    return Objects.requireNonNull(
        transaction.execute(status -> new Run(rules, top).of(asked(board, rules, from, to))));
  }

  private List<Asked> asked(
      BoardId board, Board rules, @Nullable Instant from, @Nullable Instant to) {
    return jdbc.sql(
            """
            select id, starts_at, is_settled(state) as settled,
              to_char(
                month_of(starts_at, ends_at, :offsetsFrom::bigint[], :offsets::bigint[]),
                'YYYY-MM') as month
            from period
            where board = :board
              and starts_at >= coalesce(:from::timestamptz, '-infinity')
              and starts_at < coalesce(:to::timestamptz, 'infinity')
            order by starts_at
            """)
        .params(ZoneOffsets.parameters(rules.zone()))
        .param("board", board)
        .param("from", from)
        .param("to", to)
        .query(Asked.class)
        .list();
  }

  /** One comparison, in its transaction. */
  private final class Run {
    private final Board rules;
    private final int top;
    private final List<ReplayRow> skipped = new ArrayList<>();
    private final List<Compared> compared = new ArrayList<>();
    private long lines;
    private long amended;
    private long adopted;
    private long shared;
    private long withheld;

    Run(Board rules, int top) {
      this.rules = rules;
      this.top = top;
    }

    Replay of(List<Asked> asked) {
      List<Asked> settled = asked.stream().filter(Asked::settled).toList();
      if (settled.isEmpty()) {
        throw new WrongState(new ReplaySentences.NoPeriods());
      }
      if (settled.size() > MAX_PERIODS) {
        throw new WrongState(new ReplaySentences.TooManyPeriods(settled.size(), MAX_PERIODS));
      }
      awards.begin();
      settled.forEach(one -> add(periods.get(one.id()), one.month()));
      return new Replay(rows(), notes(asked.size() - settled.size()));
    }

    private void add(Period period, String month) {
      Revision revision = revisions.find(period.id(), period.revision()).orElseThrow();
      Board before = definitions.of(period.board(), revision.definitionHash());
      Sentence why = obstacle(period, before);
      if (why != null) {
        skipped.add(
            new ReplayRow(Part.SKIPPED, period.name().value(), null, null, null, null, why));
        return;
      }
      lines +=
          awards.add(
              compared.size(),
              period,
              revision,
              revisions.parts(revision.id()),
              rules,
              revision.ties());
      compared.add(new Compared(period, month));
      withheld += awards.withholds(revision) ? 1 : 0;
      amended += revision.number() > Revision.FIRST ? 1 : 0;
      adopted += before.kind().countsEvents() ? 0 : 1;
      shared +=
          revision.ties() == null && rules.payout().rules().stream().anyMatch(RewardRule::holdsTies)
              ? 1
              : 0;
    }

    private @Nullable Sentence obstacle(Period period, Board before) {
      Board opened = definitions.of(period);
      LineRule what = opened.firstDifference(rules);
      if (what == null && before.ranks() != rules.ranks()) {
        what = LineRule.RANKS;
      }
      if (what != null) {
        return new ReplaySentences.OtherRules(what);
      }
      return revisions.isArchived(period.id())
          ? rules.payout().rules().stream()
              .filter(PerAction.class::isInstance)
              .findFirst()
              .map(rule -> new ReplaySentences.Archived(rule.name()))
              .orElse(null)
          : null;
    }

    private List<ReplayRow> rows() {
      var rows = new ArrayList<ReplayRow>();
      List<Sum> byPeriod =
          sums("select n::text as name, currency", "group by n, currency order by n, currency");
      Map<String, Sums> totals = new TreeMap<>();
      Map<String, Map<String, Sums>> months = new TreeMap<>();
      for (Sum sum : byPeriod) {
        String month = compared.get(Integer.parseInt(sum.name())).month();
        totals.merge(sum.currency(), sum.sums(), Sums::plus);
        months
            .computeIfAbsent(month, name -> new TreeMap<>())
            .merge(sum.currency(), sum.sums(), Sums::plus);
      }
      totals.forEach(
          (currency, sums) -> rows.add(ReplayRow.of(Part.TOTAL, "", currency, sums, null)));
      months.forEach(
          (month, each) ->
              each.forEach(
                  (currency, sums) ->
                      rows.add(ReplayRow.of(Part.MONTH, month, currency, sums, null))));
      add(
          rows,
          Part.RULE,
          sums("select rule as name, currency", "group by rule, currency order by rule, currency"));
      add(rows, Part.GAIN, members("sum(would) > sum(paid)", "desc"));
      add(rows, Part.LOSS, members("sum(would) < sum(paid)", "asc"));
      byPeriod.forEach(sum -> addPeriodBudget(rows, sum));
      months.forEach(
          (month, each) ->
              each.forEach((currency, sums) -> addMonthBudget(rows, month, currency, sums)));
      rows.addAll(skipped);
      return rows;
    }

    private void addPeriodBudget(List<ReplayRow> rows, Sum sum) {
      Budget budget = rules.payout().budgets().get(sum.currency());
      if (budget != null && budget.period() != null && exceeds(sum.sums(), budget.period())) {
        String name = compared.get(Integer.parseInt(sum.name())).period().name().value();
        var why = new ReplaySentences.PeriodBudget(BigDecimal.valueOf(budget.period()));
        rows.add(ReplayRow.of(Part.BUDGET, name, sum.currency(), sum.sums(), why));
      }
    }

    private void addMonthBudget(List<ReplayRow> rows, String month, String currency, Sums sums) {
      Budget budget = rules.payout().budgets().get(currency);
      if (budget != null && budget.month() != null && exceeds(sums, budget.month())) {
        var why = new ReplaySentences.MonthBudget(BigDecimal.valueOf(budget.month()));
        rows.add(ReplayRow.of(Part.BUDGET, month, currency, sums, why));
      }
    }

    private static boolean exceeds(Sums sums, long budget) {
      return sums.would().compareTo(BigDecimal.valueOf(budget)) > 0;
    }

    private static void add(List<ReplayRow> rows, Part part, List<Sum> sums) {
      sums.forEach(
          sum -> rows.add(ReplayRow.of(part, sum.name(), sum.currency(), sum.sums(), null)));
    }

    private List<Sum> members(String which, String direction) {
      return sums(
          "select member as name, currency",
          """
          group by member, currency
          having %s
          order by sum(would) - sum(paid) %s, currency, member
          limit %s
          """
              .formatted(which, direction, String.valueOf(top)));
    }

    private List<Sum> sums(String select, String by) {
      return jdbc.sql(
              select + ", sum(paid) as paid, sum(would) as would from pg_temp.replayed\n" + by)
          .query(Sum.class)
          .list();
    }

    private List<Sentence> notes(long unsettled) {
      var notes = new ArrayList<Sentence>();
      notes.add(new ReplaySentences.Compared(compared.size(), lines));
      if (amended > 0) {
        notes.add(new ReplaySentences.Amended(amended));
      }
      if (adopted > 0) {
        notes.add(new ReplaySentences.Adopted(adopted));
      }
      if (shared > 0) {
        notes.add(new ReplaySentences.TiesShared(shared));
      }
      if (withheld > 0) {
        notes.add(new ReplaySentences.Withheld(withheld));
      }
      if (unsettled > 0) {
        notes.add(new ReplaySentences.Unsettled(unsettled));
      }
      return notes;
    }
  }

  private record Sum(String name, String currency, BigDecimal paid, BigDecimal would) {
    Sums sums() {
      return new Sums(paid, would);
    }
  }
}
