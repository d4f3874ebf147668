package palmares.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.live.board.LiveMembers;
import palmares.operations.exclusions.ExclusionImport;
import palmares.operations.exclusions.ExclusionImport.Unknown;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Outdated;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.form.Suggestion;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Excludes a member, or lifts exclusions. */
@Command(
    name = "exclude",
    description = {
      "Excludes a member from boards, or lifts its exclusions.",
      "",
      "  hidden    not shown, not ranked, not paid",
      "  unranked  shown without a rank, not paid",
      "  no-prize  ranked; its prize goes to nobody or moves up, as the board says",
      "",
      "An exclusion holds for every period that it overlaps; of several the strongest counts. Live"
          + " boards follow at once. Settled periods change when they are amended."
    },
    customSynopsis = {
      "palmares exclude [OPTIONS] MEMBER --level LEVEL --reason TEXT",
      "   or: palmares exclude [OPTIONS] MEMBER --lift[=ID] --reason TEXT",
      "   or: palmares exclude [OPTIONS] --file FILE --reason TEXT"
    },
    exitCodeList = {
      "0:in force, or lifted",
      "1:in force or lifted, but live boards could not be updated yet",
      "2:bad usage, an unknown member or board, or nothing to change: nothing was changed"
    },
    footer = {
      "  palmares exclude mallory --level hidden --reason \"two accounts\"",
      "  palmares exclude staff-7 --level no-prize --board invites --from 2026-11-01"
          + " --reason staff",
      "  palmares exclude mallory --lift --reason \"it was her sister\""
    })
final class ExcludeCommand implements Callable<Integer> {
  private static final String ALL = "";

  private final Session session;

  @Parameters(index = "0", arity = "0..1", paramLabel = "MEMBER", description = "The member's id.")
  private @Nullable String member;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description =
          "CSV whose first line names the columns: member, level and reason, and if need be board,"
              + " from and until. All are excluded, or none.")
  private @Nullable Path file;

  @Option(names = "--level", paramLabel = "LEVEL", description = "hidden, unranked or no-prize.")
  private @Nullable String level;

  @Option(
      names = "--board",
      paramLabel = "BOARD",
      description = "Only on this board (default: all boards).")
  private @Nullable String board;

  @Option(
      names = "--from",
      paramLabel = "DATE",
      description =
          "From the beginning of that day in the board's zone, or in UTC for all boards; or a time"
              + " such as 2026-11-20T10:00:00Z (default: no bound).")
  private @Nullable String from;

  @Option(
      names = "--until",
      paramLabel = "DATE",
      description = "Until the beginning of that day, or that time (default: no bound).")
  private @Nullable String until;

  @Option(
      names = "--lift",
      arity = "0..1",
      fallbackValue = ALL,
      paramLabel = "ID",
      description =
          "Lifts the member's exclusions that are in force: all of them, those of --board, or the"
              + " one with this id ('palmares exclusions' lists them).")
  private @Nullable String lift;

  @Option(
      names = "--allow-unknown",
      description = "Also a member without any event, registration or board.")
  private boolean allowUnknown;

  @Mixin private Actor actor = new Actor();

  ExcludeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (file != null) {
      return excludeFile(file);
    }
    if (member == null || (lift == null) == (level == null)) {
      throw UserError.badUsage("exclude a MEMBER with --level, lift with --lift, or name a --file");
    }
    if (lift != null && (from != null || until != null || allowUnknown)) {
      throw UserError.badUsage("--lift takes no --from, --until and --allow-unknown");
    }
    MemberId id = Arguments.member(member);
    String reason = actor.reason();
    String by = actor.by();
    Catalogue boards = session.boards();
    ZoneId zone =
        boards.all().stream()
            .filter(known -> known.id().value().equals(board))
            .map(Board::zone)
            .findFirst()
            .orElse(ZoneOffset.UTC);
    Instant starts = TimeArgument.of("--from", from, zone);
    Instant ends = TimeArgument.of("--until", until, zone);
    ExclusionLevel excluded = level == null ? null : level(level);
    try (RunningApplication app = session.start("exclude", boards)) {
      BoardId only = board == null ? null : new Arguments(boards, app).board(board);
      Exclusions exclusions = app.get(Exclusions.class);
      List<Exclusion> changed;
      if (excluded == null) {
        changed = lift(exclusions, id, only, reason, by);
      } else {
        Terms terms = terms(id, excluded, only, starts, ends);
        requireKnown(app, id);
        changed = List.of(exclusions.exclude(terms, reason, by));
      }
      return report(app, id, changed, zone);
    }
  }

  private int excludeFile(Path csv) {
    if (member != null || level != null || lift != null || board != null) {
      throw UserError.badUsage("--file takes no MEMBER, --level, --lift and --board");
    }
    if (from != null || until != null) {
      throw UserError.badUsage("--file takes no --from and --until: the file has columns for them");
    }
    String by = actor.by();
    Unknown unknown = allowUnknown ? Unknown.ALLOWED : Unknown.REFUSED;
    try (RunningApplication app = session.start("exclude", session.boards())) {
      List<Exclusion> made =
          read(csv, reader -> app.get(ExclusionImport.class).exclude(reader, null, unknown, by));
      session.print("%,d exclusions are in force", made.size());
      return new ExclusionReport(session, app).afterMany(made);
    }
  }

  /**
   * Reads a file.
   *
   * @throws UserError if it cannot be read
   */
  static <T> T read(Path file, Function<Reader, T> reader) {
    try (Reader text = Files.newBufferedReader(file)) {
      return reader.apply(text);
    } catch (IOException e) {
      throw UserError.badInput("%s cannot be read: %s", file, e.getMessage());
    }
  }

  static ExclusionLevel level(String word) {
    var words = Arrays.stream(ExclusionLevel.values()).map(ExclusionLevel::word).toList();
    return ExclusionLevel.find(word)
        .orElseThrow(
            () ->
                UserError.badInput(
                    "there is no level '%s'%s; the levels are %s",
                    word, Suggestion.hint(word, words), String.join(", ", words)));
  }

  private static Terms terms(
      MemberId member,
      ExclusionLevel level,
      @Nullable BoardId board,
      @Nullable Instant starts,
      @Nullable Instant ends) {
    try {
      return new Terms(member, level, board, starts, ends);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }

  private void requireKnown(RunningApplication app, MemberId id) {
    try {
      if (allowUnknown
          || app.get(KnownMembers.class).knows(id)
          || app.get(LiveMembers.class).isOnLiveBoard(id)) {
        return;
      }
    } catch (RedisUnavailable e) {
      throw UserError.failed(
          "PostgreSQL knows no member '%s', and Redis does not answer (%s): retry, or exclude with"
              + " --allow-unknown",
          TerminalText.of(id.value()), e.getMessage());
    }
    throw UserError.badInput(
        "there is no member '%s': no event, registration or board has it; --allow-unknown excludes"
            + " it nevertheless",
        TerminalText.of(id.value()));
  }

  private List<Exclusion> lift(
      Exclusions exclusions, MemberId id, @Nullable BoardId only, String reason, String by) {
    if (lift == null || lift.equals(ALL)) {
      return exclusions.liftAll(id, only, reason, by);
    }
    long number = number(lift);
    Exclusion found =
        exclusions
            .find(number)
            .filter(exclusion -> exclusion.terms().member().equals(id))
            .orElseThrow(
                () ->
                    UserError.badInput(
                        "%1$s has no exclusion %2$d: 'palmares exclusions %1$s' lists them",
                        TerminalText.of(id.value()), number));
    return List.of(exclusions.lift(found.id(), reason, by));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw UserError.badInput("--lift takes the id of an exclusion, not '%s'", text);
    }
  }

  /** Prints what has changed, and the command that changes settled periods. */
  private int report(
      RunningApplication app, MemberId member, List<Exclusion> changed, ZoneId zone) {
    changed.forEach(exclusion -> session.print(describe(exclusion, zone)));
    var report = new ExclusionReport(session, app);
    int exitCode = report.updateLiveBoards(changed);
    ExclusionLists lists = app.get(ExclusionLists.class);
    changed.forEach(
        exclusion -> reportSettled(exclusion.id(), lists.settledAndOutdatedBy(exclusion)));
    reportUnsettled(
        lists.outdated(member).stream().filter(period -> !period.state().isSettled()).toList());
    return exitCode;
  }

  private static String describe(Exclusion exclusion, ZoneId zone) {
    boolean lifted = exclusion.lift() != null;
    Terms terms = exclusion.terms();
    return "exclusion %d%s: %s %s %s on %s%s%s"
        .formatted(
            exclusion.id(),
            lifted ? " lifted" : "",
            TerminalText.of(terms.member().value()),
            lifted ? "was" : "is",
            terms.level().word(),
            terms.scope() == null ? "all boards" : terms.scope(),
            bound(" from ", terms.startsAt(), zone),
            bound(" until ", terms.endsAt(), zone));
  }

  private static String bound(String word, @Nullable Instant time, ZoneId zone) {
    return time == null ? "" : word + DisplayFormat.time(time, zone);
  }

  private void reportSettled(long exclusion, List<Outdated> settled) {
    if (settled.isEmpty()) {
      return;
    }
    session.print(
        "%s with other exclusions: %s; amend %s:",
        settled.size() == 1
            ? "1 settled period was ranked"
            : DisplayFormat.number(settled.size()) + " settled periods were ranked",
        ExclusionReport.listed(
            settled.stream().map(period -> period.board() + " " + period.period()).toList()),
        settled.size() == 1 ? "it" : "them");
    session.print("  palmares amend --exclusion %d --reason TEXT", exclusion);
  }

  private void reportUnsettled(List<Outdated> unsettled) {
    if (unsettled.isEmpty()) {
      return;
    }
    session.print(
        "ranked with other exclusions, and not settled yet: "
            + ExclusionReport.listed(
                unsettled.stream()
                    .map(
                        period ->
                            "%s %s (%s)"
                                .formatted(period.board(), period.period(), period.state().word()))
                    .toList())
            + "; reject it while it is held, or amend it once it is settled");
  }
}
