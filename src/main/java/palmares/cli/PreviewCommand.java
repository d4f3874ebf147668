package palmares.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import palmares.amendment.Forecast;
import palmares.amendment.Preview;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.output.Spoken;
import palmares.cli.terminal.Terminal;
import palmares.journal.Journal;
import palmares.period.Definitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells what a period would pay. */
@Command(
    name = "preview",
    description = {
      "Tells what a period would pay if it were over now; one that waits for a person, what it is"
          + " to pay; a settled one, what it has paid. Pays nothing and keeps nothing.",
      "",
      "Of an open period it tells by its journal, which is brought up to date first."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:told",
      "2:bad usage, or a period that cannot be told",
      "3:told, and a person must look at it before it is paid"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares preview invites 2026-W47")
final class PreviewCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OnePeriod target = new OnePeriod();

  PreviewCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    Catalogue boards = session.boards();
    try (Running app = session.start(Launch.of("preview"), boards)) {
      Period period = target.find(app, boards);
      if (period.state() == PeriodState.OPEN
          && app.get(Definitions.class).of(period).adoption() == null) {
        app.get(Journal.class).drain(period);
      }
      return Refusals.of(() -> print(app.get(Preview.class).ask(period)));
    }
  }

  private int print(Forecast forecast) {
    Terminal terminal = session.terminal();
    terminal.print(
        "%s, %s members: %s"
            .formatted(
                forecast.period().label(), Spoken.number(forecast.members()), tense(forecast)));
    if (forecast.rules().isEmpty()) {
      terminal.print("  nothing");
    }
    for (Forecast.ByRule rule : forecast.rules()) {
      terminal.print(
          String.format(
              Locale.ROOT,
              "  %s: %,.0f %s to %,d members",
              rule.rule(),
              rule.amount(),
              rule.currency(),
              rule.members()));
    }
    forecast.ties().forEach(tie -> terminal.print("tied: " + AmendmentSheet.tie(tie)));
    forecast.reasons().forEach(reason -> terminal.print("a person must look: " + reason));
    return forecast.reasons().isEmpty() ? 0 : CloseCommand.WAITS;
  }

  private static String tense(Forecast forecast) {
    if (forecast.estimate()) {
      return "if it were over now, it would pay";
    }
    return PeriodState.PAID.isReachedBy(forecast.period().state()) ? "it has paid" : "it is to pay";
  }
}
