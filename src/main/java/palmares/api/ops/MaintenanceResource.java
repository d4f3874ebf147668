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
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;

/** The verbs that repair live boards and journals. */
@HttpExchange("/api/v1/ops")
public interface MaintenanceResource {
  /** Rebuilds a live board from its journal. */
  @Operation("opsRebuild")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/rebuild")
  Task rebuild(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody RebuildRequest body,
      Call call);

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

  /** Stores quarantined journal entries as events. */
  @Operation("opsRelease")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/quarantine/release")
  Task release(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody Entries body,
      Call call);

  /** Stores quarantined journal entries without effect. */
  @Operation("opsDiscard")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/quarantine/discard")
  Task discard(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody Entries body,
      Call call);

  /**
   * The body of a rebuild.
   *
   * @param replace whether to replace a live board that exists
   * @param acceptLoss whether to give up events that are in neither store, and what a sealed period
   *     lacks
   */
  record RebuildRequest(String reason, boolean replace, boolean acceptLoss) {}

  /**
   * The body of a decision on quarantined entries.
   *
   * @param numbers the entries
   */
  record Entries(String reason, List<Long> numbers) {}
}
