package palmares.api.ops;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.Tasks.VerbRequest;
import palmares.operations.forgetting.Forgetting;
import palmares.operations.forgetting.Forgetting.Forgotten;
import palmares.operations.forgetting.Forgetting.Plan;
import palmares.operations.forgetting.Forgetting.Progress;
import palmares.operations.forgetting.ForgettingIncomplete;
import palmares.operations.forgetting.ForgottenArchives;
import palmares.platform.output.DisplayFormat;
import palmares.rules.board.MemberId;

@RestController
class ForgettingController implements ForgettingResource {
  /** More than the 20 seconds after which the lease of a killed process ends. */
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(30);

  private final Tasks tasks;
  private final Forgetting forgetting;
  private final ForgottenArchives archives;

  ForgettingController(Tasks tasks, Forgetting forgetting, ForgottenArchives archives) {
    this.tasks = tasks;
    this.forgetting = forgetting;
    this.archives = archives;
  }

  @Override
  public Task forgetMember(ForgettingRequest body, Call call) {
    call.requireUnconditional("a member");
    String reason = Lookup.reason(body.reason());
    MemberId member = Lookup.member(body.member());
    var order = new VerbRequest("forget", null, null, reason, body);
    if (body.pseudonym() != null) {
      MemberId pseudonym = Lookup.member(body.pseudonym());
      return tasks.later(
          call,
          order,
          by -> archives.check(member, pseudonym, reason),
          by -> describe(archives.check(member, pseudonym, reason)),
          (by, progress) -> describe(archives.complete(member, pseudonym, reason, by)));
    }
    return tasks.later(
        call,
        order,
        by -> forgetting.requirePossible(member, reason),
        by -> describe(forgetting.plan(member, reason)),
        (by, progress) -> {
          return describe(forget(member, reason, by, progress));
        });
  }

  /** Repeats an attempt that is incomplete, because most closings and leases end soon. */
  private Forgotten forget(MemberId member, String reason, String by, Consumer<String> progress) {
    var words = new Words(progress);
    var incomplete = new AtomicReference<@Nullable ForgettingIncomplete>();
    return new BusyRetry(BUSY_TIMEOUT)
        .until(
            Optional::isPresent,
            () -> {
              try {
                return Optional.of(forgetting.forget(member, reason, by, words));
              } catch (ForgettingIncomplete e) {
                if (incomplete.getAndSet(e) == null) {
                  progress.accept("forget: %s".formatted(e.getMessage()));
                }
                return Optional.<Forgotten>empty();
              }
            })
        .orElseThrow(() -> Objects.requireNonNull(incomplete.get()));
  }

  /** Says how far it is, at most every ten seconds. */
  private static final class Words implements Progress {
    private final LongConsumer periods;
    private final LongConsumer archives;

    Words(Consumer<String> progress) {
      this.periods =
          Tasks.everyTenSeconds(
              done -> progress.accept("forget: " + DisplayFormat.count(done, "period", "periods")));
      this.archives =
          Tasks.everyTenSeconds(
              done ->
                  progress.accept(
                      "forget: no row has the id; %s to find it"
                          .formatted(
                              DisplayFormat.count(
                                  done, "archive was read", "archives were read"))));
    }

    @Override
    public void periods(long done) {
      periods.accept(done);
    }

    @Override
    public void archivesRead(long done) {
      archives.accept(done);
    }
  }

  private static Result describe(Plan plan) {
    var lines = new ArrayList<String>();
    plan.touched()
        .forEach((what, count) -> lines.add("%s: %s".formatted(what, DisplayFormat.number(count))));
    plan.remains().forEach(place -> lines.add("the id would remain in " + place));
    lines.addAll(plan.notes());
    plan.obstacles().forEach(obstacle -> lines.add("not possible now: " + obstacle));
    return new Result(plan.obstacles().isEmpty() ? Task.State.DONE : Task.State.FAILED, lines);
  }

  private static Result describe(Forgotten forgotten) {
    var lines = new ArrayList<String>();
    lines.add("forgotten; the pseudonym is " + forgotten.pseudonym());
    lines.add(DisplayFormat.count(forgotten.rows(), "row was", "rows were") + " renamed");
    forgotten.archives().forEach(period -> lines.add("wrote the archive again of " + period));
    forgotten.rebuilt().forEach(period -> lines.add("rebuilt the live board of " + period));
    forgotten.expired().forEach(period -> lines.add("removed the live keys of " + period));
    lines.addAll(forgotten.notes());
    forgotten.remains().forEach(place -> lines.add("the id remains in " + place));
    if (!forgotten.remains().isEmpty()) {
      lines.add("incomplete: see to these %d".formatted(forgotten.remains().size()));
    }
    return new Result(forgotten.remains().isEmpty() ? Task.State.DONE : Task.State.FAILED, lines);
  }
}
