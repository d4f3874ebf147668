package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;

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
  Listing inbox(@RequestParam(required = false) @Nullable String board, PageRequest page);

  /** Lists the servers of the last month, by name. */
  @Operation("opsNodes")
  @Requires(Role.VIEWER)
  @GetExchange("/nodes")
  Listing nodes();

  /** Lists the boards that have a file. */
  @Operation("opsBoards")
  @Requires(Role.VIEWER)
  @GetExchange("/boards")
  Listing boards();

  /** Describes a board: its rules in words, and its next periods. */
  @Operation("opsBoard")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}")
  Listing board(@PathVariable String board);

  /**
   * Lists the runs that closed periods or tried to, the latest first.
   *
   * @param failed whether to list only failed ones
   * @param stack whether to show the stack traces of failures
   */
  @Operation("opsRuns")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/runs")
  Listing runs(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String period,
      @RequestParam(defaultValue = "false") boolean failed,
      @RequestParam(defaultValue = "false") boolean stack,
      PageRequest page);

  /** Lists what each step of a period's closings has done, those of the latest run first. */
  @Operation("opsSteps")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/steps")
  Listing steps(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(defaultValue = "20") int count);

  /** Lists the audit log, the latest entry first. */
  @Operation("opsAuditLog")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/audit-log")
  Listing auditLog(
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
  Listing verifications(PageRequest page);

  /**
   * Lists the delivery status of each target; failed if one is parked.
   *
   * @param target null for all
   */
  @Operation("opsOutbox")
  @Requires(Role.VIEWER)
  @GetExchange("/outbox")
  Listing outbox(@RequestParam(required = false) @Nullable String target);

  /**
   * Lists the attempts to deliver batches of facts, the latest first.
   *
   * @param target null for all
   * @param failed whether to list only failed ones
   */
  @Operation("opsDeliveryAttempts")
  @Requires(Role.VIEWER)
  @GetExchange("/outbox/attempts")
  Listing attempts(
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
  Listing memory(
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
  Listing quarantine(
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
  Listing moves(
      @PathVariable String family, @RequestParam(required = false) @Nullable String period);
}
