package palmares.cli;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.UserError;
import palmares.live.board.LiveExclusions;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLists;
import palmares.platform.redis.RedisUnavailable;

/** Updates live boards after exclusions have changed, and prints what else a person can do. */
record ExclusionReport(Session session, RunningApplication app) {
  private static final int MAX_SEARCHED = 20;
  private static final int MAX_LISTED_PERIODS = 20;

  /**
   * Sends the exclusions to live boards, and prints the command that amends settled periods.
   *
   * @return the exit code
   */
  int afterMany(List<Exclusion> changed) {
    int exitCode = updateLiveBoards(changed);
    ExclusionLists lists = app.get(ExclusionLists.class);
    boolean mayTouch =
        changed.size() > MAX_SEARCHED
            || changed.stream().anyMatch(each -> !lists.settledAndOutdatedBy(each).isEmpty());
    if (mayTouch) {
      session.print("settled periods that were ranked with other exclusions change by");
      session.print("  palmares amend --exclusion %s --reason TEXT", ids(changed));
    }
    return exitCode;
  }

  /** The numbers of exclusions that were made together follow each other. */
  private static String ids(List<Exclusion> changed) {
    long first = changed.get(0).id();
    long last = changed.get(changed.size() - 1).id();
    return last - first + 1 == changed.size() && changed.size() > 1
        ? first + "-" + last
        : changed.stream()
            .map(exclusion -> Long.toString(exclusion.id()))
            .collect(Collectors.joining(","));
  }

  /**
   * Sends the exclusions to live boards, and prints which have changed.
   *
   * @return the exit code
   */
  int updateLiveBoards(List<Exclusion> changed) {
    try {
      var updated =
          app.get(LiveExclusions.class).updateAll().stream()
              .filter(
                  period ->
                      changed.stream().anyMatch(exclusion -> changes(exclusion.terms(), period)))
              .map(Period::label)
              .toList();
      if (!updated.isEmpty()) {
        session.print("live boards updated: " + listed(updated));
      }
      return 0;
    } catch (RedisUnavailable e) {
      session.note(
          "palmares: live boards are not updated: %s; a server updates them within a minute after"
              + " Redis answers again",
          e.getMessage());
      return UserError.FAILED;
    }
  }

  /** Whether the terms change the live board, which does not show prizes. */
  private static boolean changes(Terms terms, Period period) {
    if (terms.level().isRanked()) {
      return false;
    }
    Instant starts = terms.startsAt();
    Instant ends = terms.endsAt();
    return (terms.board() == null || terms.board().equals(period.board()))
        && (starts == null || starts.isBefore(period.slot().endsAt()))
        && (ends == null || ends.isAfter(period.slot().startsAt()));
  }

  static String listed(List<String> labels) {
    String first = labels.stream().limit(MAX_LISTED_PERIODS).collect(Collectors.joining(", "));
    int more = labels.size() - MAX_LISTED_PERIODS;
    return more > 0 ? "%s and %s more".formatted(first, DisplayFormat.number(more)) : first;
  }
}
