package palmares.operations.batches;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.tasks.Tasks;
import palmares.period.Lease;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import tools.jackson.databind.json.JsonMapper;

/** Stores batches, their items and their sums. */
@Component
class BatchRows {
  private static final JsonMapper JSON = JsonMapper.shared();

  static final int ITEMS_PER_PAGE = 500;

  private static final String COUNTS =
      """
      cross join lateral (
        select
          count(*) filter (where state = 'pending') as pending,
          count(*) filter (where state = 'done') as done,
          count(*) filter (where state = 'unchanged') as unchanged,
          count(*) filter (where state = 'held') as held,
          count(*) filter (where state = 'refused') as refused,
          count(*) filter (where state = 'failed') as failed
        from task_item
        where task_id = task.id
      ) counts
      """;

  private static final String SELECT =
      """
      select task.id, replace(verb, '-batch', '') as verb, target, of_task as of, digest,
        made_by as by, reason, started_at as made_at, ended_at, counts.*
      from task
      """
          + COUNTS;

  private final JdbcClient jdbc;
  private final Clock clock;

  BatchRows(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Makes a task that has begun one with items, which any runner may take. */
  void begin(long id, BatchPlan plan) {
    SortedSet<Long> exclusions = plan.exclusions();
    int begun =
        jdbc.sql(
                """
                update task
                set target = :target::jsonb, exclusions = :exclusions::bigint[], of_task = :of,
                  digest = :digest, runner = null, runner_until = null,
                  progress = progress || :begun::jsonb
                where id = :id and state = 'running' and runner = :runner
                """)
            .param("target", JSON.writeValueAsString(plan.target()))
            .param("exclusions", exclusions)
            .param("of", plan.of())
            .param("digest", plan.digest())
            .param("begun", Said.storable(new BatchSentences.Begun(id, plan.order())))
            .param("id", id)
            .param("runner", Lease.THIS_PROCESS)
            .update();
    if (begun != 1) {
      throw Tasks.takenOver(id);
    }
    List<BatchPlan.Planned> items = plan.items();
    jdbc.sql(
            """
            insert into task_item (task_id, n, period_id, revision, digest)
            select :id, n, period, revision, digest
            from unnest(:periods::bigint[], :revisions::int[], :digests::text[])
              with ordinality as given (period, revision, digest, n)
            """)
        .param("id", id)
        .param("periods", items.stream().map(item -> item.period()).toList())
        .param("revisions", items.stream().map(item -> item.revision()).toList())
        .param("digests", items.stream().map(item -> item.digest()).toList())
        .update();
  }

  Batch get(long id) {
    return jdbc.sql(SELECT + "where task.id = :id and target is not null")
        .param("id", id)
        .query(Batch.class)
        .optional()
        .orElseThrow(() -> new Refusal(Problem.UNKNOWN_OBJECT, new BatchSentences.Unknown(id)));
  }

  /** Returns the exclusions that the batch amends for; none for other batches. */
  SortedSet<Long> exclusions(long batch) {
    return new TreeSet<>(
        jdbc.sql("select unnest(exclusions) from task where id = :id")
            .param("id", batch)
            .query(Long.class)
            .list());
  }

  /** Whether an outcome was computed after all exclusions of the batch were made or lifted. */
  boolean hasExclusionsOf(Batch batch, Revision outcome) {
    return jdbc.sql(
            """
            select coalesce(
              bool_and(
                revision.frozen_at > greatest(exclusion.made_at, exclusion.lifted_at)),
              false)
            from task batch
            join exclusion on exclusion.id = any(batch.exclusions)
            join revision on revision.id = :outcome
            where batch.id = :batch
            """)
        .param("outcome", outcome.id())
        .param("batch", batch.id())
        .query(Boolean.class)
        .single();
  }

  /** A process that dies leaves its task without a heartbeat. */
  List<TaskEntry> latest(boolean onlyBatches, @Nullable Long before, int count) {
    return jdbc.sql(
            """
            select task.id, verb, board, period, target,
              case
                when ended_at is null and target is null and runner_until <= :now then 'abandoned'
                when state = 'held' and target is not null and not exists (
                  select from task_item item
                  join revision using (period_id, revision)
                  where item.task_id = task.id
                    and revision.posted_at is null
                    and revision.verdict is null) then 'done'
                else state
              end as state,
              made_by as by, reason, started_at, ended_at, counts.*
            from task
            """
                + COUNTS
                + """
                where (target is not null or not :only_batches)
                  and (:before::bigint is null or task.id < :before)
                order by task.id desc
                limit :count
                """)
        .param("now", clock.instant())
        .param("only_batches", onlyBatches)
        .param("before", before)
        .param("count", count)
        .query(TaskEntry.class)
        .list();
  }

  /**
   * Finds the periods of a range that are due and not settled. Without a state, restarts only what
   * failed or was rejected, and closes all but those.
   *
   * @param most the largest number of periods; of a range of one cause, all that failed for any
   */
  List<Long> select(Verb verb, PeriodRange range, int most) {
    BoardId board = range.board();
    return jdbc.sql(
            """
            select id from period
            where settled_at is null
              and closes_at <= :now
              and (:board::text is null or board = :board)
              and (:from::timestamptz is null or starts_at >= :from)
              and (:to::timestamptz is null or starts_at < :to)
              and (not :failed or failures > 0 and not needs_person(state))
              and case
                when :state::text = 'failed' then failures > 0
                when :state::text is not null then state = :state
                when :restart then state = 'rejected' or failures > 0 and state <> 'held'
                else state <> 'rejected'
              end
            order by board, starts_at
            limit :limit
            """)
        .param("now", clock.instant())
        .param("board", board)
        .param("from", range.from())
        .param("to", range.to())
        .param("state", range.state())
        .param("restart", verb == Verb.RESTART)
        .param("failed", range.cause() != null)
        .param("limit", range.cause() == null ? most : null)
        .query(Long.class)
        .list();
  }

  /** Finds the decisions of a person on what a digest names, the latest first. */
  List<Batch> decisions(Verb verb, long of, String digest, String by) {
    return jdbc.sql(
            SELECT
                + """
                where verb = :verb and of_task = :of and digest = :digest and made_by = :by
                order by task.id desc
                """)
        .param("verb", verb.ofTask())
        .param("of", of)
        .param("digest", digest)
        .param("by", by)
        .query(Batch.class)
        .list();
  }

  /** Ends a batch before all of its periods were tried; those that are left say why. */
  void stop(long id, Sentence why) {
    jdbc.sql(
            """
            with remaining as (
              update task_item set message = :why::jsonb
              where task_id = :id and state = 'pending'
            )
            update task set ended_at = :now, state = 'failed'
            where id = :id and ended_at is null
            """)
        .param("why", JSON.writeValueAsString(why))
        .param("now", clock.instant())
        .param("id", id)
        .update();
  }

  boolean areOnePerson(String one, String other) {
    return jdbc.sql("select person(:one) = person(:other)")
        .param("one", one)
        .param("other", other)
        .query(Boolean.class)
        .single();
  }

  void reopen(long id) {
    jdbc.sql(
            """
            with failed as (
              update task_item
              set state = 'pending', message = null
              where task_id = :id and state in ('failed', 'pending')
            )
            update task set ended_at = null, state = 'running', resumed = resumed + 1 where id = :id
            """)
        .param("id", id)
        .update();
  }

  List<Item> items(long batch, @Nullable State state, long after, int count) {
    return jdbc.sql(
            """
            select n, period_id as period, board, name, item.state, item.revision, digest,
              message, at
            from task_item item
            join period on period.id = period_id
            where task_id = :batch and n > :after
              and (:state::text is null or item.state = :state)
            order by n
            limit :count
            """)
        .param("batch", batch)
        .param("after", after)
        .param("state", state)
        .param("count", count)
        .query(Item.class)
        .list();
  }

  /** Reads all items in a state a page at a time; null for all states. */
  void eachPage(long batch, @Nullable State state, Consumer<List<Item>> consumer) {
    int after = 0;
    List<Item> page;
    do {
      page = items(batch, state, after, ITEMS_PER_PAGE);
      if (!page.isEmpty()) {
        consumer.accept(page);
        after = page.get(page.size() - 1).n();
      }
    } while (page.size() == ITEMS_PER_PAGE);
  }

  /**
   * Records what became of a period.
   *
   * @throws RecordedByAnother if another runner has recorded it
   */
  void record(
      long batch, Item item, State state, @Nullable Integer revision, @Nullable Sentence message) {
    int changed =
        jdbc.sql(
                """
                update task_item
                set state = :state, revision = coalesce(:revision, revision),
                  message = :message::jsonb,
                  at = :now
                where task_id = :batch and n = :n and state = 'pending'
                """)
            .param("state", state)
            .param("revision", revision)
            .param("message", message == null ? null : JSON.writeValueAsString(message))
            .param("now", clock.instant())
            .param("batch", batch)
            .param("n", item.n())
            .update();
    if (changed != 1) {
      throw new RecordedByAnother(
          "another runner has worked on %s in batch %d".formatted(item.label(), batch));
    }
  }

  /** Says that another runner has recorded what became of a period, after it took the batch. */
  static final class RecordedByAnother extends RuntimeException {
    RecordedByAnother(String message) {
      super(message);
    }
  }

  /**
   * Whether everybody who has approved the outcome of an item so far was shown what this batch was
   * approved by.
   */
  boolean wasShownToAll(Batch batch, Item item) {
    return jdbc.sql(
            """
            select not exists (
              select from approval
              where approval.period_id = :period
                and approval.revision = :revision
                and not exists (
                  select from task
                  where verb = 'approve-batch'
                    and of_task = :of
                    and digest = :digest
                    and made_by = approval.by))
            """)
        .param("period", item.period())
        .param("revision", item.revision())
        .param("of", batch.of())
        .param("digest", batch.digest())
        .query(Boolean.class)
        .single();
  }

  void recordSums(long batch, Item item, List<Sum> sums) {
    for (Sum sum : sums) {
      jdbc.sql(
              """
              insert into task_sum (task_id, n, currency, gets, owes)
              values (:batch, :n, :currency, :gets, :owes)
              """)
          .param("batch", batch)
          .param("n", item.n())
          .param("currency", sum.currency())
          .param("gets", sum.gets())
          .param("owes", sum.owes())
          .update();
    }
  }

  /** What prepared amendments move, as recorded, by the numbers of the items. */
  Map<Integer, List<BoardSum>> sums(Batch batch, List<Item> items) {
    return jdbc.sql(
            """
            select n, board, currency, 1 as periods, gets, owes
            from task_sum
            join task_item using (task_id, n)
            join period on period.id = period_id
            where task_id = :batch and n = any(:items)
            """)
        .param("batch", batch.id())
        .param("items", items.stream().map(Item::n).toList())
        .query(RecordMapper.lists(Integer.class, BoardSum.class));
  }
}
