package palmares.cli;

import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.period.PeriodState;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Says why a closing waits for a person, and what the person can do. */
record HoldNotice(Terminal terminal, Revisions revisions) {

  /** The exit code. */
  int print(ClosingResult closed) {
    String label = closed.period().label();
    if (closed.period().state() == PeriodState.REJECTED) {
      terminal.print(
          "%s was rejected, and nothing is paid: 'palmares restart %s --reason TEXT' ranks it anew"
                  .formatted(label, label)
              + " as things are then");
      return CloseCommand.WAITS;
    }
    Revision waiting = revisions.find(closed.period().id(), Revision.FIRST).orElseThrow();
    boolean tied = waiting.heldFor().stream().anyMatch(reason -> reason.contains("to a person"));
    terminal.print(
        "%s waits for a person, and nothing is paid: %s"
            .formatted(label, TerminalText.of("" + closed.detail())));
    terminal.print(
        "look at it: 'palmares preview %s', 'palmares report %s --revision 1'; then"
            .formatted(label, label));
    terminal.print(
        "  palmares approve %s%s --expect %s --reason TEXT"
            .formatted(label, tied ? " --ties each|share|order" : "", waiting.digest()));
    terminal.print("  palmares reject %s --reason TEXT".formatted(label));
    return CloseCommand.WAITS;
  }
}
