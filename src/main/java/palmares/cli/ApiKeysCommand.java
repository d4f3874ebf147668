package palmares.cli;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import palmares.api.keys.ApiKey;
import palmares.api.keys.ApiKeys;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.output.OutputTable;
import palmares.rules.board.BoardId;
import palmares.rules.board.ExternalText;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates, lists and revokes API keys. */
@Command(
    name = "api-keys",
    description = "Creates, lists and revokes the keys with which callers of the HTTP API write.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeList = {"0:done", "2:bad usage, or an unknown board or key: nothing was changed"},
    footer = "  KEY=$(palmares api-keys create --name shop --board invites)")
final class ApiKeysCommand {
  private static final String PURPOSE = "api-keys";

  private static final OutputTable<ApiKey> COLUMNS =
      new OutputTable<ApiKey>()
          .wrapped("id", ApiKey::id)
          .wrapped("name", ApiKey::name)
          .wrapped("writes", key -> scope(key.boards()))
          .text("created", ApiKey::createdAt)
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
              names = "--board",
              paramLabel = "BOARD",
              description = "A board that it may write; may be repeated (default: all boards).")
          List<String> named) {
    Catalogue boards = session.boards();
    List<String> words = named == null ? List.of() : named;
    Set<BoardId> scope =
        words.stream()
            .map(word -> Arguments.inForce(boards, word).id())
            .collect(Collectors.toUnmodifiableSet());
    requireName(name);
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, boards)) {
      session.print(app.get(ApiKeys.class).create(name, scope));
      session.note(
          "'%s' may write %s; keep the key now, it cannot be shown again", name, scope(scope));
    }
    return 0;
  }

  @Command(name = "list", description = "Lists all keys, revoked ones too, without their secrets.")
  int list() {
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      List<ApiKey> keys = app.get(ApiKeys.class).all();
      session.print(keys.isEmpty() ? "no keys" : COLUMNS.table(keys));
    }
    return 0;
  }

  @Command(name = "revoke", description = "Revokes a key.")
  int revoke(
      @Parameters(paramLabel = "ID", description = "As 'palmares api-keys list' shows it.")
          String id) {
    try (RunningApplication app = session.startWithoutRedis(PURPOSE, session.boards())) {
      if (!app.get(ApiKeys.class).revoke(id)) {
        throw UserError.badInput(
            "there is no key '%s' in use: 'palmares api-keys list' shows them", id);
      }
      session.print("revoked " + id);
    }
    return 0;
  }

  private static void requireName(String name) {
    try {
      ExternalText.require("a key's name", name, ApiKeys.MAX_NAME_BYTES);
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
