package palmares.api.ops;

import java.io.StringReader;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.live.board.LiveExclusions;
import palmares.live.board.LiveMembers;
import palmares.operations.batches.Batches;
import palmares.operations.batches.NumberRanges;
import palmares.operations.exclusions.ExclusionImport;
import palmares.operations.exclusions.ExclusionImport.Unknown;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Outdated;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.KnownMembers;
import palmares.period.exclusion.NamedLists;
import palmares.period.exclusion.NamedLists.NamedList;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.output.TerminalText;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.board.Sha256;

@RestController
class ExclusionController implements ExclusionResource {
  private static final int MAX_LISTED_PERIODS = 20;

  /** For more exclusions it takes too long to find out whether they touch settled periods. */
  private static final int MAX_SEARCHED = 20;

  /** Characters of a parameter; servers refuse addresses of more than 8 kB. */
  private static final int MAX_IN_ADDRESS = 4_000;

  /** How many members a dry run names. */
  private static final int MAX_SHOWN = 20;

  private static final OutputTable<Exclusion> COLUMNS = columns(exclusion -> exclusion);

  private static final OutputTable<NamedList> LISTS =
      new OutputTable<NamedList>()
          .text("list", NamedList::name)
          .number("members", NamedList::members)
          .time("created", NamedList::at)
          .wrapped("by", NamedList::by)
          .wrapped("reason", NamedList::reason);

  private final Tasks tasks;
  private final Lookup lookup;
  private final Exclusions exclusions;
  private final ExclusionLists lists;
  private final KnownMembers knownMembers;
  private final LiveMembers liveMembers;
  private final LiveExclusions liveExclusions;
  private final ExclusionImport imports;
  private final NamedLists namedLists;

  ExclusionController(
      Tasks tasks,
      Lookup lookup,
      Exclusions exclusions,
      ExclusionLists lists,
      KnownMembers knownMembers,
      LiveMembers liveMembers,
      LiveExclusions liveExclusions,
      ExclusionImport imports,
      NamedLists namedLists) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.exclusions = exclusions;
    this.lists = lists;
    this.knownMembers = knownMembers;
    this.liveMembers = liveMembers;
    this.liveExclusions = liveExclusions;
    this.imports = imports;
    this.namedLists = namedLists;
  }

  /** The columns of an exclusion, in all lists that have such. */
  static <T> OutputTable<T> columns(Function<T, Exclusion> of) {
    return new OutputTable<T>()
        .text("id", row -> of.apply(row).id() + "")
        .wrapped("member", row -> of.apply(row).terms().member().value())
        .text("level", row -> of.apply(row).terms().level().word())
        .text("board", row -> Objects.requireNonNullElse(of.apply(row).terms().scope(), "all"))
        .time("from", row -> of.apply(row).terms().startsAt())
        .time("until", row -> of.apply(row).terms().endsAt())
        .text("made", row -> of.apply(row).at())
        .wrapped("by", row -> of.apply(row).by())
        .wrapped("reason", row -> of.apply(row).reason())
        .wrapped("lifted", row -> lifted(of.apply(row)));
  }

  @Override
  public Listing list(@Nullable String member, boolean all, PageRequest page) {
    MemberId only = member == null ? null : Lookup.member(member);
    return page(only, null, all, "no exclusions", page);
  }

  private Listing page(
      @Nullable MemberId member,
      @Nullable String list,
      boolean lifted,
      String ifEmpty,
      PageRequest page) {
    return Listing.page(
        COLUMNS,
        ifEmpty,
        page,
        Listing.DEFAULT_COUNT,
        1,
        (cursor, most) -> exclusions.page(member, list, lifted, PageCursor.number(cursor), most),
        last -> PageCursor.of(last.id()));
  }

  private static @Nullable String lifted(Exclusion exclusion) {
    var lift = exclusion.lift();
    return lift == null
        ? null
        : "%s by %s: %s"
            .formatted(lift.at().truncatedTo(ChronoUnit.SECONDS), lift.by(), lift.reason());
  }

  @Override
  public Task exclude(ExclusionRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    ZoneId zone = lookup.zone(body.board());
    Terms terms = terms(body, zone);
    if (!body.allowUnknown()) {
      requireKnown(terms.member());
    }
    return change(
        call,
        new VerbRequest("exclude", body.board(), null, reason, body),
        terms.member(),
        zone,
        by -> List.of(exclusions.exclude(terms, reason, by)));
  }

  private Terms terms(ExclusionRequest body, ZoneId zone) {
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
    return Lookup.choice("level", ExclusionLevel.values(), word);
  }

  private void requireKnown(MemberId id) {
    try {
      if (knownMembers.knows(id) || liveMembers.isOnLiveBoard(id)) {
        return;
      }
    } catch (RedisUnavailable e) {
      throw new ProblemException(
          Problem.REDIS_UNAVAILABLE,
          "PostgreSQL knows no member '%s', and Redis cannot be asked (%s): retry, or exclude with"
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
  public Task lift(LiftRequest body, Call call) {
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
        new VerbRequest("lift", body.board(), null, reason, body),
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
      VerbRequest order,
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
                  .map(exclusion -> describe(exclusion, zone, call.dryRun()))
                  .collect(Collectors.toCollection(ArrayList::new));
          List<Outdated> outdated = lists.outdated(member);
          List<Outdated> settled = outdated.stream().filter(o -> o.state().isSettled()).toList();
          boolean isLifted = changed.stream().anyMatch(each -> each.lift() != null);
          String otherwise = isLifted ? "with other exclusions" : "without this exclusion";
          addSettled(lines, settled, otherwise, call.dryRun());
          if (!settled.isEmpty() && !call.dryRun()) {
            addAmendments(lines, changed);
          }
          addUnsettled(
              lines, outdated.stream().filter(o -> !o.state().isSettled()).toList(), otherwise);
          addBeingRanked(lines, changed);
          return new Result(Task.State.DONE, Result.verbatim(lines))
              .changing(
                  () ->
                      Stream.concat(changes(changed), outdated.stream().map(Outdated::toString))
                          .toList());
        },
        result -> updateLiveBoards(result, changed));
  }

  /** One that is made has no lasting number in a dry run; one that is lifted has. */
  private static Stream<String> changes(List<Exclusion> changed) {
    return changed.stream()
        .map(
            exclusion ->
                (exclusion.lift() == null ? "make " : "lift " + exclusion.id() + " ")
                    + exclusion.terms());
  }

  /** What is made in a dry run has no lasting number. */
  private static String describe(Exclusion exclusion, ZoneId zone, boolean dryRun) {
    boolean lifted = exclusion.lift() != null;
    Terms terms = exclusion.terms();
    String what =
        !lifted
            ? dryRun ? "" : "exclusion %d: ".formatted(exclusion.id())
            : (dryRun ? "exclusion %d would be lifted: " : "exclusion %d lifted: ")
                .formatted(exclusion.id());
    return "%s%s %s %s on %s%s%s"
        .formatted(
            what,
            TerminalText.of(terms.member().value()),
            lifted ? (dryRun ? "is" : "was") : (dryRun ? "would be" : "is"),
            terms.level().word(),
            terms.scope() == null ? "all boards" : terms.scope(),
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
          : result.and(Result.verbatim("live boards updated: " + listed(updated)));
    } catch (RedisUnavailable e) {
      return new Result(Task.State.FAILED, result.messages())
          .and(
              Result.verbatim(
                  ("live boards are not updated: %s; a server updates them within a minute after"
                          + " Redis can be used again")
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

  private static void addSettled(
      List<String> lines, List<Outdated> settled, String otherwise, boolean dryRun) {
    if (settled.isEmpty()) {
      return;
    }
    lines.add(
        (dryRun ? "%s %s: %s; amend %s afterwards" : "%s %s: %s; amend %s:")
            .formatted(
                settled.size() == 1
                    ? "1 settled period was ranked"
                    : DisplayFormat.number(settled.size()) + " settled periods were ranked",
                otherwise,
                listed(settled.stream().map(each -> each.board() + " " + each.period()).toList()),
                settled.size() == 1 ? "it" : "them"));
  }

  private static void addAmendments(List<String> lines, List<Exclusion> changed) {
    List<String> batches =
        inBatches(changed.stream().map(Exclusion::id).sorted().toList()).toList();
    if (batches.size() > 1) {
      lines.add("one batch does not take all of these exclusions: make one after the other");
    }
    batches.forEach(
        ids -> lines.add("  palmares amend --exclusion %s --reason TEXT".formatted(ids)));
  }

  /** As ranges that a batch amends for at once, and that an address has room for. */
  private static Stream<String> inBatches(List<Long> ids) {
    String ranges = NumberRanges.format(ids);
    int most = ids.size() > Batches.MAX_EXCLUSIONS ? Batches.MAX_EXCLUSIONS : (ids.size() + 1) / 2;
    return ids.size() <= Batches.MAX_EXCLUSIONS && ranges.length() <= MAX_IN_ADDRESS
        ? Stream.of(ranges)
        : Stream.concat(inBatches(ids.subList(0, most)), inBatches(ids.subList(most, ids.size())));
  }

  private static void addUnsettled(List<String> lines, List<Outdated> unsettled, String otherwise) {
    if (unsettled.isEmpty()) {
      return;
    }
    lines.add(
        "ranked %s, and not settled yet: ".formatted(otherwise)
            + listed(
                unsettled.stream()
                    .map(
                        period ->
                            "%s %s (%s)"
                                .formatted(period.board(), period.period(), period.state().word()))
                    .toList())
            + "; reject and restart it while it is held, or amend it once it is settled");
  }

  /** A closing shows others nothing of what it has ranked until it is filled. */
  private void addBeingRanked(List<String> lines, List<Exclusion> changed) {
    List<String> ranked = lists.beingRanked(changed.stream().map(Exclusion::id).toList());
    if (!ranked.isEmpty()) {
      lines.add(
          "being ranked, perhaps with other exclusions: %s; check again once it is held or settled"
              .formatted(listed(ranked)));
    }
  }

  /** The numbers of exclusions that were made together follow each other. */
  @Override
  public Task excludeFile(FileRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    String csv = Lookup.required("csv", body.csv());
    return changeMany(
        call,
        new VerbRequest("exclude-file", null, null, reason, body).with("csvSha256", Sha256.of(csv)),
        made ->
            (call.dryRun()
                    ? DisplayFormat.count(made.size(), "exclusion would be", "exclusions would be")
                    : DisplayFormat.count(made.size(), "exclusion is", "exclusions are"))
                + " in force",
        by -> imports.exclude(new StringReader(csv), null, unknown(body.allowUnknown()), by));
  }

  private static Unknown unknown(boolean allowed) {
    return allowed ? Unknown.ALLOWED : Unknown.REFUSED;
  }

  @Override
  public Listing lists() {
    return Listing.of(LISTS, "no lists", namedLists.all());
  }

  @Override
  public Listing entries(String list, PageRequest page) {
    namedLists.require(list);
    return page(null, list, false, "the list is empty", page);
  }

  @Override
  public Task createList(String list, ReasonRequest body, Call call) {
    call.requireUnconditional();
    String reason = Lookup.reason(body.reason());
    return tasks.now(
        call,
        new VerbRequest("create-list", null, null, reason, List.of(list, body)),
        by -> {
          namedLists.create(list, by, reason);
          return Result.done(
              "the list %s is created; board files refer to it by 'exclusions: [%1$s]'"
                  .formatted(list));
        });
  }

  @Override
  public Task addToList(String list, EntryRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    if ((body.member() == null) == (body.csv() == null)
        || (body.member() == null) != (body.level() == null)) {
      throw Lookup.invalid("send 'member' and 'level', or 'csv'");
    }
    namedLists.require(list);
    Unknown unknown = unknown(body.allowUnknown());
    return changeMany(
        call,
        new VerbRequest("add-to-list", null, null, reason, List.of(list, body))
            .with("list", list)
            .with("csvSha256", body.csv() == null ? null : Sha256.of(body.csv())),
        made ->
            (call.dryRun()
                    ? DisplayFormat.count(made.size(), "member would be", "members would be")
                    : DisplayFormat.count(made.size(), "member is", "members are"))
                + " added to "
                + list,
        by ->
            body.csv() != null
                ? imports.exclude(new StringReader(body.csv()), list, unknown, by)
                : imports.exclude(
                    List.of(new Exclusions.Request(entry(list, body), reason, "")), unknown, by));
  }

  private static Terms entry(String list, EntryRequest body) {
    return Terms.listed(
        list, Lookup.member(body.member()), level(Lookup.required("level", body.level())));
  }

  @Override
  public Task removeFromList(String list, RemovalRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    MemberId member = Lookup.member(body.member());
    namedLists.require(list);
    return changeMany(
        call,
        new VerbRequest("remove-from-list", null, null, reason, List.of(list, body))
            .with("list", list),
        lifted ->
            (call.dryRun() ? "%s would be removed from %s" : "%s is removed from %s")
                .formatted(TerminalText.of(member.value()), list),
        by -> exclusions.removeFrom(list, member, reason, by));
  }

  private static String shown(Exclusion exclusion) {
    Terms terms = exclusion.terms();
    return "  %s: %s%s"
        .formatted(
            TerminalText.of(terms.member().value()),
            terms.level().word(),
            terms.board() == null ? "" : " on " + terms.board());
  }

  private Task changeMany(
      Call call,
      VerbRequest order,
      Function<List<Exclusion>, String> message,
      Function<String, List<Exclusion>> work) {
    var changed = new ArrayList<Exclusion>();
    return tasks.now(
        call,
        order,
        by -> {
          changed.addAll(work.apply(by));
          var lines = new ArrayList<String>();
          lines.add(message.apply(changed));
          if (call.dryRun()) {
            changed.stream().limit(MAX_SHOWN).map(ExclusionController::shown).forEach(lines::add);
            if (changed.size() > MAX_SHOWN) {
              lines.add(
                  "  and %s more".formatted(DisplayFormat.number(changed.size() - MAX_SHOWN)));
            }
          }
          boolean mayTouch =
              changed.size() > MAX_SEARCHED
                  || changed.stream().anyMatch(each -> !lists.settledAndOutdatedBy(each).isEmpty());
          if (mayTouch) {
            lines.add(
                "settled periods that were ranked with other exclusions change by"
                    + (call.dryRun() ? " an amendment afterwards" : ""));
            if (!call.dryRun()) {
              addAmendments(lines, changed);
            }
          }
          addBeingRanked(lines, changed);
          return new Result(Task.State.DONE, Result.verbatim(lines))
              .changing(() -> Stream.concat(changes(changed), Stream.of("" + mayTouch)).toList());
        },
        result -> updateLiveBoards(result, changed));
  }
}
