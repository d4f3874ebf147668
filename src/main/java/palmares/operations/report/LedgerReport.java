package palmares.operations.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.Statements.Account;
import palmares.operations.report.Statements.Entry;
import palmares.platform.output.Summed;
import palmares.platform.sql.FromReplica;
import palmares.platform.sql.RecordMapper;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * Reads the ledger: its trial balance, and statements of accounts and periods. An account has a
 * name and a currency. It belongs to a house ({@code rewards:BOARD}, {@code write-offs:BOARD}) or a
 * member, or it is a member's debt.
 */
@Component
public class LedgerReport {
  private static final String CREATE =
      """
      create temporary table ledger_balance (
        kind text, account text collate "C", currency text, balance numeric)
      """;

  /** Returns the other outcomes that are posted at the same moment. */
  private static final String ADD_SHARED =
      """
      with added as (
        insert into ledger_balance
        select kind, account, currency, sum(amount)
        from entry
        where outcome < 0
        group by kind, account, currency
      )
      select id from revision where id > 0 and posted_at is not null order by id
      """;

  private static final String ADD_OWN =
      """
      insert into ledger_balance
      select kind, account, currency, sum(amount)
      from entry
      where outcome = any(:own::int[])
      group by kind, account, currency
      """;

  private static final String EACH_BALANCE =
      """
      select kind, account, currency, 1 as accounts, sum(balance) as balance
      from ledger_balance
      group by kind, account, currency
      order by currency, kind, account
      """;

  private static final String BALANCES_BY_KIND =
      """
      select kind, case kind when 'house' then account end as account, currency,
        count(*) as accounts, sum(balance) as balance
      from (
        select kind, account, currency, sum(balance) as balance
        from ledger_balance
        group by kind, account, currency
      ) each_account
      group by 1, 2, 3
      order by currency, kind, account
      """;

  private static final RowMapper<BalanceLine> BALANCE = RecordMapper.of(BalanceLine.class);

  private final JdbcClient jdbc;
  private final JdbcOperations database;
  private final Statements statements;

  LedgerReport(JdbcClient jdbc, JdbcOperations database, Statements statements) {
    this.jdbc = jdbc;
    this.database = database;
    this.statements = statements;
  }

  /**
   * The balance of one account, or of all accounts of a kind.
   *
   * @param kind house, member or debt
   * @param account null for all members or all debts
   * @param accounts the number of accounts
   * @param balance the sum of their entries
   */
  public record BalanceLine(
      String kind,
      @Nullable String account,
      String currency,
      long accounts,
      @Summed BigDecimal balance) {}

  /**
   * Reads the balances of all accounts, which sum to zero in each currency: both entries of a
   * transfer are one stored row. They are those of the outcomes that are posted when it begins.
   *
   * @param whole whether to list each member and each debt separately
   */
  public void balances(boolean whole, Consumer<BalanceLine> line) {
    OwnConnection.with(
        database,
        CREATE,
        "drop table ledger_balance",
        own -> {
          List<Integer> outcomes = own.jdbc().sql(ADD_SHARED).query(Integer.class).list();
          for (List<Integer> some :
              Outcomes.slices(outcomes, Outcomes.MAX_OWN_TABLES_PER_STATEMENT)) {
            own.jdbc().sql(ADD_OWN).param("own", some).update();
          }
          own.each(
              own.jdbc().sql(whole ? EACH_BALANCE : BALANCES_BY_KIND),
              row -> line.accept(BALANCE.mapRow(row, 0)));
          return true;
        });
  }

  /**
   * One entry of an account.
   *
   * @param number its number in its account, from 1; it never changes
   * @param balance the balance of the account after it
   */
  public record StatementLine(
      @JsonUnwrapped Entry entry, @JsonIgnore long number, BigDecimal balance) {}

  /** A position in a statement: the number of a line of the account of this kind and currency. */
  public record Position(String kind, String currency, long number) {}

  /** The number of lines in the statement of these accounts; 0 if nothing was posted to them. */
  public long lines(Account account) {
    return statements.count(account);
  }

  /**
   * Reads the lines of these accounts, account by account, in the order in which they committed.
   *
   * @param skip the number of first lines to leave out
   */
  @FromReplica
  public void statement(Account account, long skip, Consumer<StatementLine> line) {
    statements.each(account, () -> false, new RunningBalance(null, skip, Long.MAX_VALUE, line));
  }

  /**
   * Reads a page of these lines. It reads what is before the page, too, for the balance.
   *
   * @param after only lines after this position; null for the beginning
   */
  @FromReplica
  public List<StatementLine> page(Account account, @Nullable Position after, int most) {
    var page = new ArrayList<StatementLine>();
    statements.each(
        account, () -> page.size() >= most, new RunningBalance(after, 0, most, page::add));
    return page;
  }

  /** Numbers the entries of each account, and adds up its balance. */
  private static final class RunningBalance implements Consumer<Entry> {
    private final @Nullable Position after;
    private final Consumer<StatementLine> line;
    private long skip;
    private long left;
    private boolean isAtPosition;
    private String account = "";
    private long number;
    private BigDecimal balance = BigDecimal.ZERO;

    RunningBalance(@Nullable Position after, long skip, long most, Consumer<StatementLine> line) {
      this.after = after;
      this.skip = skip;
      this.left = most;
      this.line = line;
    }

    @Override
    public void accept(Entry entry) {
      String present = entry.kind() + " " + entry.currency();
      if (!present.equals(account)) {
        account = present;
        number = 0;
        balance = BigDecimal.ZERO;
      }
      number++;
      balance = balance.add(BigDecimal.valueOf(entry.amount()));
      if (isBefore(entry) || skip-- > 0 || left-- <= 0) {
        return;
      }
      line.accept(new StatementLine(entry, number, balance));
    }

    /** Whether the entry is not after the position. */
    private boolean isBefore(Entry entry) {
      if (after == null) {
        return false;
      }
      boolean isInAccount =
          entry.kind().equals(after.kind()) && entry.currency().equals(after.currency());
      isAtPosition |= isInAccount;
      return !isAtPosition || isInAccount && number <= after.number();
    }
  }

  /** The names of house accounts, to suggest for an unknown name. */
  public List<String> houses() {
    return jdbc.sql(
            """
            select distinct house
            from revision
            join period on period.id = revision.period_id
            cross join lateral (
              select 'rewards:' || board as house where payments > 0
              union all
              select 'write-offs:' || board where payments > 0 and base is not null
                and owed = 'write-off'
            ) named
            where posted_at is not null
            order by 1
            """)
        .query(String.class)
        .list();
  }

  /** The transfers of a period by one rule for one purpose. */
  public record MovedLine(
      int revision,
      String purpose,
      String rule,
      String currency,
      @Summed long transfers,
      @Summed BigDecimal amount) {}

  /** The transfers of a period, by revision, purpose, rule and currency. */
  @FromReplica
  public List<MovedLine> period(BoardId board, PeriodName period) {
    List<Integer> outcomes =
        jdbc.sql("select outcome from revision_overview where board = :board and period = :period")
            .param("board", board)
            .param("period", period)
            .query(Integer.class)
            .list();
    if (outcomes.isEmpty()) {
      return List.of(); // An empty array would prune no partition.
    }
    return jdbc.sql(
            """
            select revision, purpose, rule, currency, transfers, amount
            from period_transfers
            where outcome = any(:outcomes::int[])
            order by revision, purpose, rule, currency
            """)
        .param("outcomes", outcomes)
        .query(MovedLine.class)
        .list();
  }
}
