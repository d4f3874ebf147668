package palmares.api.ops;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.time.DayOrTime;
import palmares.settlement.wallet.WalletComparisons.ComparisonRow;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletFindings.FindingRow;

/** What became of awards in the wallet, and where its list differs from them. */
@HttpExchange("/api/v1/ops/wallet")
public interface WalletResource {
  /**
   * Lists the differences between the awards and what the wallet says, the latest first; as CSV, a
   * payout file of these.
   *
   * @param kind only of this kind; null for all
   * @param closed whether to list closed ones, too
   */
  @Operation("opsWalletFindings")
  @Requires(Role.VIEWER)
  @GetExchange("/findings")
  Rows<FindingRow> findings(
      @RequestParam(required = false) @Nullable String kind,
      @RequestParam(defaultValue = "false") boolean closed,
      PageRequest page);

  /** Lists the comparisons of the wallet's lists with the awards, the latest first. */
  @Operation("opsWalletComparisons")
  @Requires(Role.VIEWER)
  @GetExchange("/comparisons")
  Rows<ComparisonRow> comparisons(PageRequest page);

  /** Compares a list of the wallet's credits with the awards delivered to the wallet. */
  @Operation("opsReconcile")
  @Requires(Role.OPERATOR)
  @PostExchange("/reconcile")
  Task reconcile(@RequestBody ReconcileRequest body, Call call);

  /** Delivers awards again that the wallet may lack, under the same ids. */
  @Operation("opsResend")
  @Requires(Role.OPERATOR)
  @PostExchange("/resend")
  Task resend(@RequestBody FindingRequest body, Call call);

  /**
   * Closes differences that a person accepts as they are; they are not found again, and resending
   * leaves their awards out.
   */
  @Operation("opsAcceptFindings")
  @Requires(Role.OPERATOR)
  @PostExchange("/accept")
  Task accept(@RequestBody FindingRequest body, Call call);

  /**
   * Prepares the return of refused awards: excludes their members from the prizes of these periods.
   * Amendments, which a person approves, take the awards from the members' accounts.
   */
  @Operation("opsReturnRefused")
  @Requires(Role.OPERATOR)
  @PostExchange("/return")
  Task returnRefused(@RequestBody ReturnRequest body, Call call);

  /**
   * The body of a return.
   *
   * @param findings the numbers of differences of the kind refused; null for all if {@code all}
   *     says so
   * @param all whether the verb is about all open ones
   */
  record ReturnRequest(String reason, @Nullable List<Long> findings, boolean all) {}

  /**
   * The body of a comparison.
   *
   * @param credits the list as CSV, whose first line names the columns, or as NDJSON: each has the
   *     id of an award and the amount, and if need be the currency; null if it is fetched
   * @param fetch whether the list is read from the wallet, at the address that is configured
   * @param from a day or time: the list has all awards delivered to the wallet since then; null for
   *     the first one
   * @param to a day or time: and before then; null for those that the wallet had time to confirm
   * @param lines how many credits the list has, so that one that is cut off is refused; null if
   *     that is not known
   */
  record ReconcileRequest(
      String reason,
      @Nullable String credits,
      boolean fetch,
      @Nullable @Takes(DayOrTime.class) String from,
      @Nullable @Takes(DayOrTime.class) String to,
      @Nullable Long lines) {}

  /**
   * The body of a verb on differences.
   *
   * @param findings the numbers of the differences; null for all of a kind, or for all if {@code
   *     all} says so
   * @param kind only of this kind; null for any
   * @param all whether the verb is about all open ones
   */
  record FindingRequest(
      String reason,
      @Nullable List<Long> findings,
      @Nullable @Takes(WalletFindings.Kind.class) String kind,
      boolean all) {}
}
