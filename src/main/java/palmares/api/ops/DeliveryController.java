package palmares.api.ops;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.Listing.Status;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Sentence;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.DeliveryAttempt;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.outbox.Deliveries.Redelivery;

@RestController
class DeliveryController implements DeliveryResource {
  private static final int MAX_ROWS_IN_TABLE = 20;
  private static final OutputTable<TargetRow> TARGETS = OutputTable.of(TargetRow.class);
  private static final OutputTable<DeliveryAttempt> ATTEMPTS =
      OutputTable.of(DeliveryAttempt.class);

  private final Tasks tasks;
  private final Deliveries deliveries;

  DeliveryController(Tasks tasks, Deliveries deliveries) {
    this.tasks = tasks;
    this.deliveries = deliveries;
  }

  @Override
  public Rows<TargetRow> outbox(@Nullable String target) {
    List<DeliveryStatus> all = deliveries.all();
    requireTarget(all, target);
    List<DeliveryStatus> shown =
        all.stream().filter(status -> target == null || status.name().equals(target)).toList();
    boolean parked = shown.stream().anyMatch(status -> status.parkedAt() != null);
    return Listing.of(TARGETS, "targets", shown.stream().map(DeliveryController::row).toList())
        .with(parked ? Status.FAILED : Status.OK);
  }

  private static TargetRow row(DeliveryStatus status) {
    return new TargetRow(
        status.name(),
        status.address(),
        status.since(),
        status.delivered(),
        status.waiting(),
        status.deliveredAt(),
        status.parkedAt() != null,
        status.parkedAt() != null ? null : status.retryAt(),
        status.failure());
  }

  @Override
  public Rows<DeliveryAttempt> attempts(@Nullable String target, boolean failed, PageRequest page) {
    requireTarget(deliveries.all(), target);
    return Listing.page(
        ATTEMPTS,
        "attempts",
        page,
        MAX_ROWS_IN_TABLE,
        1,
        (cursor, most) -> deliveries.attempts(target, failed, PageCursor.number(cursor), most),
        last -> PageCursor.of(last.id()));
  }

  /** Refuses a target that does not exist; null is none. */
  private static void requireTarget(List<DeliveryStatus> all, @Nullable String target) {
    List<String> names = all.stream().map(DeliveryStatus::name).toList();
    if (target != null && !names.contains(target)) {
      throw Lookup.unknown(
              names.isEmpty()
                  ? new MaintenanceSentences.NoTargets(target)
                  : new MaintenanceSentences.NoTarget(target, names))
          .at("target");
    }
  }

  @Override
  public Task retry(TargetRequest body, Call call) {
    if (body.from() != null) {
      throw Lookup.invalid("from", new MaintenanceSentences.NoTime());
    }
    return onTarget(
        "retry-deliveries",
        body,
        call,
        () -> {
          List<String> targets = deliveries.retry(body.target());
          return Result.done(new MaintenanceSentences.Retried(targets.size()))
              .changing(() -> targets.stream().sorted().toList());
        });
  }

  @Override
  public Task redeliver(TargetRequest body, Call call) {
    Instant from = Lookup.required("from", Lookup.time("from", body.from(), ZoneOffset.UTC));
    return onTarget(
        "redeliver",
        body,
        call,
        () -> {
          List<Redelivery> targets = deliveries.redeliver(body.target(), from);
          if (targets.isEmpty()) {
            throw Lookup.unknown(new MaintenanceSentences.NoFacts(from.atZone(ZoneOffset.UTC)));
          }
          return new Result(Task.State.DONE, redelivered(targets, from.atZone(ZoneOffset.UTC)))
              .changing(() -> List.of(targets.toString()));
        });
  }

  private static List<Sentence> redelivered(List<Redelivery> targets, ZonedDateTime from) {
    List<String> moved = names(targets, false);
    List<String> behind = names(targets, true);
    var said = new ArrayList<Sentence>();
    said.add(
        moved.isEmpty()
            ? new MaintenanceSentences.NoneAgain(from)
            : new MaintenanceSentences.Again(from, moved));
    if (!behind.isEmpty()) {
      said.add(new MaintenanceSentences.Behind(behind));
    }
    return said;
  }

  private static List<String> names(List<Redelivery> targets, boolean withBacklog) {
    return targets.stream()
        .filter(target -> target.hasBacklog() == withBacklog)
        .map(Redelivery::name)
        .toList();
  }

  @Override
  public Task forget(TargetRequest body, Call call) {
    String target = Lookup.required("target", body.target());
    return onTarget(
        "forget-target",
        body,
        call,
        () -> {
          Optional<Instant> since = deliveries.forget(target);
          return Result.done(new MaintenanceSentences.TargetForgotten(target))
              .changing(() -> List.of(target + " " + since));
        });
  }

  private Task onTarget(String verb, TargetRequest body, Call call, Supplier<Result> work) {
    String reason = Lookup.reason(body.reason());
    Lookup.requireNamedOrAll("target", body.target(), body.all());
    return tasks.now(
        call,
        new VerbRequest(verb, null, null, reason, body)
            .with("target", body.target())
            .with("from", body.from()),
        by -> {
          requireTarget(deliveries.all(), body.target());
          return work.get();
        });
  }
}
