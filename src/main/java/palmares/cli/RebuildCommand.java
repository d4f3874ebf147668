package palmares.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.Progress;
import palmares.cli.terminal.UserError;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.operations.rebuild.Rebuild.RebuildResult;
import palmares.operations.report.PeriodNotes;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rebuilds a live board from its journal. */
@Command(
    name = "rebuild",
    description = {
      "Rebuilds a live board that Redis has lost, from the events that PostgreSQL has.",
      "",
      "Every event is decided again, and each decision must be the same, so that scores, ties, ids"
          + " and undos are as before. Meanwhile writers and readers get an answer that asks them"
          + " to retry. May be killed and run again. A period that is filled needs no rebuild."
    },
    exitCodeList = {
      "0:the live board is rebuilt",
      "1:events are missing or differ, a sealed period would lose some, or another process holds"
          + " the period",
      "2:bad usage, an unknown board or period, or a live board that exists: nothing was changed"
    },
    footer = "  palmares rebuild invites 2026-W47")
final class RebuildCommand implements Callable<Integer> {
  private static final Progress.Unit EVENTS = new Progress.Unit(" events", 1);

  /** More than the 20 seconds after which the lease of a killed process ends. */
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(30);

  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--replace",
      description =
          "Also replaces a live board that exists, such as one that Redis restored from an older"
              + " state. What only Redis has is kept.")
  private boolean replace;

  @Option(
      names = "--accept-loss",
      description =
          "Closes a sealed period without the events that are lost. Needs --reason; the loss is"
              + " recorded in the audit log, the manifest and the report.")
  private boolean acceptLoss;

  @Mixin private OptionalActor actor = new OptionalActor();

  RebuildCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (acceptLoss != actor.isGiven()) {
      throw UserError.badInput("--accept-loss and --reason go together");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("rebuild", boards)) {
      Period period = target.find(app, boards);
      print(period, rebuild(app, period));
      app.get(PeriodNotes.class)
          .of(period.board(), period.name())
          .ifPresent(note -> session.print("note: " + note));
      return 0;
    }
  }

  private RebuildResult rebuild(RunningApplication app, Period period) {
    long events = app.get(Journal.class).position(period.id());
    try (Progress progress = Progress.of(session.terminal(), "rebuild", EVENTS, events)) {
      return new BusyRetry(BUSY_TIMEOUT)
          .until(
              Optional::isPresent,
              () ->
                  app.get(Rebuild.class)
                      .run(
                          period.id(),
                          replace ? Present.REPLACE : Present.REFUSE,
                          acceptLoss ? new Acknowledgement(Actor.by(), actor.reason()) : null,
                          done -> progress.at(done, "")))
          .orElseThrow(
              () ->
                  UserError.failed(
                      "%s is held by another process that closes or rebuilds it: retry later",
                      period.label()));
    }
  }

  private void print(Period period, RebuildResult rebuilt) {
    session.print(
        "rebuilt %s: %,d events, each decided as before; it is %s",
        period.label(), rebuilt.events(), rebuilt.state().word());
    if (rebuilt.strays() > 0) {
      session.print(
          "%,d more were decided after Redis had gone back, and are decided again after the others",
          rebuilt.strays());
    }
    if (rebuilt.ignored() > 0) {
      session.print(
          "%,d more had no effect after Redis had gone back, and are left out", rebuilt.ignored());
    }
    if (!rebuilt.refused().isEmpty()) {
      session.print(
          "%s more were acknowledged after Redis had gone back, are refused now, and count nowhere:"
                  .formatted(DisplayFormat.number(rebuilt.refused().size()))
              + " "
              + String.join(", ", rebuilt.refused()));
    }
    if (rebuilt.wasLost()) {
      session.print(
          "events of the last second before the loss may be missing in the journal: they count when"
              + " they are sent again");
    }
  }
}
