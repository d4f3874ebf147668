package palmares.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.live.board.JournalEntry.Undecodable;
import palmares.live.journal.Journal;
import palmares.live.journal.JournalGap;
import palmares.live.journal.JournalQuarantined;
import palmares.operations.rebuild.Acknowledgement;
import palmares.operations.rebuild.LossRefused;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.operations.rebuild.Rebuild.RebuildResult;
import palmares.operations.rebuild.RebuildRefused;
import palmares.operations.rebuild.ReplayDiffers;
import palmares.operations.report.PeriodNotes;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a live board anew from its journal. */
@Command(
    name = "rebuild",
    description = {
      "Makes a live board that Redis has lost anew, from the events that PostgreSQL has of it.",
      "",
      "Every event is decided again and must come out as it did, so that scores, ties, ids and"
          + " undos are as before. Writers are told to come again meanwhile. May be killed and run"
          + " again. A period whose board has been proved needs none."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the live board is there again",
      "1:events are missing or differ, a sealed period would lose some, or another process holds"
          + " the period",
      "2:bad usage, an unknown board or period, or a live board that is there: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares rebuild invites 2026-W47")
final class RebuildCommand implements Callable<Integer> {
  private static final Progress.Unit EVENTS = new Progress.Unit(" events", 1);

  /** A process that was killed loses what it held after 20 seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--replace",
      description =
          "Also a live board that is there, such as one that went back when Redis lost the end of"
              + " its file. What only Redis has is kept.")
  private boolean replace;

  @Option(
      names = "--accept-loss",
      description =
          "Closes a sealed period without what the journal lacks of it. Needs --reason; the loss is"
              + " kept in the audit log, the manifest and the report.")
  private boolean acceptLoss;

  @Mixin private OptionalActor actor = new OptionalActor();

  RebuildCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (acceptLoss != actor.says()) {
      throw UserError.badInput(
          "--accept-loss and --reason go together: say what is lost, and why it may be");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("rebuild"), boards)) {
      Period found = target.find(app, boards);
      print(found, rebuild(app, found));
      app.get(PeriodNotes.class)
          .of(found.board(), found.name())
          .ifPresent(note -> session.terminal().print("note: " + note));
      return 0;
    } catch (RebuildRefused e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    } catch (JournalGap | JournalQuarantined | Undecodable | ReplayDiffers | LossRefused e) {
      throw UserError.failed(String.valueOf(e.getMessage()));
    }
  }

  private RebuildResult rebuild(RunningApplication app, Period found) {
    Terminal terminal = session.terminal();
    long events = app.get(Journal.class).position(found.id());
    try (Progress progress = Progress.of(terminal, "rebuild", EVENTS, events)) {
      return new BusyRetry(PATIENCE)
          .until(
              Optional::isPresent,
              () ->
                  app.get(Rebuild.class)
                      .run(
                          found.id(),
                          replace ? Present.REPLACE : Present.REFUSE,
                          acceptLoss ? new Acknowledgement(actor.by(), actor.reason()) : null,
                          done -> progress.at(done, "")))
          .orElseThrow(
              () ->
                  UserError.failed(
                      "%s is held by another process, which closes it or makes it anew"
                          .formatted(found.label())));
    }
  }

  private void print(Period found, RebuildResult rebuilt) {
    Terminal terminal = session.terminal();
    terminal.print(
        "rebuilt %s: %s events, each as it was; it is %s"
            .formatted(
                found.label(), DisplayFormat.number(rebuilt.events()), rebuilt.state().word()));
    if (rebuilt.strays() > 0) {
      terminal.print(
          "%s more were decided after Redis had gone back, and are decided anew behind them"
              .formatted(DisplayFormat.number(rebuilt.strays())));
    }
    if (rebuilt.ignored() > 0) {
      terminal.print(
          "%s more had changed nothing after Redis had gone back, and are left out"
              .formatted(DisplayFormat.number(rebuilt.ignored())));
    }
    if (!rebuilt.refused().isEmpty()) {
      terminal.print(
          "%s more were acknowledged after Redis had gone back, are refused behind the others, and"
                  .formatted(DisplayFormat.number(rebuilt.refused().size()))
              + " count nowhere: "
              + String.join(", ", rebuilt.refused()));
    }
    if (rebuilt.wasLost()) {
      terminal.print(
          "what Redis had decided within about a second before it lost the board may not have"
              + " reached the journal: it counts when it is sent again");
    }
  }
}
