package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.report.LedgerReport.BalanceLine;
import palmares.operations.report.LedgerReport.StatementLine;

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
  Rows<BalanceLine> balances(@RequestParam(defaultValue = "false") boolean all);

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
  Rows<StatementLine> account(
      @PathVariable String name,
      @RequestParam(required = false) @Nullable String kind,
      @RequestParam(required = false) @Nullable String currency,
      PageRequest page,
      @RequestParam(required = false) @Nullable Integer last);
}
