package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;

/** The verbs that decide on what periods pay. */
@HttpExchange("/api/v1/ops")
public interface DecisionResource {
  /** Keeps a closing from paying until a person approves it. */
  @Operation("opsHold")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/hold")
  Task hold(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody ReasonRequest body,
      Call call);

  /** Lifts a person's hold of a closing that is not held yet. */
  @Operation("opsLiftHold")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/lift-hold")
  Task liftHold(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody ReasonRequest body,
      Call call);

  /** Approves a held closing or an amendment, and pays it. */
  @Operation("opsApprove")
  @Requires(Role.APPROVER)
  @PostExchange("/boards/{board}/periods/{period}/approve")
  Task approve(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody Approval body,
      Call call);

  /** Rejects a held closing or an amendment: nothing of it is paid. */
  @Operation("opsReject")
  @Requires(Role.APPROVER)
  @PostExchange("/boards/{board}/periods/{period}/reject")
  Task reject(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody Rejection body,
      Call call);

  /**
   * The body of an approval.
   *
   * @param revision the revision that the person was shown; null for the undecided one
   * @param ties how ties are paid that the rules hold for a decision: each, share or order; null if
   *     there are none
   * @param expect the digest that the person was shown; null only in a dry run, or if {@code
   *     If-Match} names what was shown
   * @param acceptExclusions whether to pay a closing as it was ranked, although exclusions that the
   *     person was shown have been made or lifted since
   */
  record Approval(
      String reason,
      @Nullable Integer revision,
      @Nullable @Takes(words = {"each", "share", "order"}) String ties,
      @Nullable String expect,
      boolean acceptExclusions) {}

  /**
   * The body of a rejection.
   *
   * @param revision the revision that the person was shown; null for the undecided one
   * @param expect the digest that the person was shown; null only in a dry run, or if {@code
   *     If-Match} names what was shown
   */
  record Rejection(String reason, @Nullable Integer revision, @Nullable String expect) {}
}
