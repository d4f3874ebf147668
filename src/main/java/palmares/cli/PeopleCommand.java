package palmares.cli;

import java.io.IOException;
import java.util.List;
import palmares.api.ops.AccountResource;
import palmares.api.ops.AccountResource.PersonRequest;
import palmares.api.ops.AccountResource.RolesRequest;
import palmares.api.ops.Call;
import palmares.api.ops.ReasonRequest;
import palmares.api.ops.Task;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Manages the people who sign in with a password. */
@Command(
    name = "people",
    description = "Manages the people who sign in with a password.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeList = {
      "0:done",
      "2:bad usage, an unknown person, or one who has changed: nothing was changed"
    },
    footer = {
      "  palmares people add ann --role operator",
      "  palmares people roles ann operator,approver --reason 'on call from May'"
    })
final class PeopleCommand extends ApiCommand {
  private static final String NAME = "NAME";
  private static final String NO_REASON = "no reason given";

  PeopleCommand(Session session) {
    super(session);
  }

  @Command(
      name = "add",
      description = {
        "Adds a person and prints a password, and nothing else.",
        "It must be changed at the first use, and cannot be shown again."
      })
  int add(
      @Parameters(paramLabel = NAME, description = "What the person signs in as.") String name,
      @Option(
              names = "--role",
              required = true,
              split = ",",
              paramLabel = "ROLE",
              description = "viewer, operator, approver, admin, writer or reader; may be repeated.")
          List<String> roles,
      @Mixin ChangeOptions.MaybeReason acting) {
    var order = new PersonRequest(acting.reason(NO_REASON), name, roles);
    return act(acting, AccountResource.class, (accounts, call) -> accounts.addPerson(order, call));
  }

  @Command(name = "list", description = "Lists all people, those who are disabled too.")
  int list(@Mixin Output output) throws IOException {
    return print(output, AccountResource.class, accounts -> accounts.people());
  }

  @Command(name = "roles", description = "Replaces a person's roles, and ends the sessions.")
  int roles(
      @Parameters(paramLabel = NAME, description = "The person.") String name,
      @Parameters(
              paramLabel = "ROLE",
              arity = "1..*",
              split = ",",
              description = "viewer, operator, approver, admin, writer or reader.")
          List<String> roles,
      @Mixin ChangeOptions.MaybeReason acting) {
    var order = new RolesRequest(acting.reason(NO_REASON), roles);
    return act(
        acting, AccountResource.class, (accounts, call) -> accounts.setRoles(name, order, call));
  }

  @Command(
      name = "end-sessions",
      description = {
        "Ends a person's sessions, also those of people whom an OpenID Connect provider signs in.",
        "The person can sign in again."
      })
  int endSessions(
      @Parameters(paramLabel = NAME, description = "The person.") String name,
      @Mixin ChangeOptions.MaybeReason acting) {
    return change(name, acting, AccountResource::endSessions);
  }

  @Command(
      name = "disable",
      description = "Ends a person's sessions and keys; no others can begin.")
  int disable(
      @Parameters(paramLabel = NAME, description = "The person.") String name,
      @Mixin ChangeOptions.MaybeReason acting) {
    return change(name, acting, AccountResource::disablePerson);
  }

  @Command(name = "enable", description = "Lets a person who was disabled sign in again.")
  int enable(
      @Parameters(paramLabel = NAME, description = "The person.") String name,
      @Mixin ChangeOptions.MaybeReason acting) {
    return change(name, acting, AccountResource::enablePerson);
  }

  @Command(
      name = "reset-password",
      description = {
        "Prints a new password for a person, and nothing else, and ends a lockout.",
        "It must be changed at the first use."
      })
  int resetPassword(
      @Parameters(paramLabel = NAME, description = "The person.") String name,
      @Mixin ChangeOptions.MaybeReason acting) {
    return change(name, acting, AccountResource::resetPassword);
  }

  /** A verb on a person that takes nothing but a reason. */
  @FunctionalInterface
  private interface Change {
    Task call(AccountResource accounts, String name, ReasonRequest order, Call call);
  }

  private int change(String name, ChangeOptions.MaybeReason acting, Change change) {
    var order = new ReasonRequest(acting.reason(NO_REASON));
    return act(
        acting,
        AccountResource.class,
        (accounts, call) -> change.call(accounts, name, order, call));
  }
}
