package palmares.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.BatchResource.BatchDecision;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ClosingResource.ExtensionRequest;
import palmares.api.ops.DecisionResource;
import palmares.api.ops.DecisionResource.Approval;
import palmares.api.ops.DecisionResource.Rejection;
import palmares.api.ops.ReasonRequest;
import palmares.cli.BoardFilter.WithPeriod.Named;
import palmares.cli.terminal.CommandSentences.BothOrNeither;
import palmares.cli.terminal.CommandSentences.TakesNo;
import palmares.cli.terminal.UserError;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that decide on periods, and keep boards and periods from closing. */
final class DecisionCommands {
  private DecisionCommands() {}

  /** A command that decides on a held closing, an amendment, or all outcomes of a batch. */
  abstract static class DecisionCommand extends ApiCommand implements Callable<Integer> {
    @Mixin private BoardFilter.WithPeriod target = new BoardFilter.WithPeriod();

    @Option(
        names = "--batch",
        paramLabel = "N",
        description =
            "All outcomes that this batch has prepared or left held ('palmares tasks'"
                + " lists them).")
    private @Nullable Long batch;

    @Option(
        names = "--revision",
        paramLabel = "N",
        description = "The revision that you were shown: refused if another one is undecided.")
    @Nullable Integer revision;

    @Option(
        names = "--expect",
        paramLabel = "DIGEST",
        description =
            "The digest that 'palmares close', 'restart', 'amend' or 'approve' printed: refused if"
                + " the outcome, its ties or the reasons have changed since. Required, unless"
                + " --if-match names the period.")
    @Nullable String expect;

    @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

    /** Whether it decides on a batch. */
    final boolean isOfBatch() {
      return batch != null;
    }

    /** Decides on the outcome of a period. */
    abstract Task decide(DecisionResource decisions, Named period, String reason, Call call);

    /** Decides on the outcomes of a batch. */
    abstract Task decide(BatchResource batches, long id, BatchDecision decision, Call call);

    @Override
    public Integer call() throws IOException {
      if (batch != null) {
        return decideMany(batch);
      }
      Named named = target.required();
      String reason = acting.required();
      return act(
          acting,
          DecisionResource.class,
          (decisions, call) -> decide(decisions, named, reason, call));
    }

    /** Without a digest, only shows what it would decide on. */
    private int decideMany(long id) throws IOException {
      if (target.isGiven() || revision != null) {
        throw UserError.badUsage(TakesNo.of("--batch", "BOARD", "PERIOD", "--revision"));
      }
      if (expect == null) {
        return print(new Output(), BatchResource.class, batches -> batches.sums(id));
      }
      var decision = new BatchDecision(acting.required(), expect);
      return act(
          acting, BatchResource.class, (batches, call) -> decide(batches, id, decision, call));
    }
  }

  /** Approves a held closing or an amendment. */
  @Command(
      name = "approve",
      description = {
        "Approves a held closing or an amendment, and pays it.",
        "",
        "'palmares preview BOARD PERIOD' shows what a closing will pay, 'palmares report --revision"
            + " N' shows an amendment. Without --expect or --if-match, it prints the digest of what"
            + " it would approve, and is refused. The same approval again is answered with what it"
            + " has done, and does nothing more."
      },
      exitCodeList = {
        "0:approved and paid, now or by the same approval before",
        "1:it failed, or another process holds the period",
        "2:bad usage, nothing to approve, no or another digest, ties without --ties, or other"
            + " exclusions without --accept-exclusions: nothing was changed",
        "3:not paid: a second person must approve it, or it passes a budget or was ranked with"
            + " other exclusions, which you were not shown"
      },
      customSynopsis = {
        "palmares approve [OPTIONS] BOARD PERIOD --expect DIGEST --reason TEXT",
        "   or: palmares approve [OPTIONS] --batch N",
        "   or: palmares approve [OPTIONS] --batch N --expect DIGEST --reason TEXT"
      },
      footer = {
        "  palmares approve invites 2026-W47 --expect 5e6f7a8b --reason 'checked the first ten'",
        "  palmares approve --batch 7 --expect 1f2e3d4c --reason 'checked the sum'",
        "  palmares approve invites 2026-W47 --revision 2 --expect 9a0b1c2d --reason 'no cheater'"
      })
  static final class ApproveCommand extends DecisionCommand {
    @Option(
        names = "--ties",
        paramLabel = "HOW",
        description =
            "Where the rules hold ties for a decision: 'each' gets the prize of the shared rank,"
                + " all 'share' the prizes of the places that they take, or each gets that of its"
                + " place in 'order'. Not with --batch.")
    private @Nullable String ties;

    @Option(
        names = "--accept-exclusions",
        description =
            "Pays a closing as it was ranked, although exclusions that you were shown have been"
                + " made or lifted since. Not with --batch.")
    private boolean acceptExclusions;

    @Override
    Task decide(DecisionResource decisions, Named period, String reason, Call call) {
      var approval = new Approval(reason, revision, ties, expect, acceptExclusions);
      return decisions.approve(period.board(), period.period(), approval, call);
    }

    @Override
    public Integer call() throws IOException {
      if (isOfBatch() && ties != null) {
        throw UserError.badUsage(TakesNo.of("--batch", "--ties"));
      }
      if (isOfBatch() && acceptExclusions) {
        throw UserError.badUsage(TakesNo.of("--batch", "--accept-exclusions"));
      }
      return super.call();
    }

    @Override
    Task decide(BatchResource batches, long id, BatchDecision decision, Call call) {
      return batches.approveBatch(id, decision, call);
    }
  }

  /** Rejects a held closing or an amendment. */
  @Command(
      name = "reject",
      description = {
        "Rejects a held closing or an amendment: nothing of it is paid.",
        "",
        "A rejected closing stays unpaid until 'palmares restart' computes its ranks and awards"
            + " again, with the exclusions in force then. A rejected amendment can still be read."
            + " Without --expect or --if-match, it prints the digest of what it would reject, and"
            + " is refused."
      },
      exitCodeList = {
        "0:rejected, now or by the same rejection before",
        "1:another process holds the period",
        "2:bad usage, nothing to reject, or no or another digest: nothing was changed"
      },
      customSynopsis = {
        "palmares reject [OPTIONS] BOARD PERIOD --expect DIGEST --reason TEXT",
        "   or: palmares reject [OPTIONS] --batch N",
        "   or: palmares reject [OPTIONS] --batch N --expect DIGEST --reason TEXT"
      },
      footer =
          "  palmares reject invites 2026-W47 --expect 5e6f7a8b --reason 'the first three are one"
              + " person'")
  static final class RejectCommand extends DecisionCommand {
    @Override
    Task decide(DecisionResource decisions, Named period, String reason, Call call) {
      var rejection = new Rejection(reason, revision, expect);
      return decisions.reject(period.board(), period.period(), rejection, call);
    }

    @Override
    Task decide(BatchResource batches, long id, BatchDecision decision, Call call) {
      return batches.rejectBatch(id, decision, call);
    }
  }

  /** Keeps a period from being paid without approval. */
  @Command(
      name = "hold",
      description = {
        "Keeps a closing from paying until a person approves it, also if the board asks for no"
            + " approval or releases it at an hour. The period closes as far as that.",
        "",
        "--lift takes it back before the period is closed; after that, approve or reject it."
      },
      exitCodeList = {
        "0:held, or no longer held",
        "1:another process works on the period",
        "2:bad usage, or the period is approved, paid or rejected: nothing was changed"
      },
      footer = "  palmares hold invites 2026-W47 --reason 'the gateway sent events twice'")
  static final class HoldCommand extends ApiCommand implements Callable<Integer> {
    @Mixin private PeriodArgument target = new PeriodArgument();

    @Option(names = "--lift", description = "Lifts the hold.")
    private boolean lift;

    @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

    @Override
    public Integer call() {
      var reason = new ReasonRequest(acting.reason());
      return act(
          acting,
          DecisionResource.class,
          (decisions, call) ->
              lift
                  ? decisions.liftHold(target.board(), target.period(), reason, call)
                  : decisions.hold(target.board(), target.period(), reason, call));
    }
  }

  /** Gives an open period a later end. */
  @Command(
      name = "extend",
      description = {
        "Gives a running period a later end, which its board's file need not have. The periods of"
            + " the other tiers of its family get the same end, and a next period that would begin"
            + " before begins then.",
        "",
        "An edited file changes later periods only. To end a season later, extend the season, and"
            + " edit the file, too."
      },
      exitCodeList = {
        "0:the period ends later",
        "1:another process works on the period",
        "2:bad usage, or the period is not open or cannot end then: nothing was changed"
      },
      footer = "  palmares extend league autumn --until 2026-12-02 --reason 'an outage of a day'")
  static final class ExtendCommand extends ApiCommand implements Callable<Integer> {
    @Mixin private PeriodArgument target = new PeriodArgument();

    @Option(
        names = "--until",
        required = true,
        paramLabel = "WHEN",
        description =
            "The new end: a day in the board's zone, with whose beginning the period ends, or a"
                + " time with its offset.")
    private String until = "";

    @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

    @Override
    public Integer call() {
      var extension = new ExtensionRequest(acting.reason(), until);
      return act(
          acting,
          ClosingResource.class,
          (closings, call) -> closings.extend(target.board(), target.period(), extension, call));
    }
  }

  /** Pauses the closings of a board, or lists the paused boards. */
  @Command(
      name = "pause",
      description = {
        "Pauses a board, or lists the paused boards.",
        "",
        "No closing of a paused board starts, on any node; one that runs goes on. Events are taken"
            + " as always, and count. 'palmares resume' ends the pause."
      },
      customSynopsis = {
        "palmares pause [OPTIONS]",
        "   or: palmares pause [OPTIONS] BOARD --reason TEXT"
      },
      exitCodeList = {
        "0:paused, or the list is complete",
        "2:bad usage, an unknown board, or one that is paused: nothing was changed"
      },
      footer = "  palmares pause invites --reason 'the prizes are checked until Monday'")
  static final class PauseCommand extends ApiCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "The board's id.")
    private @Nullable String board;

    @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

    @Mixin private Output output = new Output();

    @Override
    public Integer call() throws IOException {
      if (board != null != acting.hasReason()) {
        throw UserError.badUsage(new BothOrNeither("BOARD", "--reason"));
      }
      String paused = board;
      if (paused == null) {
        return print(output, BatchResource.class, batches -> batches.pauses());
      }
      var order = new ReasonRequest(acting.reason(""));
      return act(
          acting, BatchResource.class, (batches, call) -> batches.pause(paused, order, call));
    }
  }

  /** Resumes the closings of a paused board. */
  @Command(
      name = "resume",
      description = "Resumes a paused board: schedulers close what is due.",
      exitCodeList = {
        "0:resumed",
        "2:bad usage, an unknown board, or one that is not paused: nothing was changed"
      },
      footer = "  palmares resume invites --reason 'the prizes are right'")
  static final class ResumeCommand extends ApiCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
    private String board = "";

    @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

    @Override
    public Integer call() {
      return act(
          acting,
          BatchResource.class,
          (batches, call) -> batches.resume(board, new ReasonRequest(acting.reason()), call));
    }
  }
}
