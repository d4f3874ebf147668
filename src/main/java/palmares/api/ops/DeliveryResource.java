package palmares.api.ops;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;
import palmares.settlement.outbox.Deliveries.DeliveryAttempt;

/** The delivery of facts to targets. */
@HttpExchange("/api/v1/ops")
public interface DeliveryResource {
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
}
