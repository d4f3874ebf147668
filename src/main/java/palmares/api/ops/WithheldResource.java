package palmares.api.ops;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.operations.withheld.WithheldLines.WithheldLine;

/** Lines of inviters that the review of a board has flagged, and whose awards are withheld. */
@HttpExchange("/api/v1/ops")
public interface WithheldResource {
  /**
   * Lists flagged lines by board, period and member.
   *
   * @param period only with a board
   * @param member only this member's; null for all
   * @param undecided whether to list only those without a decision
   */
  @Operation("opsWithheld")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/withheld")
  Rows<WithheldLine> list(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      @RequestParam(required = false) @Nullable String member,
      @RequestParam(defaultValue = "false") boolean undecided,
      PageRequest page);

  /** Lets the period's next amendment pay what is withheld. */
  @Operation("opsReleaseWithheld")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/withheld/release")
  Task release(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody LineDecision body,
      Call call);

  /** Never pays what is withheld. */
  @Operation("opsRefuseWithheld")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/withheld/refuse")
  Task refuse(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody LineDecision body,
      Call call);

  /**
   * The body of a decision on flagged lines, which is final.
   *
   * @param members whose lines; null for all, if {@code all} says so
   * @param all whether to decide on all without a decision
   */
  record LineDecision(String reason, @Nullable List<String> members, boolean all) {}
}
