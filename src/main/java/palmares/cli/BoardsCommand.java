package palmares.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import palmares.api.ops.CatalogueResource;
import palmares.api.ops.CatalogueResource.BoardFilesRequest;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.CommandSentences.UnknownSample;
import palmares.cli.terminal.UserError;
import palmares.period.exclusion.ExclusionSentences;
import palmares.period.exclusion.NamedLists.MissingList;
import palmares.platform.Refusal;
import palmares.platform.output.OutputFormat;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardDescription;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.boardfiles.BoardSchema;
import palmares.rules.boardfiles.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the boards as their files define them, checks files, and creates new ones. */
@Command(
    name = "boards",
    description = {
      "Shows each board: its rules, its bits, and its next five periods. A description needs no"
          + " database; the rows that --format asks for do.",
      "With --from-database, the next five periods follow from the periods in the database: after a"
          + " change of calendar or zone, the present period keeps its end, and the next one leads"
          + " to the new calendar."
    },
    synopsisSubcommandLabel = "[COMMAND]",
    exitCodeList = {
      "0:every board file is valid",
      "1:'boards check' found errors, or a list that a board refers to does not exist: all are"
          + " named",
      "2:bad usage, an unknown board, or errors in the files: all are named"
    },
    footer = {
      "  palmares boards new invites",
      "  palmares boards check jobs/invites.yml",
      "  palmares boards --jobs DIR",
      "  palmares boards invites --from-database"
    })
final class BoardsCommand extends ApiCommand implements Callable<Integer> {
  private static final String SCHEMA_FILE = "board.schema.json";
  private static final String SCHEMA_OF_SAMPLES = "$schema=../target/" + SCHEMA_FILE;

  private final Clock clock;

  @Parameters(index = "0", arity = "0..1", paramLabel = "BOARD", description = "Only this board.")
  private @Nullable String board;

  @Option(
      names = "--schema",
      description = "Prints the JSON Schema of board files instead, for editors.")
  private boolean schema;

  @Option(
      names = "--from-database",
      description = "Continues from the periods in the database. Changes nothing.")
  private boolean fromDatabase;

  @Mixin private Output output = new Output();

  BoardsCommand(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    if (fromDatabase && !schema) {
      output.check(session);
      try (Client client = session.connectWithFiles(output.type())) {
        return output.print(session, checked(client, session.boards(), board));
      }
    }
    if (!schema && (session.isRemote() || !output.isDefault())) {
      return print(
          output,
          CatalogueResource.class,
          catalogue -> board == null ? catalogue.boards() : catalogue.board(board));
    }
    session.print((schema ? BoardSchema.json() : descriptions()).stripTrailing());
    return 0;
  }

  @Command(
      name = "check",
      description = {
        "Validates board files and exits with 0, or with 1 if any has an error; changes nothing.",
        "Files are checked together, because boards of a family must fit together.",
        "Names the lists of excluded members that boards refer to; with --from-database, a list"
            + " that does not exist is an error, and periods are named that no file names: the"
            + " rest of one whose end was moved."
      })
  int check(
      @Parameters(
              arity = "0..*",
              paramLabel = "FILE",
              description = "Board files, or folders of them (default: the folder of the boards).")
          List<Path> named,
      @Option(
              names = "--from-database",
              description =
                  "Also checks that the lists which boards refer to exist, and names the periods"
                      + " that no file names.")
          boolean withLists) {
    try {
      Catalogue boards =
          named == null || named.isEmpty()
              ? BoardFiles.readFrom(session.jobs().orElse(null))
              : BoardFiles.readFiles(named);
      if (!isChecked(boards, withLists)) {
        return UserError.FAILED;
      }
      session.print(new CommandSentences.BoardsAreValid(boards.all().size()));
      return 0;
    } catch (BoardFilesException e) {
      throw UserError.failed(e.said(), e);
    }
  }

  /** Why closings of a board will stop, and the command that helps. */
  static void note(MissingList missing, Session session) {
    session.note(
        new CommandSentences.ListIsMissing(
            missing.board() + BoardFiles.EXTENSION,
            new ExclusionSentences.ListOfBoardMissing(missing.board(), missing.list())));
    session.note("  " + Commands.of(creating(missing.list())));
  }

  private static Next creating(String list) {
    return Next.of("create-list").with("list", list);
  }

  private static Listing checked(Client client, Catalogue boards, @Nullable String only) {
    var files = new LinkedHashMap<String, String>();
    boards.all().forEach(each -> files.put(each.id() + BoardFiles.EXTENSION, each.source().text()));
    return client.get(CatalogueResource.class).checkBoards(new BoardFilesRequest(files, only));
  }

  /** Whether the lists that boards refer to exist, as far as that is asked for. */
  private boolean isChecked(Catalogue boards, boolean inDatabase) {
    if (inDatabase) {
      try (Client client = session.connectWithFiles(OutputFormat.JSON.mediaType())) {
        return Output.noted(session, checked(client, boards, null).in(OutputFormat.JSON)) == 0;
      }
    }
    for (Board each : boards.all()) {
      for (String list : each.exclusionLists()) {
        session.note(
            new CommandSentences.ListMayBeMissing(
                each.id() + BoardFiles.EXTENSION, each.id().value(), list));
        session.note("  " + Commands.of(Next.of("boards check").with("fromDatabase", true)));
        session.note("  " + Commands.of(creating(list)));
      }
    }
    return true;
  }

  @Command(
      name = "new",
      description = {
        "Creates a board file from a sample, with the schema for editors next to it.",
        "Creates the folder if it is missing, and never replaces a board file. A sample of a family"
            + " brings the family's other tiers."
      })
  int create(
      @Parameters(
              paramLabel = "SAMPLE",
              description =
                  "The sample: invites, quiz, coins, time-trial, ...; a wrong one lists all.")
          String name,
      @Option(
              names = "--as",
              paramLabel = "BOARD",
              description = "The name of the board (default: that of the sample).")
          @Nullable String as) {
    Catalogue samples = BoardFiles.readSamples();
    Board sample = sample(samples, name);
    if (as == null) {
      List<Board> family =
          samples.all().stream()
              .filter(each -> each == sample || sameFamily(each, sample))
              .toList();
      write(family, sample.id());
    } else if (sample.tier() != null) {
      throw UserError.badUsage(new CommandSentences.SampleIsTier(name, "--as"));
    } else {
      write(List.of(sample), boardId(as));
    }
    return 0;
  }

  private static Board sample(Catalogue samples, String name) {
    return samples.all().stream()
        .filter(each -> each.id().value().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.badInput(
                    UnknownSample.of(
                        name, samples.all().stream().map(each -> each.id().value()).toList())));
  }

  private static boolean sameFamily(Board one, Board other) {
    return one.tier() != null
        && other.tier() != null
        && one.tier().family().equals(other.tier().family());
  }

  private static BoardId boardId(String name) {
    try {
      return new BoardId(name);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(new CommandSentences.Option("--as", Refusal.said(e)));
    }
  }

  /**
   * @param id the name of the only board; tiers of a family keep theirs
   */
  private void write(List<Board> samples, BoardId id) {
    Path folder = session.jobs().orElse(BoardFiles.DEFAULT_FOLDER);
    try {
      Files.createDirectories(folder);
      for (Board sample : samples) {
        BoardId own = samples.size() == 1 ? id : sample.id();
        requireNone(folder.resolve(own + BoardFiles.EXTENSION), samples.size() > 1);
      }
      for (Board sample : samples) {
        BoardId own = samples.size() == 1 ? id : sample.id();
        Path file = folder.resolve(own + BoardFiles.EXTENSION);
        String text = sample.source().text().replace(SCHEMA_OF_SAMPLES, "$schema=" + SCHEMA_FILE);
        Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
        session.print(new CommandSentences.Created(file.toString()));
      }
      Files.writeString(folder.resolve(SCHEMA_FILE), BoardSchema.json(), StandardCharsets.UTF_8);
    } catch (FileAlreadyExistsException e) {
      throw UserError.badInput(new CommandSentences.FolderIsFile(e.getFile(), "--jobs"));
    } catch (IOException e) {
      throw UserError.failed(new CommandSentences.Unwritable(folder.toString(), e.toString()), e);
    }
    session.note(new CommandSentences.EditFirst());
    session.note("  " + Commands.of(Next.of("boards check")));
    session.note("  " + Commands.of(Next.of("server")));
  }

  private static void requireNone(Path file, boolean isOfFamily) {
    if (Files.exists(file)) {
      throw UserError.badInput(
          new CommandSentences.Exists(file.toString(), isOfFamily ? "--jobs" : "--as"));
    }
  }

  private String descriptions() {
    Catalogue boards = session.boards();
    Instant now = clock.instant();
    Collection<Board> shown =
        board == null ? boards.all() : List.of(Arguments.inForce(boards, board));
    return shown.stream()
        .map(each -> BoardDescription.of(each, now, LocaleContextHolder.getLocale()))
        .collect(Collectors.joining("\n"));
  }
}
