package palmares.cli;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.live.board.LiveExclusions;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Outdated;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.MemberId;

/** Says what an exclusion changes by itself, and what it takes to change the rest. */
record ExclusionEffect(Terminal terminal, RunningApplication app) {
  private static final int NAMED = 20;

  /**
   * @param changed what was made or lifted
   * @param zone whose days it was told in
   * @return the exit code
   */
  int tell(MemberId member, List<Exclusion> changed, ZoneId zone) {
    changed.forEach(exclusion -> terminal.print(sentence(exclusion, zone)));
    int code = tellLiveBoards(changed);
    tellOutdated(app.get(ExclusionLists.class).outdated(member));
    return code;
  }

  private static String sentence(Exclusion exclusion, ZoneId zone) {
    return "exclusion %d%s: %s"
        .formatted(
            exclusion.id(), exclusion.lift() == null ? "" : " lifted", terms(exclusion, zone));
  }

  private static String terms(Exclusion exclusion, ZoneId zone) {
    Terms terms = exclusion.terms();
    return "%s %s %s on %s%s%s"
        .formatted(
            TerminalText.of(terms.member().value()),
            exclusion.lift() == null ? "is" : "was",
            terms.level().word(),
            terms.board() == null ? "all boards" : terms.board().value(),
            bound(" from ", terms.startsAt(), zone),
            bound(" until ", terms.endsAt(), zone));
  }

  private static String bound(String word, @Nullable Instant time, ZoneId zone) {
    return time == null ? "" : word + DisplayFormat.time(time, zone);
  }

  private int tellLiveBoards(List<Exclusion> changed) {
    try {
      var concerned =
          app.get(LiveExclusions.class).updateAll().stream()
              .filter(period -> changed.stream().anyMatch(made -> concerns(made.terms(), period)))
              .map(Period::label)
              .toList();
      if (!concerned.isEmpty()) {
        terminal.print("live boards follow: " + some(concerned));
      }
      return 0;
    } catch (RedisUnavailable e) {
      terminal.note(
          "palmares: live boards could not be told: %s; a server tells them within a minute of"
                  .formatted(e.getMessage())
              + " Redis answering again");
      return UserError.FAILED;
    }
  }

  /** Whether the live board is another now: prizes are none of its business. */
  private static boolean concerns(Terms terms, Period period) {
    if (terms.level().isRanked()) {
      return false;
    }
    Instant starts = terms.startsAt();
    Instant ends = terms.endsAt();
    return (terms.board() == null || terms.board().equals(period.board()))
        && (starts == null || starts.isBefore(period.slot().endsAt()))
        && (ends == null || ends.isAfter(period.slot().startsAt()));
  }

  private static String some(List<String> labels) {
    String named = labels.stream().limit(NAMED).collect(Collectors.joining(", "));
    return labels.size() > NAMED
        ? named + " and %s more".formatted(DisplayFormat.number(labels.size() - NAMED))
        : named;
  }

  private void tellOutdated(List<Outdated> outdated) {
    var settled = outdated.stream().filter(ExclusionEffect::isSettled).toList();
    var others = outdated.stream().filter(period -> !isSettled(period)).toList();
    if (!settled.isEmpty()) {
      terminal.print(
          "%s ranked otherwise, until amended:"
              .formatted(
                  settled.size() == 1
                      ? "1 settled period is"
                      : DisplayFormat.number(settled.size()) + " settled periods are"));
      settled.stream()
          .limit(NAMED)
          .forEach(
              period ->
                  terminal.print(
                      "  palmares amend %s %s --reason TEXT"
                          .formatted(period.board(), period.period())));
      if (settled.size() > NAMED) {
        terminal.print("  and %s more".formatted(DisplayFormat.number(settled.size() - NAMED)));
      }
    }
    if (!others.isEmpty()) {
      terminal.print(
          "ranked otherwise, and not settled yet: "
              + some(
                  others.stream()
                      .map(
                          period ->
                              "%s %s (%s)"
                                  .formatted(
                                      period.board(), period.period(), period.state().word()))
                      .toList())
              + "; reject it while it is held, or amend it once it is settled");
    }
  }

  private static boolean isSettled(Outdated period) {
    return period.state().isSettled();
  }
}
