package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.security.Caller;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.operations.forgetting.Forgetting;
import palmares.operations.forgetting.Forgetting.Forgotten;
import palmares.operations.forgetting.Forgetting.Plan;
import palmares.rules.board.MemberId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Forgets a person. */
@Command(
    name = "forget",
    description = {
      "Forgets a person: a pseudonym replaces the member's id everywhere, and the registration"
          + " loses its nickname, invite code and external id. Lines, payments and balances stay,"
          + " under the pseudonym, and everything still verifies.",
      "",
      "There is no way back. If the command is interrupted, run it again to complete it. Before"
          + " that, some periods have the id and others the pseudonym."
    },
    exitCodeList = {
      "0:forgotten, or with --dry-run: could be forgotten",
      "1:it was interrupted: run it again",
      "2:bad usage, an unknown member, or one that cannot be forgotten now: nothing was changed"
    },
    footer = {
      "  palmares forget member-7 --reason 'request 2026-118' --dry-run",
      "  palmares forget member-7 --reason 'request 2026-118'"
    })
final class ForgetCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Option(names = "--dry-run", description = "Shows what would be changed, and changes nothing.")
  private boolean dryRun;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "The reason, for the audit log; without the member's id.")
  private String reason = "";

  ForgetCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    MemberId id = id();
    String checked = Acting.checked(reason);
    try (RunningApplication app = session.start("forget")) {
      Forgetting forgetting = app.get(Forgetting.class);
      if (dryRun) {
        return show(forgetting.plan(id));
      }
      Forgotten forgotten = forgetting.forget(id, checked, Caller.get().name(), done -> {});
      session.print("forgotten; the pseudonym is %s", forgotten.pseudonym());
      session.print("%,d rows were renamed", forgotten.rows());
      forgotten.rebuilt().forEach(period -> session.print("rebuilt the live board of %s", period));
      forgotten.expired().forEach(period -> session.print("removed the live keys of %s", period));
      forgotten.remains().forEach(place -> session.print("the id remains in %s", place));
    }
    return 0;
  }

  private MemberId id() {
    try {
      return new MemberId(member);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }

  private int show(Plan plan) {
    plan.touched().forEach((what, number) -> session.print("%s: %,d", what, number));
    plan.remains().forEach(place -> session.print("the id would remain in %s", place));
    plan.obstacles().forEach(obstacle -> session.print("not possible now: %s", obstacle));
    return plan.obstacles().isEmpty() ? 0 : UserError.BAD_INPUT;
  }
}
