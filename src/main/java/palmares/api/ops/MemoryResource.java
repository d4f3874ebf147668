package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;

/** The memory that Redis uses, and the keys that can go. */
@HttpExchange("/api/v1/ops")
public interface MemoryResource {
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

  /** Removes the keys of expired periods from Redis. */
  @Operation("opsDropOrphans")
  @Requires(Role.OPERATOR)
  @PostExchange("/memory/drop-orphans")
  Task dropOrphans(@RequestBody OrphanRequest body, Call call);

  /**
   * The body of a removal of orphans.
   *
   * @param board null for all boards, if {@code all} says so
   * @param all whether the verb is about all boards
   * @param forceUnknown whether to remove keys of periods that the database does not know, too
   */
  record OrphanRequest(String reason, @Nullable String board, boolean all, boolean forceUnknown) {}
}
