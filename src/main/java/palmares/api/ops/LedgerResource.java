package palmares.api.ops;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.platform.output.Summed;

/** Reads the ledger: the balances of all accounts, and the statement of one. */
@HttpExchange("/api/v1/ops/ledger")
public interface LedgerResource {
  /**
   * Returns the trial balance.
   *
   * @param all whether to list each member and each debt
   */
  @Operation("opsBalances")
  @Requires(Role.VIEWER)
  @GetExchange("/balances")
  Rows<BalanceRow> balances(@RequestParam(defaultValue = "false") boolean all);

  /**
   * Returns the statement of an account, with its balance after each line.
   *
   * @param name a member's id, or an account of the house
   * @param kind house, member or debt; null for any
   * @param currency null for any
   * @param page the whole statement if it has neither a count nor a cursor
   * @param last the number of last lines, instead of a page; null for 100 in a table, and all else
   */
  @Operation("opsAccount")
  @Requires(Role.VIEWER)
  @GetExchange("/accounts/{name}")
  Rows<StatementRow> account(
      @PathVariable String name,
      @RequestParam(required = false) @Nullable String kind,
      @RequestParam(required = false) @Nullable String currency,
      PageRequest page,
      @RequestParam(required = false) @Nullable Integer last);

  /**
   * The balance of one account, or of all accounts of a kind.
   *
   * @param kind house, member or debt
   * @param account {@code (all)} for all members or all debts
   * @param accounts the number of accounts
   * @param balance the sum of their entries
   */
  record BalanceRow(
      String kind, String account, String currency, long accounts, @Summed BigDecimal balance) {}

  /**
   * One entry of an account.
   *
   * @param kind of the account
   * @param otherKind of the account on the other side
   * @param otherAccount the account on the other side
   * @param amount negative if it left the account
   * @param balance the balance of the account after it
   */
  record StatementRow(
      Instant postedAt,
      String kind,
      String currency,
      String board,
      String period,
      int revision,
      String rule,
      String purpose,
      String otherKind,
      String otherAccount,
      long amount,
      BigDecimal balance) {}
}
