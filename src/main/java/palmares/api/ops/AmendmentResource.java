package palmares.api.ops;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.rules.board.MemberId;

/** Amendments of settled periods: preparing them, and what they change. */
@HttpExchange("/api/v1/ops/boards/{board}/periods/{period}")
public interface AmendmentResource {
  /** Computes the next revision of a settled period; nothing is paid before it is approved. */
  @Operation("opsAmend")
  @Requires(Role.OPERATOR)
  @PostExchange("/amend")
  Task amend(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody AmendRequest body,
      Call call);

  /** Shows how a settled period would change; keeps nothing. */
  @Operation("opsWhatIf")
  @Requires(Role.OPERATOR)
  @PostExchange("/what-if")
  Rows<MemberDifference> whatIf(
      @PathVariable String board, @PathVariable String period, @RequestBody Assumptions body);

  /** Returns how a revision differs from the one that it amends. */
  @Operation("opsDifferences")
  @Requires(Role.VIEWER)
  @GetExchange("/revisions/{revision}/differences")
  Rows<MemberDifference> differences(
      @PathVariable String board, @PathVariable String period, @PathVariable int revision);

  /**
   * The body of an amendment.
   *
   * @param rules the text of a board file to award by; null for the rules of the present revision
   * @param points the points that members shall have; null for none
   * @param ties how ties are paid that the rules hold for a decision; null for the former decision
   * @param top how many changed members the message shows; null for 20
   */
  record AmendRequest(
      String reason,
      @Nullable String rules,
      @Nullable Map<String, Long> points,
      @Nullable @Takes(words = {"each", "share", "order"}) String ties,
      @Nullable Integer top) {}

  /**
   * The body of a what-if.
   *
   * @param without members that are hidden in addition; null for none
   */
  record Assumptions(
      @Nullable String rules,
      @Nullable Map<String, Long> points,
      @Nullable @Takes(words = {"each", "share", "order"}) String ties,
      @Nullable Integer top,
      @Nullable List<@Takes(MemberId.class) String> without) {}
}
