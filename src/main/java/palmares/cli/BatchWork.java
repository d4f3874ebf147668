package palmares.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.ApprovalPage;
import palmares.operations.batches.Batches.Sum;

/** Works on batches for a command, and prints what became of them. */
record BatchWork(Session session, RunningApplication app) {
  /** How long to retry periods, or a batch, that another process holds. */
  static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private static final int MAX_LISTED_ITEMS = 20;
  private static final int MAX_LISTED_REASONS = 10;

  static final OutputTable<Item> ITEMS =
      new OutputTable<Item>()
          .number("n", Item::n)
          .text("period", Item::label)
          .text("state", item -> item.state().word())
          .text("revision", Item::revision)
          .text("at", Item::at)
          .wrapped("message", Item::message);

  private static final OutputTable<Sum> SUMS =
      new OutputTable<Sum>()
          .text("board", Sum::board)
          .text("currency", Sum::currency)
          .number("periods", Sum::periods)
          .number("members_get", Sum::gets)
          .number("members_owe", Sum::owes);

  Batches batches() {
    return app.get(Batches.class);
  }

  /**
   * Works on a batch until every period was tried, and prints what became of them.
   *
   * @return the exit code
   */
  int run(Batch batch) {
    session.note(
        "batch %d: %s %,d periods, for %s",
        batch.id(), batch.verb().word(), batch.counts().all(), batch.target());
    Optional<Batch> worked;
    try (Progress progress =
        Progress.of(
            session.terminal(), batch.verb().word(), DueClosings.PERIODS, batch.counts().all())) {
      worked =
          new BusyRetry(MAX_WAIT)
              .until(
                  done -> done.isPresent() && done.get().endedAt() != null,
                  () ->
                      app.get(BatchRunner.class)
                          .run(
                              batch.id(),
                              item -> {
                                progress.at(item.n() - 1, item.label());
                                return true;
                              }));
    }
    if (worked.isEmpty()) {
      throw UserError.failed(
          "another process works on batch %1$d: 'palmares batches %1$d' shows how far it is",
          batch.id());
    }
    return report(worked.get());
  }

  private int report(Batch batch) {
    for (State state : List.of(State.FAILED, State.REFUSED, State.HELD, State.PENDING)) {
      batches()
          .items(batch.id(), state, 0, MAX_LISTED_ITEMS)
          .forEach(
              item ->
                  session.print(
                      "%s %s: %s",
                      state.word(),
                      item.label(),
                      TerminalText.of(
                          item.message() == null ? "not worked on yet" : item.message())));
    }
    session.print("batch %d: %s", batch.id(), batch.counts());
    Batch.Counts counts = batch.counts();
    if (counts.pending() + counts.failed() > 0) {
      session.print("'palmares batches resume %d' tries the rest again", batch.id());
    }
    boolean prepared = batch.verb() == Verb.AMEND && counts.done() > 0;
    if (prepared || counts.held() > 0 && batch.verb() != Verb.APPROVE) {
      printPage(batch.id());
    }
    if (counts.pending() + counts.failed() + counts.refused() > 0) {
      return UserError.FAILED;
    }
    return prepared || counts.held() > 0 ? CloseCommand.EXIT_HELD : 0;
  }

  /**
   * Prints what a person approves with a batch, and the commands for it.
   *
   * @return the exit code
   */
  int printPage(long id) {
    ApprovalPage page = batches().page(id);
    session.print(
        "%,d outcomes of batch %d await a decision, and nothing of them is paid",
        page.periods(), id);
    if (!page.sums().isEmpty()) {
      session.print(SUMS.table(page.sums()));
    }
    page.reasons().entrySet().stream()
        .limit(MAX_LISTED_REASONS)
        .forEach(
            reason ->
                session.print(
                    "%s periods: %s",
                    DisplayFormat.number(reason.getValue()), TerminalText.of(reason.getKey())));
    session.print("  palmares approve --batch %d --expect %s --reason TEXT", id, page.digest());
    session.print("  palmares reject --batch %d --reason TEXT", id);
    return CloseCommand.EXIT_HELD;
  }
}
