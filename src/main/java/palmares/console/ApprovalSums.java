package palmares.console;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;
import palmares.console.VerbForm.Values;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.report.PendingDecisions;
import palmares.operations.tasks.Task;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Adds up what the approval of a batch moves, and what an approval has moved. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ApprovalSums {
  private final Batches batches;
  private final PendingDecisions decisions;
  private final Revisions revisions;
  private final Periods periods;

  ApprovalSums(Batches batches, PendingDecisions decisions, Revisions revisions, Periods periods) {
    this.batches = batches;
    this.decisions = decisions;
    this.revisions = revisions;
    this.periods = periods;
  }

  /**
   * Adds the outcomes that a batch has prepared or left held.
   *
   * @return their digest
   * @throws palmares.period.WrongState if none of them awaits a decision
   */
  String addBatch(Values values, Model model) {
    ApprovalPage page = batches.page(values.id());
    model.addAttribute("batch", page);
    model.addAttribute("largest", batches.largest(page));
    model.addAttribute("stake", Stake.of(page));
    return page.digest();
  }

  /** What members got and gave back by an approval that is done; empty if it posted nothing. */
  List<Sum> moved(Task task) {
    List<Integer> posted =
        revisions.all(periods(task)).stream()
            .filter(revision -> isWithin(task, revision.postedAt()))
            .map(Revision::id)
            .toList();
    return posted.isEmpty() ? List.of() : decisions.moved(posted);
  }

  private List<PeriodId> periods(Task task) {
    return switch (task.verb()) {
      case "approve" ->
          periods
              .find(
                  new BoardId(String.valueOf(task.board())),
                  new PeriodName(String.valueOf(task.period())))
              .map(Period::id)
              .stream()
              .toList();
      case "approve-batch" ->
          task.id() == null || task.items() == null
              ? List.of()
              : batches.items(task.id(), State.DONE, 0, Batches.MAX_PERIODS).stream()
                  .map(Item::period)
                  .toList();
      default -> List.of();
    };
  }

  private static boolean isWithin(Task task, @Nullable Instant time) {
    return time != null
        && !time.isBefore(task.startedAt())
        && (task.endedAt() == null || !time.isAfter(task.endedAt()));
  }
}
