package palmares.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.http.InputSentences;
import palmares.api.ops.ExclusionResource;
import palmares.api.ops.ExclusionResource.ExclusionRequest;
import palmares.api.ops.ExclusionResource.FileRequest;
import palmares.api.ops.ExclusionResource.LiftRequest;
import palmares.cli.terminal.CommandSentences.NameOneOf;
import palmares.cli.terminal.CommandSentences.OnlyWith;
import palmares.cli.terminal.CommandSentences.TakesNo;
import palmares.cli.terminal.UserError;
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
      "   or: palmares exclude [OPTIONS] MEMBER --lift=ID|--lift --all --reason TEXT",
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
      "  palmares exclude mallory --lift --all --reason \"it was her sister\""
    })
final class ExcludeCommand extends ApiCommand implements Callable<Integer> {
  /** What {@code --lift} has without an id. */
  private static final String NO_ID = "";

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
      fallbackValue = NO_ID,
      paramLabel = "ID",
      description =
          "Lifts the member's exclusions that are in force: with --all, those of --board, or the"
              + " one with this id ('palmares exclusions' lists them).")
  private @Nullable String lift;

  @Option(names = "--all", description = "With --lift: all exclusions of the member.")
  private boolean all;

  @Option(
      names = "--allow-unknown",
      description = "Also a member without any event, registration or board.")
  private boolean allowUnknown;

  @Mixin private ChangeOptions.WithReason acting = new ChangeOptions.WithReason();

  @Override
  public Integer call() {
    if (file != null) {
      return excludeFile(file);
    }
    if (member == null || (lift == null) == (level == null)) {
      throw UserError.badUsage(
          NameOneOf.of("MEMBER --level LEVEL", "MEMBER --lift ID", "--file FILE"));
    }
    if (lift != null && (from != null || until != null || allowUnknown)) {
      throw UserError.badUsage(TakesNo.of("--lift", "--from", "--until", "--allow-unknown"));
    }
    if (lift == null && all) {
      throw UserError.badUsage(new OnlyWith(List.of("--all"), "--lift"));
    }
    Arguments.time("--from", from);
    Arguments.time("--until", until);
    Long id = lift == null || lift.equals(NO_ID) ? null : number(lift);
    String reason = acting.reason();
    String named = member;
    String chosen = level;
    return act(
        acting,
        ExclusionResource.class,
        (exclusions, call) ->
            chosen == null
                ? exclusions.lift(new LiftRequest(reason, named, board, id, all), call)
                : exclusions.exclude(
                    new ExclusionRequest(reason, named, chosen, board, from, until, allowUnknown),
                    call));
  }

  private int excludeFile(Path csv) {
    if (member != null || level != null || lift != null || board != null) {
      throw UserError.badUsage(TakesNo.of("--file", "MEMBER", "--level", "--lift", "--board"));
    }
    if (from != null || until != null) {
      throw UserError.badUsage(TakesNo.of("--file", "--from", "--until"));
    }
    var order = new FileRequest(acting.reason(), Arguments.content(csv), allowUnknown);
    return act(
        acting, ExclusionResource.class, (exclusions, call) -> exclusions.excludeFile(order, call));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw UserError.badInput(new InputSentences.NotANumber("--lift", text));
    }
  }
}
