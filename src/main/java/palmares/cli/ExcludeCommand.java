package palmares.cli;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.live.board.LiveMembers;
import palmares.operations.report.PeriodHistory;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.ExclusionRefused;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Excludes a member, or lifts that. */
@Command(
    name = "exclude",
    description = {
      "Excludes a member from boards, or takes that back.",
      "",
      "  hidden    not shown, not ranked, not paid",
      "  unranked  shown without a rank, not paid",
      "  no-prize  ranked; its prize goes to nobody or moves up, as the board says",
      "",
      "It holds for every period that it overlaps, and of several the strongest counts. Live"
          + " boards follow at once. What was ranked before stands until it is amended."
    },
    customSynopsis = {
      "palmares exclude [OPTIONS] MEMBER --level LEVEL --reason TEXT",
      "   or: palmares exclude [OPTIONS] MEMBER --lift[=ID] --reason TEXT"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it is in force, or lifted",
      "1:so it is, but live boards could not be told yet",
      "2:bad usage, an unknown member or board, or it was so already: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares exclude mallory --level hidden --reason \"two accounts\"",
      "  palmares exclude staff-7 --level no-prize --board invites --from 2026-11-01"
          + " --reason staff",
      "  palmares exclude mallory --lift --reason \"it was her sister\""
    })
final class ExcludeCommand implements Callable<Integer> {
  private static final String ALL = "";

  private final Session session;

  @Parameters(index = "0", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Option(names = "--level", paramLabel = "LEVEL", description = "hidden, unranked or no-prize.")
  private @Nullable String level;

  @Option(
      names = "--board",
      paramLabel = "BOARD",
      description = "Only on this board (default: on all of them).")
  private @Nullable String board;

  @Option(
      names = "--from",
      paramLabel = "DATE",
      description =
          "From the beginning of that day in the board's zone, or in UTC for all boards; or a time"
              + " as 2026-11-20T10:00:00Z (default: ever).")
  private @Nullable String from;

  @Option(
      names = "--until",
      paramLabel = "DATE",
      description = "Until the beginning of that day, or that time (default: for ever).")
  private @Nullable String until;

  @Option(
      names = "--lift",
      arity = "0..1",
      fallbackValue = ALL,
      paramLabel = "ID",
      description =
          "Takes back what is in force of the member: all of it, that of --board, or the one that"
              + " 'palmares exclusions' shows under that id.")
  private @Nullable String lift;

  @Option(
      names = "--unknown",
      description = "Also a member of whom nothing was ever heard, who may come later.")
  private boolean unknown;

  @Mixin private Actor actor = new Actor();

  @Spec private CommandSpec spec = CommandSpec.create();

  ExcludeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if ((lift == null) == (level == null)) {
      throw usage("say how far with --level, or take it back with --lift");
    }
    if (lift != null && (from != null || until != null || unknown)) {
      throw usage("--lift takes no --from, --until and --unknown");
    }
    MemberId id = memberId();
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
    ExclusionLevel how = level == null ? null : level(level);
    try (RunningApplication app = session.start(LaunchOptions.of("exclude"), boards)) {
      BoardId only =
          board == null
              ? null
              : new ArgumentLookup(boards, app.get(PeriodHistory.class)).board(board);
      List<Exclusion> changed;
      if (how == null) {
        changed = lift(app.get(Exclusions.class), id, only, reason, by);
      } else {
        Terms terms = terms(id, how, only, starts, ends);
        requireKnown(app, id);
        changed = List.of(app.get(Exclusions.class).exclude(terms, reason, by));
      }
      return new ExclusionEffect(session.terminal(), app).tell(id, changed, zone);
    } catch (ExclusionRefused e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException usage(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private MemberId memberId() {
    try {
      return new MemberId(member);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }

  private static ExclusionLevel level(String word) {
    var words = Arrays.stream(ExclusionLevel.values()).map(ExclusionLevel::word).toList();
    return ExclusionLevel.find(word)
        .orElseThrow(
            () ->
                UserError.badInput(
                    "there is no level '%s'%s; the levels are %s"
                        .formatted(
                            word,
                            Suggestion.hint(word, words),
                            words.stream().collect(Collectors.joining(", ")))));
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
      if (unknown
          || app.get(KnownMembers.class).knows(id)
          || app.get(LiveMembers.class).isOnLiveBoard(id)) {
        return;
      }
    } catch (RedisUnavailable e) {
      throw UserError.failed(
          "PostgreSQL knows no member '%s', and Redis cannot be asked (%s): --unknown insists"
              .formatted(TerminalText.of(id.value()), e.getMessage()));
    }
    throw UserError.badInput(
        "nobody has ever heard of a member '%s': no event, registration or board has it;"
                .formatted(TerminalText.of(id.value()))
            + " --unknown excludes it all the same");
  }

  private List<Exclusion> lift(
      Exclusions exclusions, MemberId id, @Nullable BoardId only, String reason, String by) {
    if (lift == null || lift.equals(ALL)) {
      return exclusions.liftAll(id, only, reason, by);
    }
    long number = number(lift);
    Exclusion there =
        exclusions
            .find(number)
            .filter(found -> found.terms().member().equals(id))
            .orElseThrow(
                () ->
                    UserError.badInput(
                        "%s has no exclusion %d: 'palmares exclusions %s' shows which it has"
                            .formatted(
                                TerminalText.of(id.value()), number, TerminalText.of(id.value()))));
    return List.of(exclusions.lift(there.id(), reason, by));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw UserError.badInput(
          "--lift takes the id of an exclusion, which is a number, not '%s'".formatted(text));
    }
  }
}
