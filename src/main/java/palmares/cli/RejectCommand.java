package palmares.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.closing.ApprovalDecision;
import palmares.settlement.closing.Approvals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Refuses what waits for a person. */
@Command(
    name = "reject",
    description = {
      "Refuses a closing or an amendment that waits for a person: nothing of it is paid.",
      "",
      "A rejected closing stays unpaid until 'palmares restart' ranks and awards it anew, with the"
          + " exclusions that are in force then. A rejected amendment stays readable."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:rejected",
      "1:another process holds the period",
      "2:bad usage, or nothing that waits: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = "  palmares reject invites 2026-W47 --reason 'the first three are one person'")
final class RejectCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private PeriodArgument target = new PeriodArgument();

  @Option(
      names = "--revision",
      paramLabel = "N",
      description = "The revision that you looked at: refused if another one waits.")
  private @Nullable Integer revision;

  @Mixin private Actor actor = new Actor();

  RejectCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Exception {
    String by = actor.by();
    String reason = actor.reason();
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("reject"), boards)) {
      Period period = target.find(app, boards);
      return RefusalMessages.of(
          () -> {
            if (period.state().isSettled()) {
              app.get(Amendments.class).reject(period.id(), revision, by, reason);
              session.terminal().print("the amendment of %s is rejected".formatted(period.label()));
            } else {
              if (revision != null && revision != 1) {
                throw UserError.badInput(
                    "of %s revision 1 waits, not %d".formatted(period.label(), revision));
              }
              app.get(Approvals.class).reject(period.id(), new ApprovalDecision(by, reason, null));
              session
                  .terminal()
                  .print(
                      "%s is rejected, and not paid; 'palmares restart %s --reason TEXT' ranks it"
                              .formatted(period.label(), period.label())
                          + " anew");
            }
            return 0;
          });
    }
  }
}
