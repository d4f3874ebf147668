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
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.period.BoardPauses.Pause;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;

/** Batches (one verb over many periods), and boards whose closings are paused. */
@HttpExchange("/api/v1/ops")
public interface BatchResource {
  /** Lists batches, the latest first. */
  @Operation("opsBatches")
  @Requires(Role.VIEWER)
  @GetExchange("/batches")
  Rows<BatchRow> batches(PageRequest page);

  /**
   * Lists the periods of a batch.
   *
   * @param state pending, done, unchanged, held, refused or failed; null for all
   */
  @Operation("opsBatch")
  @Requires(Role.VIEWER)
  @GetExchange("/batches/{id}")
  Rows<BatchItemRow> items(
      @PathVariable long id,
      @RequestParam(required = false) @Nullable String state,
      PageRequest page);

  /** Shows what a person approves with a batch: sums by board and currency, and their digest. */
  @Operation("opsBatchSums")
  @Requires(Role.VIEWER)
  @GetExchange("/batches/{id}/sums")
  Rows<BoardSum> sums(@PathVariable long id);

  /** Amends the periods that exclusions touch, or closes or restarts those of a range. */
  @Operation("opsBeginBatch")
  @Requires(Role.OPERATOR)
  @PostExchange("/batches")
  Task begin(@RequestBody BatchRequest body, Call call);

  /** Tries again what failed or is left. */
  @Operation("opsResumeBatch")
  @Requires({Role.OPERATOR, Role.APPROVER})
  @PostExchange("/batches/{id}/resume")
  Task resumeBatch(@PathVariable long id, @RequestBody ReasonRequest body, Call call);

  /** Ends a batch before all of its periods were tried; what is done stays. */
  @Operation("opsCancelBatch")
  @Requires({Role.OPERATOR, Role.APPROVER})
  @PostExchange("/batches/{id}/cancel")
  Task cancelBatch(@PathVariable long id, @RequestBody ReasonRequest body, Call call);

  /** Approves all that a batch has prepared or left held. */
  @Operation("opsApproveBatch")
  @Requires(Role.APPROVER)
  @PostExchange("/batches/{id}/approve")
  Task approveBatch(@PathVariable long id, @RequestBody BatchDecision body, Call call);

  /** Rejects all that a batch has prepared or left held. */
  @Operation("opsRejectBatch")
  @Requires(Role.APPROVER)
  @PostExchange("/batches/{id}/reject")
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
   * One verb over many periods.
   *
   * @param verb amend, close, restart, approve or reject
   * @param object what the person named
   * @param periods how many it has
   * @param states how many of them are in which state
   * @param ended when every period was tried; null before
   */
  record BatchRow(
      long batch,
      String verb,
      Sentence object,
      Instant made,
      @Wrapped String by,
      @Wrapped String reason,
      long periods,
      Sentence states,
      @Nullable Instant ended) {}

  /**
   * A period of a batch.
   *
   * @param n its number in the order of board and start, from 1
   * @param state pending, done, unchanged, held, refused or failed
   * @param revision the revision that was prepared or held, or is decided on; null if none
   * @param at when it was worked on; null before
   * @param message why it is held, refused, failed, or still pending; null otherwise
   */
  record BatchItemRow(
      int n,
      String period,
      String state,
      @Nullable Integer revision,
      @Nullable Instant at,
      @Nullable Sentence message) {}
}
