package palmares.cli;

import java.util.concurrent.Callable;
import palmares.api.ops.ForgettingResource;
import palmares.api.ops.ForgettingResource.ForgettingRequest;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Forgets a member. */
@Command(
    name = "forget",
    description = {
      "Forgets a member: deletes nickname, invite code and the mask of the external id, of which a"
          + " keyed hash stays. The member's id, lines, payments and balances stay.",
      "",
      "There is no way back: the external id cannot register again."
    },
    exitCodeList = {
      "0:forgotten, or with --dry-run: could be forgotten",
      "1:PostgreSQL or Redis does not answer: run it again to complete it",
      "2:bad usage, or no such member has registered: nothing was changed"
    },
    footer = {
      "  palmares forget member-7 --reason 'request 2026-118' --dry-run",
      "  palmares forget member-7 --reason 'request 2026-118'"
    })
final class ForgetCommand extends ApiCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  ForgetCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    var order = new ForgettingRequest(acting.reason(), member);
    return act(
        acting,
        ForgettingResource.class,
        (forgetting, call) -> forgetting.forgetMember(order, call));
  }
}
