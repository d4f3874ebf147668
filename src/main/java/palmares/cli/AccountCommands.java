package palmares.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.AccountResource;
import palmares.api.ops.AccountResource.KeyRequest;
import palmares.api.ops.AccountResource.PersonRequest;
import palmares.api.ops.AccountResource.RolesRequest;
import palmares.api.ops.AccountResource.RotationRequest;
import palmares.api.ops.ReasonRequest;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that manage people and API keys. */
final class AccountCommands {
  private AccountCommands() {}

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
  static final class PeopleCommand extends ApiCommand {
    private static final String NAME = "NAME";
    private static final String NO_REASON = "no reason given";

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
                description =
                    "viewer, operator, approver, admin, writer, wallet or reader; may be repeated.")
            List<String> roles,
        @Mixin ChangeOptions.MaybeReason acting) {
      var order = new PersonRequest(acting.reason(NO_REASON), name, roles);
      return act(
          acting, AccountResource.class, (accounts, call) -> accounts.addPerson(order, call));
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
                description = "viewer, operator, approver, admin, writer, wallet or reader.")
            List<String> roles,
        @Mixin ChangeOptions.MaybeReason acting) {
      var order = new RolesRequest(acting.reason(NO_REASON), roles);
      return act(
          acting, AccountResource.class, (accounts, call) -> accounts.setRoles(name, order, call));
    }

    @Command(
        name = "end-sessions",
        description = {
          "Ends a person's sessions, also those of people whom an OpenID Connect provider signs"
              + " in.",
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

  /** Creates, rotates, lists and revokes API keys. */
  @Command(
      name = "api-keys",
      description =
          "Creates, rotates, lists and revokes the keys with which programs call the API.",
      synopsisSubcommandLabel = "COMMAND",
      exitCodeList = {
        "0:done",
        "2:bad usage, an unknown board or key, or a key that has changed: nothing was changed"
      },
      footer = {
        "  KEY=$(palmares api-keys create --name shop --board invites)",
        "  palmares api-keys create --name night --role operator --operation opsCloseDue",
        "  palmares api-keys create --name bob-cli --mine --role operator,approver --valid-for-days"
            + " 90"
      })
  static final class ApiKeysCommand extends ApiCommand {
    private static final String NO_REASON = "no reason given";

    @Command(
        name = "create",
        description = {
          "Creates a key and prints it, and nothing else, so that it can be piped.",
          "It cannot be shown again: only its hash is kept."
        })
    int create(
        @Option(
                names = "--name",
                required = true,
                paramLabel = "NAME",
                description = "A name for people: who uses the key, and for what.")
            String name,
        @Option(
                names = "--role",
                split = ",",
                defaultValue = "writer",
                paramLabel = "ROLE",
                description =
                    "writer, wallet, reader, viewer, operator, approver or admin; may be repeated"
                        + " (default: writer).")
            List<String> roles,
        @Option(
                names = "--board",
                paramLabel = "BOARD",
                description = "A board that it may use; may be repeated (default: all boards).")
            @Nullable List<String> boards,
        @Option(
                names = "--operation",
                split = ",",
                paramLabel = "OPERATION",
                description =
                    "An operation that it may call, such as opsClose: an operationId of the page"
                        + " /docs; may be repeated (default: all that its roles allow). It reads"
                        + " what its roles allow.")
            @Nullable List<String> operations,
        @Option(
                names = "--valid-for-days",
                paramLabel = "DAYS",
                description = "How many days it is valid (default: until it is revoked).")
            @Nullable Integer days,
        @Option(
                names = "--mine",
                description =
                    "Creates a key that acts as you, with roles that you have; it needs"
                        + " --valid-for-days. Only such a key can approve.")
            boolean mine,
        @Mixin ChangeOptions.MaybeReason acting) {
      var order = new KeyRequest(acting.reason(NO_REASON), name, roles, boards, operations, days);
      return act(
          acting,
          AccountResource.class,
          (accounts, call) ->
              mine ? accounts.createOwnKey(order, call) : accounts.createKey(order, call));
    }

    @Command(
        name = "rotate",
        description = {
          "Prints a new secret for a key, and nothing else. The former ones stay valid for a while."
        })
    int rotate(
        @Parameters(paramLabel = "NAME", description = "The key's name.") String name,
        @Option(
                names = "--overlap-hours",
                defaultValue = "24",
                paramLabel = "N",
                description = "How long the former secrets stay valid (default: 24; 0: revoked).")
            int overlapHours,
        @Option(
                names = "--valid-for-days",
                paramLabel = "DAYS",
                description =
                    "How many days the new secret is valid (default: until it is revoked).")
            @Nullable Integer days,
        @Mixin ChangeOptions.MaybeReason acting) {
      var order = new RotationRequest(acting.reason(NO_REASON), overlapHours, days);
      return act(
          acting, AccountResource.class, (accounts, call) -> accounts.rotateKey(name, order, call));
    }

    @Command(
        name = "list",
        description = "Lists all keys, revoked ones too, without their secrets.")
    int list(@Mixin Output output) throws IOException {
      return print(output, AccountResource.class, accounts -> accounts.keys());
    }

    @Command(name = "revoke", description = "Revokes a key, or one of its secrets, at once.")
    int revoke(
        @Parameters(
                paramLabel = "NAME|ID",
                description =
                    "A key's name, or a secret's id, as 'palmares api-keys list' shows it.")
            String what,
        @Option(
                names = "--mine",
                description =
                    "Revokes a key that you own; with --url, no program's. Other keys are for"
                        + " admins to revoke.")
            boolean mine,
        @Mixin ChangeOptions.MaybeReason acting) {
      var order = new ReasonRequest(acting.reason(NO_REASON));
      return act(
          acting,
          AccountResource.class,
          (accounts, call) ->
              mine
                  ? accounts.revokeOwnKey(what, order, call)
                  : accounts.revokeKey(what, order, call));
    }
  }
}
