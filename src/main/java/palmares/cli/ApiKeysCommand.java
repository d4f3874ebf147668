package palmares.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.api.identity.ApiKey;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.ops.Listing;
import palmares.api.security.Caller;
import palmares.api.security.Role;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.terminal.UserError;
import palmares.platform.output.OutputTable;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates, rotates, lists and revokes API keys. */
@Command(
    name = "api-keys",
    description = "Creates, rotates, lists and revokes the keys with which programs call the API.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeList = {"0:done", "2:bad usage, or an unknown board or key: nothing was changed"},
    footer = "  KEY=$(palmares api-keys create --name shop --board invites)")
final class ApiKeysCommand {
  private static final String PURPOSE = "api-keys";

  private static final OutputTable<ApiKey> COLUMNS =
      new OutputTable<ApiKey>()
          .wrapped("id", ApiKey::id)
          .wrapped("name", ApiKey::name)
          .wrapped("roles", key -> Role.words(key.roles()))
          .wrapped("boards", key -> scope(key.boards()))
          .wrapped("owner", ApiKey::owner)
          .time("created", ApiKey::createdAt)
          .time("expires", ApiKey::expiresAt)
          .text("revoked", ApiKey::revokedAt);

  private final Session session;

  ApiKeysCommand(Session session) {
    this.session = session;
  }

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
                  "writer, reader, viewer, operator, approver or admin; may be repeated (default:"
                      + " writer).")
          List<String> roles,
      @Option(
              names = "--board",
              paramLabel = "BOARD",
              description = "A board that it may use; may be repeated (default: all boards).")
          List<String> named,
      @Option(
              names = "--days",
              paramLabel = "N",
              description = "How long it is valid (default: until it is revoked).")
          @Nullable Integer days) {
    Catalogue boards = session.boards();
    List<String> words = named == null ? List.of() : named;
    Set<BoardId> scope =
        words.stream()
            .map(word -> Arguments.inForce(boards, word).id())
            .collect(Collectors.toUnmodifiableSet());
    NewKey key = key(name, PeopleCommand.roles(roles), scope, days(days));
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, boards)) {
      session.print(app.get(ApiKeys.class).create(key, Caller.get().name()));
      session.note(
          "'%s' is %s on %s; keep the key now, it cannot be shown again",
          name, Role.words(key.roles()), scope(scope));
    }
    return 0;
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
              names = "--days",
              paramLabel = "N",
              description = "How long the new secret is valid (default: until it is revoked).")
          @Nullable Integer days) {
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      session.print(
          app.get(ApiKeys.class)
              .rotate(name, Duration.ofHours(overlapHours), days(days), Caller.get().name()));
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
    return 0;
  }

  @Command(name = "list", description = "Lists all keys, revoked ones too, without their secrets.")
  int list(@Mixin Output output) throws IOException {
    output.check(session);
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      return output.print(session, Listing.of(COLUMNS, "no keys", app.get(ApiKeys.class).all()));
    }
  }

  @Command(name = "revoke", description = "Revokes a key, or one of its secrets, at once.")
  int revoke(
      @Parameters(
              paramLabel = "NAME|ID",
              description = "A key's name, or a secret's id, as 'palmares api-keys list' shows it.")
          String what) {
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      int revoked = app.get(ApiKeys.class).revoke(what, Caller.get().name());
      if (revoked == 0) {
        throw UserError.badInput(
            "there is no key '%s' in use: 'palmares api-keys list' shows them", what);
      }
      session.print(revoked == 1 ? "revoked %s" : "revoked %s: %d secrets", what, revoked);
    }
    return 0;
  }

  private static @Nullable Duration days(@Nullable Integer days) {
    return days == null ? null : Duration.ofDays(days);
  }

  private static NewKey key(
      String name, Set<Role> roles, Set<BoardId> boards, @Nullable Duration validFor) {
    try {
      return new NewKey(name, roles, boards, validFor);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }

  private static String scope(Set<BoardId> boards) {
    return boards.isEmpty()
        ? "all boards"
        : boards.stream().map(BoardId::value).sorted().collect(Collectors.joining(", "));
  }
}
