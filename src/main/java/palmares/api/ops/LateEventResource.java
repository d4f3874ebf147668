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

/** Events that arrived after the seal or the grace. */
@HttpExchange("/api/v1/ops")
public interface LateEventResource {
  /**
   * Lists late events by board, period and arrival, each evaluated.
   *
   * @param period only with a board
   * @param undecided whether to list only those without a decision
   */
  @Operation("opsLateEventList")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/late-events")
  Listing list(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      @RequestParam(defaultValue = "false") boolean undecided,
      PageRequest page);

  /** Lets late events count, from the period's next amendment on. */
  @Operation("opsAccept")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/late-events/accept")
  Task accept(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody Decision body,
      Call call);

  /** Lets late events count nowhere. */
  @Operation("opsDismiss")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/late-events/dismiss")
  Task dismiss(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody Decision body,
      Call call);

  /**
   * The body of a decision.
   *
   * @param ids the events; null for all without a decision, or to dismiss with {@code change}, for
   *     all that were accepted and count in no revision
   * @param change whether to change earlier decisions that no revision rests on
   */
  record Decision(@Nullable String reason, @Nullable List<String> ids, boolean change) {}
}
