package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
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
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.operations.inbox.InboxItem;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.report.TierHistory.TierMove;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.settlement.outbox.Deliveries.DeliveryAttempt;

/** What the installation has, does and did: boards, runs, deliveries, memory, the audit log. */
@HttpExchange("/api/v1/ops")
public interface InstallationResource {
  /**
   * Lists what needs a person, the oldest first, each with the command that may help.
   *
   * @param board only what concerns this board alone, without what concerns several; null for all
   */
  @Operation("opsInbox")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/inbox")
  Rows<InboxItem> inbox(@RequestParam(required = false) @Nullable String board, PageRequest page);

  /** Lists the servers of the last month, by name. */
  @Operation("opsNodes")
  @Requires(Role.VIEWER)
  @GetExchange("/nodes")
  Rows<Node> nodes();

  /** Lists the boards that have a file. */
  @Operation("opsBoards")
  @Requires(Role.VIEWER)
  @GetExchange("/boards")
  Rows<BoardRow> boards();

  /** Describes a board: its rules in words, and its next periods. */
  @Operation("opsBoard")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}")
  Rows<BoardRow> board(@PathVariable String board);

  /**
   * Describes boards by the texts of their files, which need not be those of the server: their
   * rules in words, and the periods after those in the database. Failed if a board refers to a list
   * that does not exist. Keeps nothing.
   */
  @Operation("opsCheckBoards")
  @Requires(Role.VIEWER)
  @PostExchange("/boards/check")
  Rows<BoardRow> checkBoards(@RequestBody BoardFilesRequest body);

  /**
   * Lists the runs that closed periods or tried to, the latest first.
   *
   * @param failed whether to list only failed ones
   * @param stack whether to show the stack traces of failures
   */
  @Operation("opsRuns")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/runs")
  Rows<RunRow> runs(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      @RequestParam(defaultValue = "false") boolean failed,
      @RequestParam(defaultValue = "false") boolean stack,
      PageRequest page);

  /**
   * Lists what each step of a period's closings has done, those of the latest run first.
   *
   * @param count the number of runs
   */
  @Operation("opsSteps")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/steps")
  Rows<StepRow> steps(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(defaultValue = "20") int count);

  /** Lists the audit log, the latest entry first. */
  @Operation("opsAuditLog")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/audit-log")
  Rows<AuditRow> auditLog(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      PageRequest page);

  /**
   * Lists what the nightly verifications found, the latest first; failed if the latest one found
   * something.
   */
  @Operation("opsVerifications")
  @Requires(Role.VIEWER)
  @GetExchange("/verifications")
  Rows<VerificationRow> verifications(PageRequest page);

  /**
   * Lists the delivery status of each target; failed if one is parked.
   *
   * @param target null for all
   */
  @Operation("opsOutbox")
  @Requires(Role.VIEWER)
  @GetExchange("/outbox")
  Rows<TargetRow> outbox(@RequestParam(required = false) @Nullable String target);

  /**
   * Lists the attempts to deliver batches of facts, the latest first.
   *
   * @param target null for all
   * @param failed whether to list only failed ones
   */
  @Operation("opsDeliveryAttempts")
  @Requires(Role.VIEWER)
  @GetExchange("/outbox/attempts")
  Rows<DeliveryAttempt> attempts(
      @RequestParam(required = false) @Nullable String target,
      @RequestParam(defaultValue = "false") boolean failed,
      PageRequest page);

  /**
   * Lists the memory that Redis uses, by board and period.
   *
   * @param samples how many entries of a key its bytes are estimated from; 0 for all
   */
  @Operation("opsMemory")
  @Requires(Role.VIEWER)
  @GetExchange("/memory")
  Rows<PeriodMemory> memory(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(defaultValue = "5") int samples);

  /**
   * Lists the journal entries that PostgreSQL refused.
   *
   * @param all whether to list resolved ones, too
   */
  @Operation("opsQuarantine")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/quarantine")
  Rows<QuarantinedEntry> quarantine(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      @RequestParam(defaultValue = "false") boolean all,
      PageRequest page);

  /**
   * Lists which members move between the boards of a family; failed if a board is not settled.
   *
   * @param period null for the latest settled one
   */
  @Operation("opsMoves")
  @Requires(Role.VIEWER)
  @GetExchange("/families/{family}/moves")
  Rows<TierMove> moves(
      @PathVariable String family, @RequestParam(required = false) @Nullable String period);

  /**
   * A board that has a file.
   *
   * @param periodsLike the name of a period
   * @param grace how long late events are waited for, as in ISO 8601
   * @param rules the hash of its file
   */
  record BoardRow(
      String board,
      @Wrapped String title,
      String zone,
      String periodsLike,
      String grace,
      String rules) {}

  /**
   * The body of a check of board files.
   *
   * @param files the text of each file, by its name, such as {@code invites.yml}
   * @param board the only one to describe, though all are checked; null for all
   */
  record BoardFilesRequest(
      Map<String, String> files, @Nullable @Takes(BoardId.class) String board) {}

  /**
   * One run of a closing.
   *
   * @param took null while it runs
   * @param step the step that it has reached; null if none
   * @param by the process that runs it
   * @param cause why it ran
   * @param detail why it failed, or the notes on its period; null if there are none
   */
  record RunRow(
      String board,
      String period,
      Instant started,
      @Nullable Duration took,
      String outcome,
      @Nullable String step,
      @Wrapped String by,
      String cause,
      @Nullable Sentence detail) {}

  /**
   * A step of a closing, or one slice of it.
   *
   * @param run the number of the run
   * @param slice the part that ran in parallel with others; empty for the whole step
   * @param state {@code running}, {@code done}, {@code failed} or {@code abandoned}
   * @param ended when it ended, or the run before it did; null while it runs
   * @param done how much is done
   * @param total how much there is to do; null if that is not known
   * @param unit what is counted; empty if nothing is
   * @param perSecond null if that is not known
   * @param left how long it will take; null if that is not known
   * @param failure why it failed; null if it did not
   */
  record StepRow(
      long run,
      String step,
      String slice,
      String state,
      Instant started,
      @Nullable Instant ended,
      long done,
      @Nullable Long total,
      String unit,
      @Nullable Long perSecond,
      @Nullable Duration left,
      @Nullable Sentence failure) {}

  /**
   * An entry of the audit log.
   *
   * @param change the operation
   * @param object what was changed
   * @param details what else was said; null if nothing was
   */
  record AuditRow(
      Instant at,
      @Wrapped String change,
      @Wrapped @Nullable String object,
      @Wrapped String by,
      @Wrapped @Nullable String reason,
      @Wrapped @Nullable Map<String, Object> details) {}

  /**
   * The result of a nightly verification.
   *
   * @param night the day, in UTC, on which it was due
   * @param since it verified what was settled or amended from this time on
   * @param periods the number of periods
   * @param differences the number of differences
   * @param first the first difference; null if there is none
   */
  record VerificationRow(
      LocalDate night,
      Instant began,
      Duration took,
      Instant since,
      long periods,
      long differences,
      @Nullable Sentence first) {}

  /**
   * The status of deliveries to a target.
   *
   * @param since the target gets facts from this time on
   * @param delivered how many facts were delivered; those delivered again count again
   * @param backlog how many facts are not delivered yet
   * @param last when facts were delivered last; null if they never were
   * @param parked whether delivery is not retried any more
   * @param nextTry when delivery is retried; null for at once, and if it is parked
   * @param lastError why the last attempt failed; null if it did not
   */
  record TargetRow(
      String target,
      @Wrapped String address,
      Instant since,
      long delivered,
      long backlog,
      @Nullable Instant last,
      boolean parked,
      @Nullable Instant nextTry,
      @Nullable Sentence lastError) {}
}
