package palmares.api.ops;

import java.util.List;
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

/** The verbs that check and repair what is stored. */
@HttpExchange("/api/v1/ops")
public interface MaintenanceResource {
  /** Verifies settled periods; failed if there are differences. */
  @Operation("opsVerify")
  @Requires(Role.OPERATOR)
  @PostExchange("/verify")
  Task verify(@RequestBody VerificationRequest body, Call call);

  /** Rebuilds a live board from its journal. */
  @Operation("opsRebuild")
  @Requires(Role.OPERATOR)
  @PostExchange("/boards/{board}/periods/{period}/rebuild")
  Task rebuild(
      @PathVariable String board,
      @PathVariable String period,
      @RequestBody RebuildRequest body,
      Call call);

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

  /** Retries failed deliveries now, parked targets too. */
  @Operation("opsRetry")
  @Requires(Role.OPERATOR)
  @PostExchange("/outbox/retry")
  Task retry(@RequestBody TargetRequest body, Call call);

  /** Delivers facts again. */
  @Operation("opsRedeliver")
  @Requires(Role.OPERATOR)
  @PostExchange("/outbox/redeliver")
  Task redeliver(@RequestBody TargetRequest body, Call call);

  /** Removes the status of a target that is no longer configured. */
  @Operation("opsForgetTarget")
  @Requires(Role.OPERATOR)
  @PostExchange("/outbox/forget")
  Task forget(@RequestBody TargetRequest body, Call call);

  /** Removes the keys of expired periods from Redis. */
  @Operation("opsDropOrphans")
  @Requires(Role.OPERATOR)
  @PostExchange("/memory/drop-orphans")
  Task dropOrphans(@RequestBody OrphanRequest body, Call call);

  /**
   * The body of a verification.
   *
   * @param board null for all boards
   * @param period null for all settled periods of the board
   * @param links links that were kept, as {@code verify} printed them or a fact carried them; null
   *     for none
   */
  record VerificationRequest(
      String reason,
      @Nullable String board,
      @Nullable String period,
      @Nullable List<String> links) {}

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

  /**
   * The body of a verb on delivery targets.
   *
   * @param target null for all targets, if {@code all} says so
   * @param all whether the verb is about all targets; never to forget them
   * @param from a day or time, for facts that are delivered again
   */
  record TargetRequest(
      String reason,
      @Nullable String target,
      boolean all,
      @Nullable @Takes(DayOrTime.class) String from) {}

  /**
   * The body of a removal of orphans.
   *
   * @param board null for all boards, if {@code all} says so
   * @param all whether the verb is about all boards
   * @param forceUnknown whether to remove keys of periods that the database does not know, too
   */
  record OrphanRequest(String reason, @Nullable String board, boolean all, boolean forceUnknown) {}
}
