package palmares.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.exclusions.ExclusionImport;
import palmares.operations.exclusions.ExclusionImport.Unknown;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.period.exclusion.NamedLists.NamedList;
import palmares.rules.board.MemberId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps the lists of excluded members that board files refer to. */
@Command(
    name = "lists",
    description = {
      "Shows and changes the lists of excluded members that board files refer to, as in"
          + " 'exclusions: [staff, bots]'.",
      "",
      "An entry is an exclusion: it holds from when it is made on, on the boards that refer to the"
          + " list; live boards follow at once, and settled periods change when they are amended."
    },
    customSynopsis = {
      "palmares lists [OPTIONS]",
      "   or: palmares lists create [OPTIONS] LIST",
      "   or: palmares lists show [OPTIONS] LIST",
      "   or: palmares lists add [OPTIONS] LIST MEMBER --level LEVEL",
      "   or: palmares lists add [OPTIONS] LIST --file FILE",
      "   or: palmares lists remove [OPTIONS] LIST MEMBER"
    },
    exitCodeList = {
      "0:done, or the list is complete",
      "1:done, but live boards could not be updated yet",
      "2:bad usage, an unknown list or member, or nothing to change: nothing was changed"
    },
    footer = {
      "  palmares lists create staff --reason 'they test the boards'",
      "  palmares lists add staff ann --level no-prize --reason 'joined in May'",
      "  palmares lists add bots --file bots.csv --reason 'found by the report of 2026-11-20'",
      "  palmares lists remove staff ann --reason 'left in June'"
    })
final class ListsCommand implements Callable<Integer> {
  private static final OutputTable<NamedList> COLUMNS =
      new OutputTable<NamedList>()
          .text("list", NamedList::name)
          .number("members", NamedList::members)
          .text("created", NamedList::at)
          .wrapped("by", NamedList::by)
          .wrapped("reason", NamedList::reason);

  private final Session session;

  ListsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return list();
  }

  @Command(name = "list", description = "Shows the lists.")
  int list() {
    try (RunningApplication app = session.startWithoutRedis("lists", session.boards())) {
      List<NamedList> lists = app.get(NamedLists.class).all();
      session.print(lists.isEmpty() ? "no lists" : COLUMNS.table(lists));
      return 0;
    }
  }

  @Command(name = "show", description = "Shows the members of a list.")
  int show(@Parameters(index = "0", paramLabel = "LIST") String list) {
    try (RunningApplication app = session.startWithoutRedis("lists", session.boards())) {
      app.get(NamedLists.class).require(list);
      List<Exclusion> entries = app.get(Exclusions.class).entries(list, null);
      session.print(
          entries.isEmpty() ? "the list is empty" : ExclusionsCommand.COLUMNS.table(entries));
      return 0;
    }
  }

  @Command(name = "create", description = "Creates an empty list.")
  int create(@Parameters(index = "0", paramLabel = "LIST") String list, @Mixin Actor actor) {
    try (RunningApplication app = session.startWithoutRedis("lists", session.boards())) {
      app.get(NamedLists.class).create(list, actor.by(), actor.reason());
      session.print(
          "the list %s is created; board files refer to it by 'exclusions: [%1$s]'", list);
      return 0;
    }
  }

  /** A member, or a file of members, to add. */
  static final class Added {
    @Parameters(index = "0", paramLabel = "LIST", description = "The list's name.")
    private String list = "";

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "MEMBER",
        description = "The member's id.")
    private @Nullable String member;

    @Option(names = "--level", paramLabel = "LEVEL", description = "hidden, unranked or no-prize.")
    private @Nullable String level;

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description =
            "CSV whose first line names the columns: member, level and reason, and if need be from"
                + " and until. All members are added, or none.")
    private @Nullable Path file;

    @Option(
        names = "--allow-unknown",
        description = "Also members without any event, registration or board.")
    private boolean allowUnknown;
  }

  @Command(name = "add", description = "Adds a member, or those in a file, to a list.")
  int add(@Mixin Added added, @Mixin Actor actor) {
    String list = added.list;
    if ((added.member == null) == (added.file == null)
        || (added.member == null) != (added.level == null)) {
      throw UserError.badUsage("name a MEMBER and its --level, or a --file");
    }
    String by = actor.by();
    String reason = actor.reason();
    Unknown unknown = added.allowUnknown ? Unknown.ALLOWED : Unknown.REFUSED;
    try (RunningApplication app = session.start("lists", session.boards())) {
      app.get(NamedLists.class).require(list);
      ExclusionImport exclusions = app.get(ExclusionImport.class);
      Path file = added.file;
      List<Exclusion> made;
      if (file != null) {
        made = ExcludeCommand.read(file, csv -> exclusions.exclude(csv, list, unknown, by));
      } else {
        MemberId member = Arguments.member(String.valueOf(added.member));
        Terms terms = Terms.listed(list, member, ExcludeCommand.level(String.valueOf(added.level)));
        made = exclusions.exclude(List.of(new Exclusions.Request(terms, reason, "")), unknown, by);
      }
      session.print("%,d members are added to %s", made.size(), list);
      return new ExclusionReport(session, app).afterMany(made);
    }
  }

  @Command(name = "remove", description = "Removes a member from a list.")
  int remove(
      @Parameters(index = "0", paramLabel = "LIST") String list,
      @Parameters(index = "1", paramLabel = "MEMBER") String member,
      @Mixin Actor actor) {
    MemberId id = Arguments.member(member);
    String by = actor.by();
    String reason = actor.reason();
    try (RunningApplication app = session.start("lists", session.boards())) {
      app.get(NamedLists.class).require(list);
      List<Exclusion> lifted = app.get(Exclusions.class).removeFrom(list, id, reason, by);
      session.print("%s is removed from %s", TerminalText.of(member), list);
      return new ExclusionReport(session, app).afterMany(lifted);
    }
  }
}
