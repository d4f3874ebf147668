package palmares.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.output.Spoken;
import palmares.cli.terminal.Complaint;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.Terminal;
import palmares.journal.Journal;
import palmares.journal.JournalGap;
import palmares.journal.JournalQuarantined;
import palmares.live.JournalEntry.Undecodable;
import palmares.period.Period;
import palmares.rebuild.Acknowledgement;
import palmares.rebuild.LossRefused;
import palmares.rebuild.Rebuild;
import palmares.rebuild.Rebuild.Present;
import palmares.rebuild.RebuildRefused;
import palmares.rebuild.Rebuilt;
import palmares.rebuild.ReplayDiffers;
import palmares.report.Notes;
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

  @Mixin private OnePeriod target = new OnePeriod();

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

  @Mixin private MaybeResponsible responsible = new MaybeResponsible();

  RebuildCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (acceptLoss != responsible.says()) {
      throw Complaint.badInput(
          "--accept-loss and --reason go together: say what is lost, and why it may be");
    }
    Catalogue boards = session.boards();
    try (Running app = session.start(Launch.of("rebuild"), boards)) {
      Period found = target.find(app, boards);
      print(found, rebuild(app, found));
      app.get(Notes.class)
          .of(found.board(), found.name())
          .ifPresent(note -> session.terminal().print("note: " + note));
      return 0;
    } catch (RebuildRefused e) {
      throw Complaint.badInput(String.valueOf(e.getMessage()));
    } catch (JournalGap | JournalQuarantined | Undecodable | ReplayDiffers | LossRefused e) {
      throw Complaint.failed(String.valueOf(e.getMessage()));
    }
  }

  private Rebuilt rebuild(Running app, Period found) {
    Terminal terminal = session.terminal();
    long events = app.get(Journal.class).position(found.id());
    try (Progress progress = Progress.of(terminal, "rebuild", EVENTS, events)) {
      return new Waiting(PATIENCE)
          .until(
              Optional::isPresent,
              () ->
                  app.get(Rebuild.class)
                      .run(
                          found.id(),
                          replace ? Present.REPLACE : Present.REFUSE,
                          acceptLoss
                              ? new Acknowledgement(responsible.by(), responsible.reason())
                              : null,
                          done -> progress.at(done, "")))
          .orElseThrow(
              () ->
                  Complaint.failed(
                      "%s is held by another process, which closes it or makes it anew"
                          .formatted(found.label())));
    }
  }

  private void print(Period found, Rebuilt rebuilt) {
    Terminal terminal = session.terminal();
    terminal.print(
        "rebuilt %s: %s events, each as it was; it is %s"
            .formatted(found.label(), Spoken.number(rebuilt.events()), rebuilt.state().word()));
    if (rebuilt.strays() > 0) {
      terminal.print(
          "%s more were decided after Redis had gone back, and are decided anew behind them"
              .formatted(Spoken.number(rebuilt.strays())));
    }
    if (rebuilt.ignored() > 0) {
      terminal.print(
          "%s more had changed nothing after Redis had gone back, and are left out"
              .formatted(Spoken.number(rebuilt.ignored())));
    }
    if (!rebuilt.refused().isEmpty()) {
      terminal.print(
          "%s more were acknowledged after Redis had gone back, are refused behind the others, and"
                  .formatted(Spoken.number(rebuilt.refused().size()))
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
