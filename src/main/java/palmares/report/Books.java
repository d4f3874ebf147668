package palmares.report;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;

/** The ledger as people read it: its trial balance, and statements of accounts and periods. */
@Component
public class Books {
  /** So many rows are held in memory at a time. */
  private static final int FETCH = 5_000;

  private final JdbcClient jdbc;

  Books(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One account, or all of a kind together.
   *
   * @param account null for all members' or debts together
   * @param accounts how many there are
   * @param balance what their entries add up to
   * @param transferred what the transfers say that it is, which must be the same
   * @param wrong how many accounts have another balance than their transfers say
   */
  public record BalanceLine(
      String kind,
      @Nullable String account,
      String currency,
      long accounts,
      BigDecimal balance,
      BigDecimal transferred,
      long wrong) {}

  /**
   * Every account.
   *
   * @param whole each member's and each debt by itself, too
   */
  @Transactional(readOnly = true)
  public void balances(boolean whole, Consumer<BalanceLine> line) {
    String each =
        """
        select
          kind, account, currency, 1 as accounts, balance, transferred,
          case when balance <> transferred then 1 else 0 end as wrong
        from trial_balance
        """;
    jdbc.sql(
            (whole ? each : "select * from trial_balance_summary\n")
                + "order by currency, kind, account")
        .withFetchSize(FETCH)
        .query(
            row -> {
              line.accept(
                  new BalanceLine(
                      row.getString("kind"),
                      row.getString("account"),
                      row.getString("currency"),
                      row.getLong("accounts"),
                      row.getBigDecimal("balance"),
                      row.getBigDecimal("transferred"),
                      row.getLong("wrong")));
            });
  }

  /**
   * Which account.
   *
   * @param kind house, member or debt; null for any
   * @param currency null for any
   */
  public record Account(String name, @Nullable String kind, @Nullable String currency) {}

  /**
   * One line of an account.
   *
   * @param amount negative for what left it
   * @param balance of the account after it
   */
  public record StatementLine(
      String kind,
      String currency,
      Instant postedAt,
      String board,
      String period,
      int revision,
      String rule,
      String purpose,
      String otherKind,
      String otherAccount,
      long amount,
      BigDecimal balance) {}

  /** How many lines the statement of such accounts has; empty if there is no such account. */
  public Optional<Long> lines(Account account) {
    return jdbc.sql(
            """
            select count(entry.account_id)
            from account
            left join entry on entry.account_id = account.id
            where name = :name
              and kind = coalesce(:kind, kind)
              and currency = coalesce(:currency, currency)
            having count(*) > 0
            """)
        .param("name", account.name())
        .param("kind", account.kind())
        .param("currency", account.currency())
        .query(Long.class)
        .optional();
  }

  /**
   * The lines of such accounts, account by account, in the order of their posting.
   *
   * @param skip so many of the first are left out
   */
  @Transactional(readOnly = true)
  public void statement(Account account, long skip, Consumer<StatementLine> line) {
    jdbc.sql(
            """
            select
              account_statement.*,
              sum(amount) over (partition by kind, currency order by transfer_id) as balance
            from account_statement
            where account = :name
              and kind = coalesce(:kind, kind)
              and currency = coalesce(:currency, currency)
            order by kind, currency, transfer_id
            offset :skip
            """)
        .withFetchSize(FETCH)
        .param("name", account.name())
        .param("kind", account.kind())
        .param("currency", account.currency())
        .param("skip", skip)
        .query(
            row -> {
              line.accept(
                  new StatementLine(
                      row.getString("kind"),
                      row.getString("currency"),
                      row.getObject("posted_at", OffsetDateTime.class).toInstant(),
                      row.getString("board"),
                      row.getString("period"),
                      row.getInt("revision"),
                      row.getString("rule"),
                      row.getString("purpose"),
                      row.getString("other_kind"),
                      row.getString("other_account"),
                      row.getLong("amount"),
                      row.getBigDecimal("balance")));
            });
  }

  /** The names of house accounts, for whoever may have misspelled one. */
  public List<String> houses() {
    return jdbc.sql("select distinct name from account where kind = 'house' order by 1")
        .query(String.class)
        .list();
  }

  /** What a period moved by one rule for one purpose. */
  public record MovedLine(
      int revision,
      String purpose,
      String rule,
      String currency,
      long transfers,
      BigDecimal amount) {}

  /** What a period moved, revision by revision. */
  public List<MovedLine> period(BoardId board, PeriodName period) {
    return jdbc.sql(
            """
            select revision, purpose, rule, currency, transfers, amount
            from period_transfers
            where board = :board and period = :period
            order by revision, purpose, rule, currency
            """)
        .param("board", board.value())
        .param("period", period.value())
        .query(MovedLine.class)
        .list();
  }
}
