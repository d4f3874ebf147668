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
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.period.BoardPauses.Pause;
import palmares.platform.output.Identifier;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;

/** Tasks with items (batches: one verb over many periods), and boards whose closings are paused. */
@HttpExchange("/api/v1/ops")
public interface BatchResource {
  /**
   * Lists tasks, the latest first: those of the last 30 days, and all batches.
   *
   * @param batches whether to list batches only
   */
  @Operation("opsTasks")
  @Requires(Role.VIEWER)
  @GetExchange("/tasks")
  Rows<TaskRow> tasks(@RequestParam(defaultValue = "false") boolean batches, PageRequest page);

  /**
   * Lists the periods of a batch.
   *
   * @param state pending, done, unchanged, held, refused or failed; null for all
   */
  @Operation("opsTaskItems")
  @Requires(Role.VIEWER)
  @GetExchange("/tasks/{id}/items")
  Rows<TaskItemRow> items(
      @PathVariable long id,
      @RequestParam(required = false) @Nullable String state,
      PageRequest page);

  /** Shows what a person approves with a batch: sums by board and currency, and their digest. */
  @Operation("opsTaskSums")
  @Requires(Role.VIEWER)
  @GetExchange("/tasks/{id}/sums")
  Rows<BoardSum> sums(@PathVariable long id);

  /** Amends the periods that exclusions touch, or closes or restarts those of a range. */
  @Operation("opsBeginBatch")
  @Requires(Role.OPERATOR)
  @PostExchange("/tasks")
  Task begin(@RequestBody BatchRequest body, Call call);

  /** Tries again what failed or is left. */
  @Operation("opsResumeBatch")
  @Requires({Role.OPERATOR, Role.APPROVER})
  @PostExchange("/tasks/{id}/resume")
  Task resumeBatch(@PathVariable long id, @RequestBody ReasonRequest body, Call call);

  /** Ends a batch before all of its periods were tried; what is done stays. */
  @Operation("opsCancelBatch")
  @Requires({Role.OPERATOR, Role.APPROVER})
  @PostExchange("/tasks/{id}/cancel")
  Task cancelBatch(@PathVariable long id, @RequestBody ReasonRequest body, Call call);

  /** Approves all that a batch has prepared or left held. */
  @Operation("opsApproveBatch")
  @Requires(Role.APPROVER)
  @PostExchange("/tasks/{id}/approve")
  Task approveBatch(@PathVariable long id, @RequestBody BatchDecision body, Call call);

  /** Rejects all that a batch has prepared or left held. */
  @Operation("opsRejectBatch")
  @Requires(Role.APPROVER)
  @PostExchange("/tasks/{id}/reject")
  Task rejectBatch(@PathVariable long id, @RequestBody BatchDecision body, Call call);

  /** Lists the boards whose closings are paused. */
  @Operation("opsPauses")
  @Requires(Role.VIEWER)
  @GetExchange("/pauses")
  Rows<Pause> pauses();

  /** Pauses a board: no closing of it starts, and its events are taken as always. */
  @Operation("opsPause")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/pause")
  Task pause(@PathVariable String board, @RequestBody ReasonRequest body, Call call);

  /** Ends the pause of a board. */
  @Operation("opsResume")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/resume")
  Task resume(@PathVariable String board, @RequestBody ReasonRequest body, Call call);

  /**
   * The body of a verb over many periods.
   *
   * @param verb amend, close or restart
   * @param exclusions their numbers, if the verb is amend; otherwise null
   * @param board null for all boards, if {@code all} says so, and if the verb is amend
   * @param all whether the verb is about all boards
   * @param from a day in the board's zone, or a time: periods that start then or later
   * @param to a day or time: periods that start before
   * @param state null for all that the verb can change
   * @param cause the code that the inbox shows with failures of one cause: only the periods that
   *     failed for it; null for any
   */
  record BatchRequest(
      String reason,
      @Takes(words = {"close", "restart", "amend"}) String verb,
      @Nullable List<Long> exclusions,
      @Nullable String board,
      boolean all,
      @Nullable @Takes(DayOrTime.class) String from,
      @Nullable @Takes(DayOrTime.class) String to,
      @Nullable String state,
      @Nullable String cause) {}

  /**
   * The body of an approval or a rejection.
   *
   * @param expect the digest of the sums that the person was shown
   */
  record BatchDecision(String reason, String expect) {}

  /**
   * A task.
   *
   * @param board null if it concerns no single one
   * @param period null if it concerns no single one
   * @param object what a person named for a batch; null for others
   * @param states how many periods of a batch are in which state; null for others
   * @param endedAt null while it runs
   */
  record TaskRow(
      @Identifier long task,
      String verb,
      @Nullable String board,
      @Nullable String period,
      @Nullable Sentence object,
      Task.State state,
      @Nullable Sentence states,
      @Wrapped String by,
      @Wrapped String reason,
      Instant startedAt,
      @Nullable Instant endedAt) {}

  /**
   * A period of a batch.
   *
   * @param n its number in the order of board and start, from 1
   * @param revision the revision that was prepared or held, or is decided on; null if none
   * @param at when it was worked on; null before
   * @param message why it is held, refused, failed, or still pending; null otherwise
   */
  record TaskItemRow(
      int n,
      String board,
      String period,
      Batch.State state,
      @Nullable Integer revision,
      @Nullable Instant at,
      @Nullable Sentence message) {}
}
