package palmares.api.ops;

import static java.time.ZoneOffset.UTC;

import java.io.StringReader;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.live.board.LiveExclusions;
import palmares.operations.batches.Batches;
import palmares.operations.batches.NumberRanges;
import palmares.operations.exclusions.ExclusionImport;
import palmares.operations.exclusions.ExclusionImport.Unknown;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionFile;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Outdated;
import palmares.period.exclusion.ExclusionSentences;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.period.exclusion.NamedLists.NamedList;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputTable;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.time.Days;
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

  private static final OutputTable<ExclusionRow> COLUMNS =
      OutputTable.of(ExclusionRow.class).shown("board", ExclusionController::shownBoard);
  private static final OutputTable<NamedList> LISTS = OutputTable.of(NamedList.class);

  private final Tasks tasks;
  private final Lookup lookup;
  private final Exclusions exclusions;
  private final ExclusionLists lists;
  private final LiveExclusions liveExclusions;
  private final ExclusionImport imports;
  private final NamedLists namedLists;

  ExclusionController(
      Tasks tasks,
      Lookup lookup,
      Exclusions exclusions,
      ExclusionLists lists,
      LiveExclusions liveExclusions,
      ExclusionImport imports,
      NamedLists namedLists) {
    this.tasks = tasks;
    this.lookup = lookup;
    this.exclusions = exclusions;
    this.lists = lists;
    this.liveExclusions = liveExclusions;
    this.imports = imports;
    this.namedLists = namedLists;
  }

  /** The board as a table and CSV have it, and a file of exclusions may have it. */
  static @Nullable String shownBoard(ExclusionRow row) {
    return row.board() == null && row.list() == null ? ExclusionFile.ALL_BOARDS : row.board();
  }

  static ExclusionRow row(Exclusion exclusion) {
    Terms terms = exclusion.terms();
    return new ExclusionRow(
        exclusion.id(),
        terms.member().value(),
        terms.level(),
        terms.board() == null ? null : terms.board().value(),
        terms.list(),
        terms.startsAt(),
        terms.endsAt(),
        exclusion.at(),
        exclusion.by(),
        exclusion.reason(),
        lifted(exclusion));
  }

  @Override
  public Rows<ExclusionRow> list(@Nullable String member, boolean all, PageRequest page) {
    MemberId only = member == null ? null : Lookup.member(member);
    return page(only, null, all, "exclusions", page);
  }

  private Rows<ExclusionRow> page(
      @Nullable MemberId member,
      @Nullable String list,
      boolean lifted,
      String named,
      PageRequest page) {
    return Listing.page(
        COLUMNS,
        named,
        page,
        Listing.DEFAULT_COUNT,
        1,
        (cursor, most) -> exclusions.page(member, list, lifted, PageCursor.number(cursor), most),
        ExclusionController::row,
        last -> PageCursor.of(last.id()));
  }

  private static @Nullable Sentence lifted(Exclusion exclusion) {
    var lift = exclusion.lift();
    return lift == null
        ? null
        : new ExclusionSentences.LiftedAt(lift.at().atZone(UTC), lift.by(), lift.reason());
  }

  @Override
  public Task exclude(ExclusionRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    ZoneId zone = lookup.zone(body.board());
    Terms terms = terms(body);
    if (!body.allowUnknown()) {
      requireKnown(terms.member(), body);
    }
    return change(
        call,
        new VerbRequest("exclude", body.board(), null, reason, body),
        terms.member(),
        zone,
        by -> List.of(exclusions.exclude(terms, reason, by)));
  }

  private Terms terms(ExclusionRequest body) {
    Days days = lookup.days(body.board());
    MemberId member = Lookup.member(body.member());
    ExclusionLevel level = level(Lookup.required("level", body.level()));
    BoardId board = lookup.boardOrAll(body.board());
    Instant starts = Lookup.time("from", body.from(), days);
    Instant ends = Lookup.time("until", body.until(), days);
    return new Terms(member, level, board, starts, ends);
  }

  private static ExclusionLevel level(String word) {
    return Lookup.choice("level", ExclusionLevel.values(), word);
  }

  private void requireKnown(MemberId id, ExclusionRequest body) {
    try {
      if (imports.isKnown(id)) {
        return;
      }
    } catch (RedisUnavailable e) {
      throw new Refusal(
              Problem.REDIS_UNAVAILABLE,
              new ExclusionSentences.UnknownUnlessInRedis(id.value(), e.reason().said()))
          .then(nevertheless(body));
    }
    throw new Refusal(
            Problem.UNKNOWN_MEMBER,
            new ExclusionSentences.UnknownMembers(new ExclusionSentences.UnknownMember(id.value())))
        .then(nevertheless(body));
  }

  /** The same for a member that nothing knows. */
  private static Next nevertheless(ExclusionRequest body) {
    Next[] next = {Next.of("exclude")};
    BiConsumer<String, @Nullable String> add =
        (field, value) -> next[0] = value == null ? next[0] : next[0].with(field, value);
    add.accept("member", body.member());
    add.accept("level", body.level());
    add.accept("board", body.board());
    add.accept("from", body.from());
    add.accept("until", body.until());
    return next[0].with("allowUnknown", true);
  }

  @Override
  public Task lift(LiftRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    MemberId member = Lookup.member(body.member());
    Long id = body.id();
    Lookup.requireNamedOrAll("id", id == null ? body.board() : id, body.all());
    BoardId only = lookup.boardOrAll(body.board());
    if (id != null
        && exclusions
            .find(id)
            .filter(exclusion -> exclusion.terms().member().equals(member))
            .isEmpty()) {
      throw Lookup.unknown(new ExclusionSentences.NotOfMember(member.value(), id))
          .then(Next.of("exclusions").with("member", member));
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
          var said = new ArrayList<Sentence>();
          changed.forEach(exclusion -> said.add(describe(exclusion, zone, call.dryRun())));
          List<Outdated> outdated = lists.outdated(member);
          List<Outdated> settled = outdated.stream().filter(o -> o.state().isSettled()).toList();
          boolean isLifted = changed.stream().anyMatch(each -> each.lift() != null);
          addSettled(said, settled, isLifted);
          List<Next> amendments =
              settled.isEmpty() || call.dryRun() ? List.of() : amendments(said, changed);
          addUnsettled(
              said, outdated.stream().filter(o -> !o.state().isSettled()).toList(), isLifted);
          addBeingRanked(said, changed);
          return new Result(Task.State.DONE, said)
              .then(amendments)
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
  private static Sentence describe(Exclusion exclusion, ZoneId zone, boolean dryRun) {
    Terms terms = exclusion.terms();
    String member = terms.member().value();
    Sentence scope = ExclusionSentences.scope(terms, zone);
    if (exclusion.lift() != null) {
      return dryRun
          ? new ExclusionSentences.WouldBeLifted(exclusion.id(), member, terms.level(), scope)
          : new ExclusionSentences.Lifted(exclusion.id(), member, terms.level(), scope);
    }
    return dryRun
        ? new ExclusionSentences.WouldBeMade(member, terms.level(), scope)
        : new ExclusionSentences.Made(exclusion.id(), member, terms.level(), scope);
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
          : result.and(List.of(new ExclusionSentences.LiveBoardsUpdated(listed(updated))));
    } catch (RedisUnavailable e) {
      return new Result(Task.State.FAILED, result.messages())
          .and(List.of(new ExclusionSentences.LiveBoardsNotUpdated(e.reason().said())))
          .then(result.next());
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

  private static Sentence listed(List<?> periods) {
    return ListSentences.first(periods, MAX_LISTED_PERIODS);
  }

  private static void addSettled(List<Sentence> said, List<Outdated> settled, boolean isLifted) {
    if (!settled.isEmpty()) {
      Sentence periods =
          listed(settled.stream().map(each -> each.board() + " " + each.period()).toList());
      said.add(
          isLifted
              ? new ExclusionSentences.RankedOtherwise(settled.size(), periods)
              : new ExclusionSentences.RankedWithout(settled.size(), periods));
    }
  }

  /** The batches that amend for exclusions. */
  private static List<Next> amendments(List<Sentence> said, List<Exclusion> changed) {
    List<Next> batches =
        inBatches(changed.stream().map(Exclusion::id).sorted().toList())
            .map(ids -> Next.of("batch").with("verb", "amend").with("exclusions", ids))
            .toList();
    if (batches.size() > 1) {
      said.add(new ExclusionSentences.AmendInBatches(batches.size()));
    }
    return batches;
  }

  /** As ranges that a batch amends for at once, and that an address has room for. */
  private static Stream<String> inBatches(List<Long> ids) {
    String ranges = NumberRanges.format(ids);
    int most = ids.size() > Batches.MAX_EXCLUSIONS ? Batches.MAX_EXCLUSIONS : (ids.size() + 1) / 2;
    return ids.size() <= Batches.MAX_EXCLUSIONS && ranges.length() <= MAX_IN_ADDRESS
        ? Stream.of(ranges)
        : Stream.concat(inBatches(ids.subList(0, most)), inBatches(ids.subList(most, ids.size())));
  }

  private static void addUnsettled(
      List<Sentence> said, List<Outdated> unsettled, boolean isLifted) {
    if (!unsettled.isEmpty()) {
      Sentence periods =
          listed(
              unsettled.stream()
                  .map(
                      each ->
                          new ExclusionSentences.InState(
                              each.board() + " " + each.period(), each.state()))
                  .toList());
      said.add(
          isLifted
              ? new ExclusionSentences.UnsettledOtherwise(periods)
              : new ExclusionSentences.UnsettledWithout(periods));
    }
  }

  /** A closing shows others nothing of what it has ranked until it is filled. */
  private void addBeingRanked(List<Sentence> said, List<Exclusion> changed) {
    List<String> ranked = lists.beingRanked(changed.stream().map(Exclusion::id).toList());
    if (!ranked.isEmpty()) {
      said.add(new ExclusionSentences.BeingRanked(listed(ranked)));
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
            call.dryRun()
                ? new ExclusionSentences.ManyWouldBeMade(made.size())
                : new ExclusionSentences.ManyMade(made.size()),
        by -> imports.exclude(new StringReader(csv), null, unknown(body.allowUnknown()), by));
  }

  private static Unknown unknown(boolean allowed) {
    return allowed ? Unknown.ALLOWED : Unknown.REFUSED;
  }

  @Override
  public Rows<NamedList> lists() {
    return Listing.of(LISTS, "lists", namedLists.all());
  }

  @Override
  public Rows<ExclusionRow> entries(String list, PageRequest page) {
    namedLists.require(list);
    return page(null, list, false, "list-members", page);
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
          return Result.done(new ExclusionSentences.ListCreated(list));
        });
  }

  @Override
  public Task addToList(String list, EntryRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    if ((body.member() == null) == (body.csv() == null)
        || (body.member() == null) != (body.level() == null)) {
      throw Lookup.invalid("csv", new ExclusionSentences.MemberOrCsv());
    }
    namedLists.require(list);
    Unknown unknown = unknown(body.allowUnknown());
    return changeMany(
        call,
        new VerbRequest("add-to-list", null, null, reason, List.of(list, body))
            .with("list", list)
            .with("csvSha256", body.csv() == null ? null : Sha256.of(body.csv())),
        made ->
            call.dryRun()
                ? new ExclusionSentences.WouldBeListed(made.size(), list)
                : new ExclusionSentences.Listed(made.size(), list),
        by ->
            body.csv() != null
                ? imports.exclude(new StringReader(body.csv()), list, unknown, by)
                : imports.exclude(
                    List.of(new Exclusions.Request(entry(list, body), reason, null)), unknown, by));
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
            call.dryRun()
                ? new ExclusionSentences.WouldBeUnlisted(member.value(), list)
                : new ExclusionSentences.Unlisted(member.value(), list),
        by -> exclusions.removeFrom(list, member, reason, by));
  }

  private static Sentence named(Exclusion exclusion) {
    Terms terms = exclusion.terms();
    return new ExclusionSentences.Named(
        terms.member().value(), terms.level(), ExclusionSentences.scope(terms, UTC));
  }

  private Task changeMany(
      Call call,
      VerbRequest order,
      Function<List<Exclusion>, Sentence> message,
      Function<String, List<Exclusion>> work) {
    var changed = new ArrayList<Exclusion>();
    return tasks.now(
        call,
        order,
        by -> {
          changed.addAll(work.apply(by));
          var said = new ArrayList<Sentence>();
          said.add(message.apply(changed));
          if (call.dryRun()) {
            changed.stream().limit(MAX_SHOWN).map(ExclusionController::named).forEach(said::add);
            if (changed.size() > MAX_SHOWN) {
              said.add(new ExclusionSentences.MoreMembers(changed.size() - MAX_SHOWN));
            }
          }
          boolean mayTouch =
              changed.size() > MAX_SEARCHED
                  || changed.stream().anyMatch(each -> !lists.settledAndOutdatedBy(each).isEmpty());
          if (mayTouch) {
            said.add(new ExclusionSentences.AmendSettled());
          }
          List<Next> amendments =
              mayTouch && !call.dryRun() ? amendments(said, changed) : List.of();
          addBeingRanked(said, changed);
          return new Result(Task.State.DONE, said)
              .then(amendments)
              .changing(() -> Stream.concat(changes(changed), Stream.of("" + mayTouch)).toList());
        },
        result -> updateLiveBoards(result, changed));
  }
}
