package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.time.DayOrTime;

/** The verbs that close periods. */
@HttpExchange("/api/v1/ops")
public interface ClosingResource {
  /** Closes a period that is over, from the state that it has reached. */
  @Operation("opsClose")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/close")
  Task close(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody ClosingRequest body,
      Call call);

  /** Closes all periods that are due, and removes expired ones from Redis. */
  @Operation("opsCloseDue")
  @Requires(Role.OPERATOR)
  @PostExchange("/close")
  Task closeDue(@RequestBody ClosingRequest body, Call call);

  /** Restarts a closing that failed or was rejected. */
  @Operation("opsRestart")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/restart")
  Task restart(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody ReasonRequest body,
      Call call);

  /**
   * Gives an open period a later end, and the same to those of the other tiers of its family. If
   * its next period would begin before, that begins then.
   */
  @Operation("opsExtend")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/extend")
  Task extend(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody ExtensionRequest body,
      Call call);

  /**
   * The body of a closing.
   *
   * @param waitSeconds how long to retry periods that other processes hold; null for 60
   * @param stoppedImports whether all that is due includes periods of imports that have not ended
   *     and give no sign of life: what such an import has not read yet is late then
   */
  record ClosingRequest(String reason, @Nullable Integer waitSeconds, boolean stoppedImports) {}

  /**
   * The body of an extension.
   *
   * @param until the new end: a day in the board's zone, with whose beginning the period ends, or a
   *     time
   */
  record ExtensionRequest(String reason, @Takes(DayOrTime.class) String until) {}
}
