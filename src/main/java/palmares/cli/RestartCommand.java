package palmares.cli;

import java.util.concurrent.Callable;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.closing.Answer;
import palmares.closing.Approvals;
import palmares.closing.Cause;
import palmares.closing.Closed;
import palmares.closing.Closings;
import palmares.period.Agenda;
import palmares.period.Period;
import palmares.revision.Revisions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Goes on with a closing that failed or was rejected. */
@Command(
    name = "restart",
    description = {
      "Goes on with a closing that failed, from where it stopped; one that was rejected is ranked"
          + " and awarded anew, with the exclusions that are in force now.",
      "",
      "What is paid already is never paid again."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:settled",
      "1:it failed again, or another process holds the period",
      "2:bad usage, or nothing to restart: nothing was changed",
      "3:a person must approve or reject it first: nothing was paid"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares restart invites 2026-W47 --reason 'Redis is back'")
final class RestartCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OnePeriod target = new OnePeriod();
  @Mixin private Responsible responsible = new Responsible();

  RestartCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    var answer = new Answer(responsible.by(), responsible.reason(), null);
    Catalogue boards = session.boards();
    try (Running app = session.start(Launch.closing("restart"), boards)) {
      Period period = target.find(app, boards);
      return Refusals.of(
          () -> {
            app.get(Agenda.class).requireOver(period);
            return restart(app, period, answer);
          });
    }
  }

  private int restart(Running app, Period period, Answer answer) {
    app.get(Approvals.class).restart(period.id(), answer);
    Closed closed =
        app.get(Closings.class)
            .close(
                period.id(),
                new Cause("palmares restart", answer.by()),
                step -> session.terminal().note("  " + step));
    return switch (closed.outcome()) {
      case SETTLED, ALREADY_SETTLED -> {
        session.terminal().print("%s is settled".formatted(period.label()));
        yield 0;
      }
      case WAITS -> new HoldNotice(session.terminal(), app.get(Revisions.class)).print(closed);
      case FAILED ->
          throw Complaint.failed("%s failed again: %s".formatted(period.label(), closed.detail()));
      case BUSY, LOST ->
          throw Complaint.failed(
              "%s is held by another process that is closing it".formatted(period.label()));
    };
  }
}
