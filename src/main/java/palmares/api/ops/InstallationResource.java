package palmares.api.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.inbox.InboxItem;
import palmares.operations.report.RunHistory.RunOutcome;
import palmares.platform.nodes.Nodes.Node;
import palmares.platform.output.Identifier;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;

/** What the installation needs, does and did: the inbox, servers, runs, the audit log. */
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
   * One run of a closing.
   *
   * @param took null while it runs
   * @param step the step that it has reached; null if none
   * @param node the server that runs it
   * @param cause why it ran
   * @param detail why it failed, or the notes on its period; null if there are none
   */
  record RunRow(
      String board,
      String period,
      Instant startedAt,
      @Nullable Duration took,
      RunOutcome outcome,
      @Nullable String step,
      @Wrapped String node,
      String cause,
      @Nullable Sentence detail) {}

  /** What became of a step. */
  enum StepState implements Choice {
    RUNNING,
    DONE,
    FAILED,
    ABANDONED
  }

  /**
   * A step of a closing, or one slice of it.
   *
   * @param run the number of the run
   * @param slice the part that ran in parallel with others; empty for the whole step
   * @param endedAt when it ended, or the run before it did; null while it runs
   * @param done how much is done
   * @param total how much there is to do; null if that is not known
   * @param unit what is counted; empty if nothing is
   * @param perSecond null if that is not known
   * @param left how long it will take; null if that is not known
   * @param failure why it failed; null if it did not
   */
  record StepRow(
      @Identifier long run,
      String step,
      String slice,
      StepState state,
      Instant startedAt,
      @Nullable Instant endedAt,
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
}
