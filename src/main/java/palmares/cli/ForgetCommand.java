package palmares.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.ForgettingResource;
import palmares.api.ops.ForgettingResource.ForgettingRequest;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Forgets a person. */
@Command(
    name = "forget",
    description = {
      "Forgets a person: a pseudonym replaces the member's id everywhere, and the registration"
          + " loses its nickname, invite code and external id. Lines, payments and balances stay,"
          + " under the pseudonym, and everything still verifies. The reason stays, too, and must"
          + " not contain the id. Archives in palmares.archive.folder are written again.",
      "",
      "There is no way back. If the command is interrupted, run it again to complete it. Before"
          + " that, some periods have the id and others the pseudonym."
    },
    exitCodeList = {
      "0:forgotten, or with --dry-run: could be forgotten",
      "1:it was interrupted, or something came in the way, such as a closing: run it again to"
          + " complete it; or archives that are elsewhere may have the id; or with --dry-run:"
          + " cannot be forgotten now",
      "2:bad usage, an unknown member, or one that cannot be forgotten now: nothing was changed"
    },
    footer = {
      "  palmares forget member-7 --reason 'request 2026-118' --dry-run",
      "  palmares forget member-7 --reason 'request 2026-118'"
    })
final class ForgetCommand extends ApiCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Option(
      names = "--pseudonym",
      paramLabel = "PSEUDONYM",
      description =
          "Of a person who is forgotten already: only replaces the id in the archives of"
              + " palmares.archive.folder, which were elsewhere then.")
  private @Nullable String pseudonym;

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  ForgetCommand(Session session) {
    super(session, LaunchOptions.of("forget"));
  }

  @Override
  public Integer call() {
    var order = new ForgettingRequest(acting.reason(), member, pseudonym);
    return act(
        acting,
        ForgettingResource.class,
        (forgetting, call) -> forgetting.forgetMember(order, call));
  }
}
