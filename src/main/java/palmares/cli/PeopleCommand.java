package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import palmares.api.identity.People;
import palmares.api.identity.Person;
import palmares.api.ops.Listing;
import palmares.api.security.Caller;
import palmares.api.security.Role;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.terminal.UserError;
import palmares.platform.output.OutputTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Manages the people who sign in with a password. */
@Command(
    name = "people",
    description = "Manages the people who sign in with a password.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeList = {"0:done", "2:bad usage, or an unknown person: nothing was changed"},
    footer = "  palmares people add ann --role operator")
final class PeopleCommand {
  private static final String PURPOSE = "people";
  private static final String NAME = "NAME";
  private static final OutputTable<Person> COLUMNS =
      new OutputTable<Person>()
          .wrapped("name", Person::name)
          .wrapped("roles", person -> Role.words(person.roles()))
          .time("created", Person::createdAt)
          .wrapped("by", Person::createdBy)
          .time("locked_until", Person::lockedUntil)
          .time("disabled", Person::disabledAt);

  private final Session session;

  PeopleCommand(Session session) {
    this.session = session;
  }

  /**
   * Reads the roles of an option.
   *
   * @throws UserError if one does not exist
   */
  static Set<Role> roles(List<String> words) {
    try {
      return Role.of(words);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
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
          List<String> roles) {
    Set<Role> given = roles(roles);
    act(people -> session.print(people.add(name, given, Caller.get().name())));
    session.note("%s has the roles %s", name, Role.words(given));
    return 0;
  }

  @Command(name = "list", description = "Lists all people, those who are disabled too.")
  int list(@Mixin Output output) throws IOException {
    output.check(session);
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      return output.print(session, Listing.of(COLUMNS, "no people", app.get(People.class).all()));
    }
  }

  @Command(name = "roles", description = "Replaces a person's roles, and ends the sessions.")
  int roles(
      @Parameters(paramLabel = NAME, description = "The person.") String name,
      @Parameters(
              paramLabel = "ROLE",
              arity = "1..*",
              description = "viewer, operator, approver, admin, writer or reader.")
          List<String> roles) {
    Set<Role> given = roles(roles);
    act(people -> people.setRoles(name, given, Caller.get().name()));
    session.print("%s has the roles %s", name, Role.words(given));
    return 0;
  }

  @Command(name = "disable", description = "Ends a person's sessions; no others can begin.")
  int disable(@Parameters(paramLabel = NAME, description = "The person.") String name) {
    act(people -> people.setEnabled(name, false, Caller.get().name()));
    session.print("disabled " + name);
    return 0;
  }

  @Command(name = "enable", description = "Lets a person who was disabled sign in again.")
  int enable(@Parameters(paramLabel = NAME, description = "The person.") String name) {
    act(people -> people.setEnabled(name, true, Caller.get().name()));
    session.print("enabled " + name);
    return 0;
  }

  @Command(
      name = "reset-password",
      description = {
        "Prints a new password for a person, and nothing else, and ends a lockout.",
        "It must be changed at the first use."
      })
  int resetPassword(@Parameters(paramLabel = NAME, description = "The person.") String name) {
    act(people -> session.print(people.resetPassword(name, Caller.get().name())));
    return 0;
  }

  private void act(Consumer<People> work) {
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      work.accept(app.get(People.class));
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }
}
