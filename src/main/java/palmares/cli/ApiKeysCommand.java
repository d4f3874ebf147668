package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import palmares.api.keys.ApiKey;
import palmares.api.keys.ApiKeys;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.rules.board.BoardId;
import palmares.rules.board.ExternalText;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes, lists and ends the keys that writes need. */
@Command(
    name = "api-keys",
    description = "Makes, lists and revokes the keys that callers of the HTTP API write with.",
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:bad usage, or an unknown board or key: nothing was changed"},
    footerHeading = "%nExample:%n",
    footer = "  KEY=$(palmares api-keys create --name shop --board invites)")
final class ApiKeysCommand {
  private static final LaunchOptions LAUNCH = LaunchOptions.of("api-keys");

  private final Session session;

  ApiKeysCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "create",
      description = {
        "Makes a key and prints it, alone, so that it can be piped.",
        "It is shown this once: only its hash is kept."
      })
  int create(
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "What people call it: who uses it, and for what.")
          String name,
      @Option(
              names = "--board",
              paramLabel = "BOARD",
              description = "A board that it may write; may be repeated (default: all of them).")
          List<String> named) {
    Catalogue boards = session.boards();
    List<String> words = named == null ? List.of() : named;
    Set<BoardId> scope =
        words.stream()
            .map(word -> ArgumentLookup.inForce(boards, word).id())
            .collect(Collectors.toUnmodifiableSet());
    requireName(name);
    try (RunningApplication app = session.start(LAUNCH, boards)) {
      session.terminal().print(app.get(ApiKeys.class).create(name, scope));
      session
          .terminal()
          .note(
              "'%s' may write %s; keep the key now, it cannot be shown again"
                  .formatted(name, scope(scope)));
    }
    return 0;
  }

  @Command(name = "list", description = "Lists every key, revoked ones too; never the keys alone.")
  int list() {
    try (RunningApplication app = session.start(LAUNCH, session.boards())) {
      List<ApiKey> keys = app.get(ApiKeys.class).all();
      session.terminal().print(keys.isEmpty() ? "no keys" : table(keys));
    }
    return 0;
  }

  @Command(name = "revoke", description = "Ends a key's use.")
  int revoke(
      @Parameters(paramLabel = "ID", description = "As 'palmares api-keys list' shows it.")
          String id) {
    try (RunningApplication app = session.start(LAUNCH, session.boards())) {
      if (!app.get(ApiKeys.class).revoke(id)) {
        throw UserError.badInput(
            "there is no key '%s' in use: 'palmares api-keys list' shows them".formatted(id));
      }
      session.terminal().print("revoked " + id);
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

  private static String table(List<ApiKey> keys) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            keys,
            List.of(
                Columns.text("id").with(ApiKey::id),
                Columns.text("name").with(key -> TerminalText.of(key.name())),
                Columns.text("writes").with(key -> scope(key.boards())),
                Columns.text("made")
                    .with(key -> key.createdAt().truncatedTo(ChronoUnit.SECONDS) + ""),
                Columns.text("revoked")
                    .with(
                        key ->
                            key.revokedAt() == null
                                ? ""
                                : key.revokedAt().truncatedTo(ChronoUnit.SECONDS) + "")))
        .asString();
  }
}
