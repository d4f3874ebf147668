package palmares.operations.batches;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.report.OutcomeSums.MemberSum;
import palmares.operations.tasks.ContinuedTasks;
import palmares.operations.tasks.ContinuedTasks.Continued;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/** Says what became of batches so far, and what a person can do next. */
@Component
public class BatchReport {
  private static final int MAX_LISTED_ITEMS = 20;
  private static final int MAX_LISTED_REASONS = 10;

  private final Batches batches;

  BatchReport(Batches batches, ContinuedTasks continued) {
    this.batches = batches;
    for (Verb verb : Verb.values()) {
      continued.add(verb.ofTask(), this::of);
    }
  }

  private Optional<Continued> of(Task task) {
    if (task.items() == null) {
      return Optional.empty();
    }
    Batch batch = batches.get(Objects.requireNonNull(task.id()));
    return Optional.of(
        new Continued(
            batch.endedAt() == null
                ? new Result(
                    Task.State.RUNNING,
                    List.of(new BatchSentences.Now(batch.id(), batch.counts().said())))
                : of(batch),
            batch.endedAt()));
  }

  private Result of(Batch batch) {
    var said = new ArrayList<Sentence>();
    for (State state : List.of(State.FAILED, State.REFUSED, State.HELD, State.PENDING)) {
      batches
          .items(batch.id(), state, 0, MAX_LISTED_ITEMS)
          .forEach(
              item ->
                  said.add(
                      new BatchSentences.PeriodIs(
                          state,
                          item.label(),
                          item.message() == null
                              ? new BatchSentences.NotWorkedOn()
                              : item.message())));
    }
    Batch.Counts counts = batch.counts();
    said.add(new BatchSentences.Now(batch.id(), counts.said()));
    var next = new ArrayList<Next>();
    if (counts.pending() + counts.failed() > 0) {
      said.add(new BatchSentences.RestLeft());
      next.add(Next.of("resume-batch").with("id", batch.id()));
    }
    Task.State outcome = batch.outcome();
    if (batch.hasPrepared() || counts.held() > 0) {
      Optional<ApprovalPage> undecided = batches.undecidedPage(batch.id());
      if (undecided.isEmpty() && outcome == Task.State.HELD) {
        outcome = Task.State.DONE;
      }
      undecided
          .filter(page -> batch.verb() != Verb.APPROVE)
          .ifPresent(
              page -> {
                page.sums()
                    .forEach(
                        sum ->
                            said.add(
                                new BatchSentences.Moved(
                                    sum.board(),
                                    sum.gets(),
                                    sum.currency(),
                                    sum.owes(),
                                    sum.periods())));
                said.addAll(decisions(page));
                next.addAll(next(page));
              });
    }
    return new Result(outcome, said).then(next);
  }

  /** What awaits a person's decision, and why. */
  public List<Sentence> decisions(ApprovalPage page) {
    var said = new ArrayList<Sentence>();
    said.add(new BatchSentences.Await(page.periods(), page.batch().id()));
    page.reasons().entrySet().stream()
        .limit(MAX_LISTED_REASONS)
        .forEach(
            reason -> said.add(new BatchSentences.HeldFor(reason.getValue(), reason.getKey())));
    batches.largest(page).forEach(moved -> said.add(said(moved)));
    return said;
  }

  private static Sentence said(MemberSum moved) {
    return moved.credits().signum() > 0
        ? new BatchSentences.Gets(
            moved.member(), moved.credits(), moved.currency(), moved.periods())
        : new BatchSentences.GivesBack(
            moved.member(), moved.credits().negate(), moved.currency(), moved.periods());
  }

  /** What a person can do about what awaits a decision. */
  public List<Next> next(ApprovalPage page) {
    return Stream.of(Verb.APPROVE, Verb.REJECT)
        .map(
            verb ->
                Next.of(verb.ofTask()).with("id", page.batch().id()).with("expect", page.digest()))
        .toList();
  }
}
