package palmares.api.ops;

import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.ops.Tasks.Order;
import palmares.live.board.LiveExclusions;
import palmares.live.board.LiveMembers;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Outdated;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.form.Suggestion;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

@RestController
class ExclusionController implements ExclusionResource {
  private static final int MAX_LISTED_PERIODS = 20;

  private static final OutputTable<Exclusion> COLUMNS =
      new OutputTable<Exclusion>()
          .text("id", exclusion -> exclusion.id() + "")
          .wrapped("member", exclusion -> exclusion.terms().member().value())
          .text("level", exclusion -> exclusion.terms().level().word())
          .text(
              "board",
              exclusion ->
                  exclusion.terms().board() == null ? "all" : exclusion.terms().board().value())
          .text("from", exclusion -> exclusion.terms().startsAt())
          .text("until", exclusion -> exclusion.terms().endsAt())
          .text("made", Exclusion::at)
          .wrapped("by", Exclusion::by)
          .wrapped("reason", Exclusion::reason)
          .wrapped("lifted", ExclusionController::lifted);

  private final Tasks tasks;
  private final Lookup lookup;
  private final Exclusions exclusions;
  private final ExclusionLists lists;
  private final KnownMembers knownMembers;
  private final LiveMembers liveMembers;
  private final LiveExclusions liveExclusions;

  ExclusionController(
      Tasks tasks,
      Lookup lookup,
      Exclusions exclusions,
      ExclusionLists lists,
      KnownMembers knownMembers,
      LiveMembers liveMembers,
      LiveExclusions liveExclusions) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.exclusions = exclusions;
    this.lists = lists;
    this.knownMembers = knownMembers;
    this.liveMembers = liveMembers;
    this.liveExclusions = liveExclusions;
  }

  @Override
  public Listing list(@Nullable String member, boolean all) {
    MemberId only = member == null ? null : Lookup.member(member);
    return Listing.of(
        COLUMNS,
        "no exclusions",
        exclusions.list(only).stream()
            .filter(exclusion -> all || exclusion.lift() == null)
            .toList());
  }

  private static @Nullable String lifted(Exclusion exclusion) {
    var lift = exclusion.lift();
    return lift == null
        ? null
        : "%s by %s: %s"
            .formatted(lift.at().truncatedTo(ChronoUnit.SECONDS), lift.by(), lift.reason());
  }

  @Override
  public Task exclude(ExclusionOrder body, Call call) {
    String reason = Lookup.reason(body.reason());
    ZoneId zone = lookup.zone(body.board());
    Terms terms = terms(body, zone);
    if (!body.allowUnknown()) {
      requireKnown(terms.member());
    }
    return change(
        call,
        new Order("exclude", body.board(), null, reason, body),
        terms.member(),
        zone,
        by -> List.of(exclusions.exclude(terms, reason, by)));
  }

  private Terms terms(ExclusionOrder body, ZoneId zone) {
    MemberId member = Lookup.member(body.member());
    ExclusionLevel level = level(Lookup.required("level", body.level()));
    BoardId board = lookup.boardOrAll(body.board());
    Instant starts = Lookup.time("from", body.from(), zone);
    Instant ends = Lookup.time("until", body.until(), zone);
    try {
      return new Terms(member, level, board, starts, ends);
    } catch (IllegalArgumentException e) {
      throw Lookup.invalid(String.valueOf(e.getMessage()));
    }
  }

  private static ExclusionLevel level(String word) {
    var words = Arrays.stream(ExclusionLevel.values()).map(ExclusionLevel::word).toList();
    return ExclusionLevel.find(word)
        .orElseThrow(
            () ->
                Lookup.invalid(
                    "there is no level '%s'%s; the levels are %s"
                        .formatted(word, Suggestion.hint(word, words), String.join(", ", words))));
  }

  private void requireKnown(MemberId id) {
    try {
      if (knownMembers.knows(id) || liveMembers.isOnLiveBoard(id)) {
        return;
      }
    } catch (RedisUnavailable e) {
      throw new ProblemException(
          Problem.REDIS_UNAVAILABLE,
          "PostgreSQL knows no member '%s', and Redis does not answer (%s): retry, or exclude with"
                  .formatted(TerminalText.of(id.value()), e.getMessage())
              + " --allow-unknown");
    }
    throw new ProblemException(
        Problem.UNKNOWN_MEMBER,
        "there is no member '%s': no event, registration or board has it; --allow-unknown excludes"
                .formatted(TerminalText.of(id.value()))
            + " it nevertheless");
  }

  @Override
  public Task lift(LiftOrder body, Call call) {
    String reason = Lookup.reason(body.reason());
    MemberId member = Lookup.member(body.member());
    BoardId only = lookup.boardOrAll(body.board());
    Long id = body.id();
    if (id != null
        && exclusions
            .find(id)
            .filter(exclusion -> exclusion.terms().member().equals(member))
            .isEmpty()) {
      throw Lookup.unknown(
          "%1$s has no exclusion %2$d: 'palmares exclusions %1$s' lists them"
              .formatted(TerminalText.of(member.value()), id));
    }
    return change(
        call,
        new Order("lift", body.board(), null, reason, body),
        member,
        lookup.zone(body.board()),
        by ->
            id == null
                ? exclusions.liftAll(member, only, reason, by)
                : List.of(exclusions.lift(id, reason, by)));
  }

  /** Changes exclusions, and then the live boards, which no transaction covers. */
  private Task change(
      Call call,
      Order order,
      MemberId member,
      ZoneId zone,
      Function<String, List<Exclusion>> work) {
    var changed = new ArrayList<Exclusion>();
    return tasks.now(
        call,
        order,
        by -> {
          changed.addAll(work.apply(by));
          var lines =
              changed.stream()
                  .map(exclusion -> describe(exclusion, zone))
                  .collect(Collectors.toCollection(ArrayList::new));
          List<Outdated> outdated = lists.outdated(member);
          addSettled(lines, outdated.stream().filter(o -> o.state().isSettled()).toList());
          addUnsettled(lines, outdated.stream().filter(o -> !o.state().isSettled()).toList());
          return new Result(Task.State.DONE, lines);
        },
        result -> updateLiveBoards(result, changed));
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
            terms.board() == null ? "all boards" : terms.board().value(),
            bound(" from ", terms.startsAt(), zone),
            bound(" until ", terms.endsAt(), zone));
  }

  private static String bound(String word, @Nullable Instant time, ZoneId zone) {
    return time == null ? "" : word + DisplayFormat.time(time, zone);
  }

  private Result updateLiveBoards(Result result, List<Exclusion> changed) {
    try {
      var updated =
          liveExclusions.updateAll().stream()
              .filter(
                  period ->
                      changed.stream().anyMatch(exclusion -> changes(exclusion.terms(), period)))
              .map(Period::label)
              .toList();
      return updated.isEmpty()
          ? result
          : result.and(List.of("live boards updated: " + listed(updated)));
    } catch (RedisUnavailable e) {
      return new Result(Task.State.FAILED, result.messages())
          .and(
              List.of(
                  ("live boards are not updated: %s; a server updates them within a minute after"
                          + " Redis answers again")
                      .formatted(e.getMessage())));
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

  private static String listed(List<String> labels) {
    String first = labels.stream().limit(MAX_LISTED_PERIODS).collect(Collectors.joining(", "));
    int more = labels.size() - MAX_LISTED_PERIODS;
    return more > 0 ? "%s and %s more".formatted(first, DisplayFormat.number(more)) : first;
  }

  private static void addSettled(List<String> lines, List<Outdated> settled) {
    if (settled.isEmpty()) {
      return;
    }
    lines.add(
        "%s with other exclusions; amend %s:"
            .formatted(
                settled.size() == 1
                    ? "1 settled period was ranked"
                    : DisplayFormat.number(settled.size()) + " settled periods were ranked",
                settled.size() == 1 ? "it" : "them"));
    settled.stream()
        .limit(MAX_LISTED_PERIODS)
        .forEach(
            period ->
                lines.add(
                    "  palmares amend %s %s --reason TEXT"
                        .formatted(period.board(), period.period())));
    if (settled.size() > MAX_LISTED_PERIODS) {
      lines.add(
          "  and %s more".formatted(DisplayFormat.number(settled.size() - MAX_LISTED_PERIODS)));
    }
  }

  private static void addUnsettled(List<String> lines, List<Outdated> unsettled) {
    if (unsettled.isEmpty()) {
      return;
    }
    lines.add(
        "ranked with other exclusions, and not settled yet: "
            + listed(
                unsettled.stream()
                    .map(
                        period ->
                            "%s %s (%s)"
                                .formatted(period.board(), period.period(), period.state().word()))
                    .toList())
            + "; reject it while it is held, or amend it once it is settled");
  }
}
