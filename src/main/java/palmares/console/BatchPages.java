package palmares.console;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.period.WrongState;

/** Shows batches, and what is left to do in one. */
@Console
class BatchPages {
  private static final int ROWS = 200;

  private final Api api;
  private final Batches batches;

  BatchPages(Api api, Batches batches) {
    this.api = api;
    this.batches = batches;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/batches")
  String list(@RequestParam(required = false) @Nullable String after, Model model) {
    model.addAttribute("rows", Rows.of(api.batches().batches(new PageRequest(ROWS, after))));
    return "batches";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/batches/{id}")
  String batch(
      @PathVariable long id, @RequestParam(required = false) @Nullable String after, Model model) {
    Batch batch = batches.get(id);
    model.addAttribute("batch", batch);
    boolean isRunning = batch.endedAt() == null;
    model.addAttribute("isRunning", isRunning);
    model.addAttribute(
        "isResumable",
        !isRunning
            && batch.counts().pending() + batch.counts().failed() > 0
            && batches.mayResume(batch, Caller.get().name()));
    model.addAttribute(
        "mayRun", Caller.get().has(batch.of() == null ? Role.OPERATOR : Role.APPROVER));
    ApprovalPage undecided = undecided(batch).orElse(null);
    model.addAttribute("undecided", undecided);
    if (undecided != null) {
      model.addAttribute("stake", Stake.of(undecided));
      model.addAttribute("largest", batches.largest(undecided));
    }
    model.addAttribute(
        "rows", Rows.of(api.batches().items(id, null, new PageRequest(ROWS, after))));
    return "batch";
  }

  /** The outcomes of a batch that await a decision; empty if all are decided, or it made none. */
  private Optional<ApprovalPage> undecided(Batch batch) {
    if (batch.of() != null) {
      return Optional.empty();
    }
    try {
      return Optional.of(batches.page(batch.id()));
    } catch (WrongState e) {
      return Optional.empty();
    }
  }
}
