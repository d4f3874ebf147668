package palmares.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.ExclusionResource;
import palmares.api.ops.ExclusionResource.EntryRequest;
import palmares.api.ops.ExclusionResource.RemovalRequest;
import palmares.api.ops.ForgettingResource;
import palmares.api.ops.ForgettingResource.ForgettingRequest;
import palmares.api.ops.Listing;
import palmares.api.ops.PeriodResource;
import palmares.api.ops.ReasonRequest;
import palmares.cli.launch.Client;
import palmares.cli.terminal.CommandSentences.BothOrNeither;
import palmares.cli.terminal.CommandSentences.NameOneOf;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that read exclusions, keep lists of members, and forget members. */
final class ExclusionCommands {
  private ExclusionCommands() {}

  /** Keeps the lists of excluded members that board files refer to. */
  @Command(
      name = "lists",
      description = {
        "Shows and changes the lists of excluded members that board files refer to, as in"
            + " 'exclusions: [staff, bots]'.",
        "",
        "An entry is an exclusion: it holds from when it is made on, on the boards that refer to"
            + " the list; live boards follow at once, and settled periods change when they are"
            + " amended."
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
  static final class ListsCommand extends ApiCommand implements Callable<Integer> {
    @Mixin private Output output = new Output();

    @Override
    public Integer call() throws IOException {
      return list(output);
    }

    @Command(name = "list", description = "Shows the lists.")
    int list(@Mixin Output as) throws IOException {
      return print(as, ExclusionResource.class, exclusions -> exclusions.lists());
    }

    @Command(name = "show", description = "Shows the members of a list.")
    int show(
        @Parameters(index = "0", paramLabel = "LIST") String list,
        @Mixin PageOptions pages,
        @Mixin Output as)
        throws IOException {
      pages.check();
      return print(
          as,
          ExclusionResource.class,
          exclusions -> pages.read(page -> exclusions.entries(list, page)));
    }

    @Command(name = "create", description = "Creates an empty list.")
    int create(
        @Parameters(index = "0", paramLabel = "LIST") String list,
        @Mixin ChangeOptions.WithReason acting) {
      var order = new ReasonRequest(acting.reason());
      return act(
          acting,
          ExclusionResource.class,
          (exclusions, call) -> exclusions.createList(list, order, call));
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

      @Option(
          names = "--level",
          paramLabel = "LEVEL",
          description = "hidden, unranked or no-prize.")
      private @Nullable String level;

      @Option(
          names = "--file",
          paramLabel = "FILE",
          description =
              "CSV whose first line names the columns: member, level and reason, and if need be"
                  + " from and until. All members are added, or none.")
      private @Nullable Path file;

      @Option(
          names = "--allow-unknown",
          description = "Also members without any event, registration or board.")
      private boolean allowUnknown;
    }

    @Command(name = "add", description = "Adds a member, or those in a file, to a list.")
    int add(@Mixin Added added, @Mixin ChangeOptions.WithReason acting) {
      if ((added.member == null) == (added.file == null)
          || (added.member == null) != (added.level == null)) {
        throw UserError.badUsage(NameOneOf.of("MEMBER --level LEVEL", "--file FILE"));
      }
      var order =
          new EntryRequest(
              acting.reason(),
              added.member,
              added.level,
              added.file == null ? null : Arguments.content(added.file),
              added.allowUnknown);
      return act(
          acting,
          ExclusionResource.class,
          (exclusions, call) -> exclusions.addToList(added.list, order, call));
    }

    @Command(name = "remove", description = "Removes a member from a list.")
    int remove(
        @Parameters(index = "0", paramLabel = "LIST") String list,
        @Parameters(index = "1", paramLabel = "MEMBER") String member,
        @Mixin ChangeOptions.WithReason acting) {
      var order = new RemovalRequest(acting.reason(), member);
      return act(
          acting,
          ExclusionResource.class,
          (exclusions, call) -> exclusions.removeFromList(list, order, call));
    }
  }

  /** Lists exclusions. */
  @Command(
      name = "exclusions",
      description = {
        "Lists exclusions: who, which level, where, when and why. Times are in UTC.",
        "",
        "With --board and --period, lists those that the outcome of the period was computed with,"
            + " and what has changed since; before its seal, those in force for it."
      },
      exitCodeList = {"0:the list is complete", "2:bad usage, or an unknown period or revision"},
      footer = {
        "  palmares exclusions",
        "  palmares exclusions mallory --all",
        "  palmares exclusions --board invites --period 2026-W47 --revision 2"
      })
  static final class ExclusionsCommand extends ReadCommand {

    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "MEMBER",
        description = "Only this member's.")
    private @Nullable String member;

    @Option(names = "--all", description = "Lifted exclusions, too.")
    private boolean all;

    @Option(names = "--board", paramLabel = "BOARD", description = "The board of --period.")
    private @Nullable String board;

    @Option(
        names = "--period",
        paramLabel = "PERIOD",
        description = "Those that this period of --board was computed with.")
    private @Nullable String period;

    @Option(
        names = "--revision",
        paramLabel = "N",
        description = "With --period: those of this revision (default: the one in force).")
    private @Nullable Integer revision;

    @Mixin private PageOptions pages = new PageOptions();

    @Override
    void check() {
      pages.check();
      if ((board == null) != (period == null)) {
        throw UserError.badUsage(new BothOrNeither("--board", "--period"));
      }
      if (period == null && revision != null) {
        throw UserError.badUsage(Needs.of("--revision", "--board", "--period"));
      }
      if (period != null && (member != null || all)) {
        throw UserError.badUsage(NameOneOf.of("MEMBER", "--all", "--board BOARD --period PERIOD"));
      }
    }

    @Override
    Listing read(Client client) {
      String of = board;
      String named = period;
      if (of != null && named != null) {
        PeriodResource periods = client.get(PeriodResource.class);
        return pages.read(page -> periods.exclusions(of, named, revision, page));
      }
      ExclusionResource exclusions = client.get(ExclusionResource.class);
      return pages.read(page -> exclusions.list(member, all, page));
    }
  }

  /** Forgets a member. */
  @Command(
      name = "forget",
      description = {
        "Forgets a member: deletes nickname, invite code and the mask of the external id, of which"
            + " a keyed hash stays. The member's id, lines, payments and balances stay.",
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
  static final class ForgetCommand extends ApiCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MEMBER", description = "The member's id.")
    private String member = "";

    @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

    @Override
    public Integer call() {
      var order = new ForgettingRequest(acting.reason(), member);
      return act(
          acting,
          ForgettingResource.class,
          (forgetting, call) -> forgetting.forgetMember(order, call));
    }
  }
}
