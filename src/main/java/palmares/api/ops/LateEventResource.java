package palmares.api.ops;

import java.time.Instant;
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
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.text.Sentence;

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
  Rows<LateEventRow> list(
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
   * @param ids the events; null for all, if {@code all} says so
   * @param all whether to decide on all without a decision, or to dismiss with {@code change}, on
   *     all that were accepted and count in no revision
   * @param change whether to change earlier decisions that no revision rests on
   */
  record Decision(String reason, @Nullable List<String> ids, boolean all, boolean change) {}

  /**
   * A late event, and what it would change in the current revision.
   *
   * @param action with its subject
   * @param occurredAt null if that is not known
   * @param change the points that its member would gain; null if it cannot count
   * @param points the points that its member would have; null if it cannot count
   * @param rankNow the member's rank in the current revision; null if it has none
   * @param rankWithIt the rank that its member would have; null if it would have none
   * @param verdict null if it is undecided
   * @param revision the first one that counts it; null if none does
   * @param why why it was decided so, or cannot count; null if it can
   */
  record LateEventRow(
      String board,
      String period,
      String id,
      String member,
      Sentence action,
      @Nullable Instant occurredAt,
      Instant arrivedAt,
      @Nullable Long change,
      @Nullable Long points,
      @Nullable Long rankNow,
      @Nullable Long rankWithIt,
      @Nullable Verdict verdict,
      @Nullable Integer revision,
      @Nullable Sentence why) {}
}
