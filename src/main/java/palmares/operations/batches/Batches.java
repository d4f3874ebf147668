package palmares.operations.batches;

import static java.util.Comparator.comparing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.report.OutcomeSums;
import palmares.operations.report.OutcomeSums.MemberSum;
import palmares.operations.report.PeriodList;
import palmares.operations.tasks.ExpectedPayout;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.TaskItems;
import palmares.period.PeriodId;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.Outdated;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Fault;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.Sha256;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.outcome.HoldReason;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Selects what batches are to work on, and shows them; {@link BatchRunner} works on them. */
@Component
public class Batches {
  public static final int MAX_PERIODS = 10_000;

  /** The largest number of exclusions that periods are amended for in one act. */
  public static final int MAX_EXCLUSIONS = 1_000;

  private static final int DIGEST_CHARACTERS = 8;
  private static final int MAX_NAMED_MEMBERS = 3;
  private static final int LARGEST_MEMBERS = 10;

  private static final Set<String> CLOSABLE =
      Set.of("open", "sealed", "filled", "held", "approved", "failed");
  private static final Set<String> RESTARTABLE =
      Set.of("open", "sealed", "filled", "rejected", "approved", "failed");

  private final JdbcClient jdbc;
  private final BatchRows rows;
  private final Exclusions exclusions;
  private final ExclusionLists lists;
  private final Revisions revisions;
  private final OutcomeSums outcomeSums;
  private final PeriodList periods;

  Batches(
      JdbcClient jdbc,
      BatchRows rows,
      Exclusions exclusions,
      ExclusionLists lists,
      Revisions revisions,
      OutcomeSums outcomeSums,
      PeriodList periods) {
    this.jdbc = jdbc;
    this.rows = rows;
    this.exclusions = exclusions;
    this.lists = lists;
    this.revisions = revisions;
    this.outcomeSums = outcomeSums;
    this.periods = periods;
  }

  /**
   * Selects the settled periods that exclusions, or their liftings, touch, for amendments.
   *
   * @param ids the numbers of the exclusions
   * @throws Refusal if one does not exist, they touch no settled period, or there are more than
   *     {@link #MAX_EXCLUSIONS} or {@link #MAX_PERIODS}
   */
  public TaskItems amend(SortedSet<Long> ids) {
    if (ids.isEmpty() || ids.size() > MAX_EXCLUSIONS) {
      throw invalid("exclusions", new BatchSentences.ExclusionCount(MAX_EXCLUSIONS, ids.size()));
    }
    var touched = new TreeMap<Long, Outdated>();
    var members = new LinkedHashSet<String>();
    var changes = new ArrayList<String>();
    for (long id : ids) {
      Exclusion exclusion =
          exclusions
              .find(id)
              .orElseThrow(
                  () ->
                      new Refusal(Problem.UNKNOWN_OBJECT, new BatchSentences.UnknownExclusion(id))
                          .at("exclusions"));
      members.add(exclusion.terms().member().value());
      changes.add(exclusion.toString());
      lists
          .settledAndOutdatedBy(exclusion)
          .forEach(period -> touched.put(period.id().value(), period));
    }
    Sentence target = target(ids, List.copyOf(members));
    if (touched.isEmpty()) {
      throw new WrongState(new BatchSentences.NothingTouched(target));
    }
    requireFew(touched.size(), target);
    List<PeriodId> selected =
        touched.values().stream()
            .sorted(
                comparing((Outdated period) -> period.board().value())
                    .thenComparing(Outdated::startsAt))
            .map(Outdated::id)
            .toList();
    return plan(Verb.AMEND, target, ids, changes, selected);
  }

  /** Plans to work on periods as they are now. */
  private BatchPlan plan(
      Verb verb,
      Sentence target,
      @Nullable SortedSet<Long> exclusions,
      List<String> changes,
      List<PeriodId> selected) {
    return new BatchPlan(
        rows,
        verb,
        target,
        exclusions,
        null,
        null,
        selected.stream().map(BatchPlan.Planned::of).toList(),
        () ->
            Stream.concat(
                    changes.stream(), periods.versions(selected).stream().map(each -> each.line()))
                .toList(),
        null);
  }

  private static Sentence target(SortedSet<Long> ids, List<String> members) {
    return ids.size() == 1
        ? new BatchSentences.OfExclusion(ids.first(), members.get(0))
        : new BatchSentences.OfExclusions(
            ids.size(), ids.first(), ids.last(), ListSentences.first(members, MAX_NAMED_MEMBERS));
  }

  private static Refusal invalid(String field, Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, List.of(Fault.of(field, said)));
  }

  /**
   * Selects the periods of a range that are due and not settled, to be closed.
   *
   * @throws Refusal if there are none, or more than {@link #MAX_PERIODS}, or the state is none that
   *     can be closed
   */
  public TaskItems close(PeriodRange range) {
    return select(Verb.CLOSE, range, CLOSABLE);
  }

  /**
   * Selects the closings of a range that failed or were rejected, to be restarted.
   *
   * @throws Refusal if there are none, or more than {@link #MAX_PERIODS}, or the state is none that
   *     can be restarted
   */
  public TaskItems restart(PeriodRange range) {
    return select(Verb.RESTART, range, RESTARTABLE);
  }

  private BatchPlan select(Verb verb, PeriodRange range, Set<String> states) {
    String state = range.state();
    if (state != null && !states.contains(state)) {
      List<String> known = states.stream().sorted().toList();
      throw invalid(
          "state",
          verb == Verb.CLOSE
              ? new BatchSentences.NotClosable(state, known)
              : new BatchSentences.NotRestartable(state, known));
    }
    List<Long> inRange = rows.select(verb, range, MAX_PERIODS + 1);
    String cause = range.cause();
    List<Long> selected = cause == null ? inRange : periods.failedFor(cause, inRange);
    if (selected.isEmpty()) {
      throw new WrongState(new BatchSentences.NoneInRange(verb, range.said()));
    }
    requireFew(selected.size(), range.said());
    return plan(verb, range.said(), null, List.of(), selected.stream().map(PeriodId::new).toList());
  }

  private static void requireFew(int periods, Sentence target) {
    if (periods > MAX_PERIODS) {
      throw new WrongState(new BatchSentences.TooManyPeriods(target, MAX_PERIODS));
    }
  }

  /**
   * Says what a board's periods move in a currency.
   *
   * @param periods the number of periods
   * @param gets the sum of what members get
   * @param owes the sum of what members were awarded too much
   */
  public record BoardSum(
      String board, String currency, long periods, BigDecimal gets, BigDecimal owes) {}

  /**
   * Says what a person approves with one batch.
   *
   * @param periods how many outcomes await a decision
   * @param unchanged how many of these change no payment
   * @param reasons why they are held, each with the number of periods
   * @param overpaid what happens to amounts that members were overpaid, by the rules that apply;
   *     empty if the batch amends nothing
   * @param outcomes the numbers of what awaits a decision
   * @param digest changes if any of the outcomes does
   */
  public record ApprovalPage(
      Batch batch,
      long periods,
      long unchanged,
      List<BoardSum> sums,
      Map<HoldReason, Long> reasons,
      Set<OverpaymentPolicy> overpaid,
      List<Integer> outcomes,
      String digest) {
    public ApprovalPage {
      sums = List.copyOf(sums);
      outcomes = List.copyOf(outcomes);
      overpaid = Set.copyOf(overpaid);
    }
  }

  /**
   * Shows what a batch has prepared or left held, as one sum by board and currency.
   *
   * @throws WrongState if no outcome of it awaits a decision
   */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public ApprovalPage page(long id) {
    return page(id, (item, revision) -> {});
  }

  private ApprovalPage page(long id, BiConsumer<Item, Revision> each) {
    Batch batch = rows.get(id);
    return undecidedPage(batch, each)
        .orElseThrow(
            () -> new WrongState(new BatchSentences.NothingToDecide(id, batch.counts().said())));
  }

  /** As {@link #page}; empty if no outcome awaits a decision. */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public Optional<ApprovalPage> undecidedPage(long id) {
    return undecidedPage(rows.get(id), (item, revision) -> {});
  }

  private Optional<ApprovalPage> undecidedPage(Batch batch, BiConsumer<Item, Revision> each) {
    var outcomes = new StringBuilder();
    var sums = new TreeMap<String, BoardSum>();
    var reasons = new LinkedHashMap<HoldReason, Long>();
    var overpaid = EnumSet.noneOf(OverpaymentPolicy.class);
    var numbers = new ArrayList<Integer>();
    long[] periods = {0};
    long[] changed = {0};
    eachUndecidedPage(
        batch,
        undecided -> {
          undecided.forEach(
              (item, revision) -> {
                periods[0]++;
                numbers.add(revision.id());
                outcomes.append(
                    "%s/%s/%s\n".formatted(item.period(), revision.number(), revision.digest()));
                if (revision.base() != null) {
                  overpaid.add(revision.owed());
                }
                revision.heldFor().forEach(reason -> reasons.merge(reason, 1L, Long::sum));
                each.accept(item, revision);
              });
          for (List<BoardSum> moved : sums(batch, undecided)) {
            changed[0] += moved.isEmpty() ? 0 : 1;
            moved.forEach(sum -> sums.merge(sum.board() + " " + sum.currency(), sum, Batches::add));
          }
        });
    if (periods[0] == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new ApprovalPage(
            batch,
            periods[0],
            periods[0] - changed[0],
            List.copyOf(sums.values()),
            reasons,
            overpaid,
            numbers,
            Sha256.of(outcomes.toString()).substring(0, DIGEST_CHARACTERS)));
  }

  /**
   * Returns the members for whom the outcomes of a batch change most, the largest change first;
   * none if there are too many payments to add up for a page.
   */
  public List<MemberSum> largest(ApprovalPage page) {
    return outcomeSums.largest(page.outcomes(), LARGEST_MEMBERS);
  }

  /** What each outcome moves: amendments as recorded, held closings as they are now. */
  private List<List<BoardSum>> sums(Batch batch, Map<Item, Revision> undecided) {
    Map<Integer, List<BoardSum>> recorded = rows.sums(batch, List.copyOf(undecided.keySet()));
    var closings =
        outcomeSums.of(
            undecided.values().stream()
                .filter(revision -> revision.base() == null)
                .map(Revision::id)
                .toList());
    var sums = new ArrayList<List<BoardSum>>();
    undecided.forEach(
        (item, revision) ->
            sums.add(
                revision.base() != null
                    ? recorded.getOrDefault(item.n(), List.of())
                    : closings.getOrDefault(revision.id(), List.of()).stream()
                        .map(
                            sum ->
                                new BoardSum(
                                    item.board(), sum.currency(), 1, sum.gets(), sum.owes()))
                        .toList()));
    return sums;
  }

  private static BoardSum add(BoardSum one, BoardSum other) {
    return new BoardSum(
        one.board(),
        one.currency(),
        one.periods() + other.periods(),
        one.gets().add(other.gets()),
        one.owes().add(other.owes()));
  }

  /** Passes the outcomes of the batch that await a decision, in the order of the items. */
  private void eachUndecidedPage(Batch batch, Consumer<Map<Item, Revision>> consumer) {
    rows.eachPage(
        batch.id(),
        null,
        page -> {
          Map<String, Revision> undecided =
              revisions.awaitingDecision(page.stream().map(Item::period).toList()).stream()
                  .collect(
                      Collectors.toMap(
                          revision -> revision.period() + "/" + revision.number(), r -> r));
          Map<Item, Revision> decidable = new LinkedHashMap<>();
          page.forEach(
              item ->
                  Optional.ofNullable(undecided.get(item.period() + "/" + item.revision()))
                      .ifPresent(revision -> decidable.put(item, revision)));
          consumer.accept(decidable);
        });
  }

  /**
   * A period with an outcome that awaits a decision.
   *
   * @param batch the latest one that has prepared it or left it held
   */
  public record UndecidedPeriod(long batch, String board, String period) {}

  /** The periods that await a decision and belong to a batch, those of the latest batch first. */
  public List<UndecidedPeriod> undecided() {
    return jdbc.sql(
            """
            select max(item.task_id) as batch, period.board, period.name as period
            from revision
            join task_item item using (period_id, revision)
            join task batch on batch.id = item.task_id
            join period on period.id = revision.period_id
            where revision.posted_at is null
              and revision.verdict is null
              and (revision.base is not null or revision.held_for <> '[]')
              and batch.of_task is null
            group by period.board, period.name
            order by batch desc
            """)
        .query(UndecidedPeriod.class)
        .list();
  }

  /** A batch, and how many of its amendments have failed and are in no later batch. */
  public record FailedAmendments(long batch, long periods) {}

  /** The batches with amendments that failed, and that nobody has tried again. */
  public List<FailedAmendments> failedAmendments() {
    return jdbc.sql(
            """
            select batch.id as batch, count(*) as periods
            from task_item item
            join task batch on batch.id = item.task_id
            where item.state = 'failed'
              and batch.verb = 'amend-batch'
              and batch.ended_at is not null
              and not exists (
                select from task_item later
                where later.period_id = item.period_id and later.task_id > item.task_id)
            group by batch.id
            order by batch.id
            """)
        .query(FailedAmendments.class)
        .list();
  }

  /**
   * Selects what a batch has prepared or left held, to be decided on.
   *
   * @param verb approve or reject
   * @param expect the digest of the {@link #page} that the person was shown
   * @throws WrongState if it has another digest now, or nothing awaits a decision
   */
  public TaskItems decide(Verb verb, long id, String expect) {
    var undecided = new ArrayList<BatchPlan.Planned>();
    ApprovalPage page =
        page(
            id,
            (item, revision) ->
                undecided.add(BatchPlan.Planned.of(item, revision.number(), revision.digest())));
    if (!page.digest().equals(expect)) {
      throw new WrongState(new BatchSentences.Changed(id, expect, page.digest()))
          .then(Next.of(verb.ofTask()).with("id", id).with("expect", page.digest()));
    }
    return decisions(
        verb,
        new BatchSentences.OfBatch(id, page.batch().target()),
        id,
        expect,
        undecided,
        verb == Verb.APPROVE ? BatchPlan.pays(page) : null);
  }

  private BatchPlan decisions(
      Verb verb,
      Sentence target,
      long of,
      String digest,
      List<BatchPlan.Planned> undecided,
      @Nullable ExpectedPayout pays) {
    return new BatchPlan(
        rows,
        verb,
        target,
        null,
        of,
        digest,
        undecided,
        () -> undecided.stream().map(BatchPlan.Planned::line).toList(),
        pays);
  }

  /**
   * What a digest names, as a person decides on it.
   *
   * @param batch by which the person decides, or has decided; null if there is none, or it has
   *     ended and something with that digest still awaits a decision
   * @param sums none if nothing with that digest awaits a decision
   */
  public record Decision(@Nullable Batch batch, List<BoardSum> sums) {}

  /**
   * Finds what a person decides on.
   *
   * @param verb approve or reject
   */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  public Decision decision(Verb verb, long id, String expect, String by) {
    Optional<ApprovalPage> shown = undecidedPage(id).filter(page -> page.digest().equals(expect));
    return new Decision(
        rows.decisions(verb, id, expect, by).stream()
            .filter(decision -> decision.endedAt() == null || shown.isEmpty())
            .min(comparing(decision -> decision.endedAt() != null))
            .orElse(null),
        shown.map(ApprovalPage::sums).orElse(List.of()));
  }

  /** Whether a person may resume a batch: one that decides goes on for that person alone. */
  public boolean mayResume(Batch batch, String by) {
    return batch.of() == null || rows.areOnePerson(by, batch.by());
  }

  /**
   * Makes a batch try its failed periods again, and those behind them.
   *
   * @return what is left to do
   * @throws Refusal if there is no such batch, nothing is left to do in it, or it decides for
   *     somebody else
   */
  @Transactional
  public Result resume(long id, String by) {
    Batch begun = rows.get(id);
    if (!mayResume(begun, by)) {
      throw new WrongState(
          new BatchSentences.OfAnother(id, begun.by(), Objects.requireNonNull(begun.of())));
    }
    rows.reopen(id);
    Batch batch = rows.get(id);
    if (batch.counts().pending() == 0) {
      throw new WrongState(new BatchSentences.NothingLeft(id, batch.counts().said()));
    }
    BatchPlan rest = rest(batch);
    return Result.done(new BatchSentences.Begun(id, rest.order())).changing(rest.changes());
  }

  private BatchPlan rest(Batch batch) {
    var pending = new ArrayList<Item>();
    rows.eachPage(batch.id(), Batch.State.PENDING, pending::addAll);
    if (batch.of() != null) {
      return decisions(
          batch.verb(),
          batch.target(),
          batch.of(),
          Objects.requireNonNull(batch.digest()),
          pending.stream()
              .map(item -> BatchPlan.Planned.of(item, item.revision(), item.digest()))
              .toList(),
          null);
    }
    SortedSet<Long> ids = rows.exclusions(batch.id());
    return plan(
        batch.verb(),
        batch.target(),
        ids,
        ids.stream().map(id -> exclusions.find(id).orElseThrow().toString()).toList(),
        pending.stream().map(Item::period).toList());
  }

  /**
   * Ends a batch before all of its periods were tried. A period that is being worked on is
   * completed.
   *
   * @throws Refusal if there is no such batch, or it has ended
   */
  @Transactional
  public Batch cancel(long id, String by, String reason) {
    Batch batch = rows.get(id);
    if (batch.endedAt() != null) {
      throw new WrongState(new BatchSentences.Ended(id, batch.counts().said()));
    }
    rows.stop(id, new BatchSentences.CancelledBy(by, reason));
    return batch;
  }

  /**
   * Finds a batch.
   *
   * @throws Refusal if there is none of that number
   */
  public Batch get(long id) {
    return rows.get(id);
  }

  /**
   * Returns the latest tasks, the last one first.
   *
   * @param onlyBatches only tasks with items
   * @param before only those before the task with this number; null for all
   */
  public List<TaskEntry> latest(boolean onlyBatches, @Nullable Long before, int count) {
    return rows.latest(onlyBatches, before, count);
  }

  /**
   * Returns items of a batch in their order.
   *
   * @param state only those in this state; null for all
   * @param after only items with higher numbers; 0 for all
   */
  public List<Item> items(long id, Batch.@Nullable State state, long after, int count) {
    return rows.items(rows.get(id).id(), state, after, count);
  }
}
