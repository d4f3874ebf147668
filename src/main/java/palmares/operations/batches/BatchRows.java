package palmares.operations.batches;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.operations.batches.BatchSentences.Unknown;
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.report.OutcomeSums.Sum;
import palmares.period.PeriodId;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.settlement.outcome.Revision;
import tools.jackson.databind.json.JsonMapper;

/** Stores batches, their items and their sums. */
@Component
class BatchRows {
  private static final JsonMapper JSON = JsonMapper.shared();

  static final int ITEMS_PER_PAGE = 500;

  /** If a runner shows no sign for this time, another one can take the batch. */
  static final Duration RUNNER_LEASE_DURATION = Duration.ofSeconds(20);

  private static final String SELECT =
      """
      select batch.id, verb, target, of_batch as of, digest, made_by as by, reason, made_at,
        ended_at, counts.*
      from period_batch batch
      cross join lateral (
        select
          count(*) filter (where state = 'pending') as pending,
          count(*) filter (where state = 'done') as done,
          count(*) filter (where state = 'unchanged') as unchanged,
          count(*) filter (where state = 'held') as held,
          count(*) filter (where state = 'refused') as refused,
          count(*) filter (where state = 'failed') as failed
        from period_batch_item
        where batch_id = batch.id
      ) counts
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  BatchRows(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  long insert(
      Verb verb,
      Sentence target,
      @Nullable Collection<Long> exclusions,
      @Nullable Long of,
      @Nullable String digest,
      String by,
      String reason) {
    return jdbc.sql(
            """
            insert into period_batch (
              verb, target, exclusions, of_batch, digest, reason, made_by, made_at)
            values (:verb, :target::jsonb, :exclusions::bigint[], :of, :digest, :reason, :by, :now)
            returning id
            """)
        .param("verb", verb)
        .param("target", JSON.writeValueAsString(target))
        .param("exclusions", exclusions)
        .param("of", of)
        .param("digest", digest)
        .param("reason", reason)
        .param("by", by)
        .param("now", clock.instant())
        .query(Long.class)
        .single();
  }

  void insertItems(long batch, List<Long> periods) {
    jdbc.sql(
            """
            insert into period_batch_item (batch_id, n, period_id)
            select :batch, n, id
            from unnest(:periods::bigint[]) with ordinality as given (id, n)
            """)
        .param("batch", batch)
        .param("periods", periods)
        .update();
  }

  /** An outcome on which a person decides, and its digest when it was shown. */
  record Decided(int n, PeriodId period, int revision, String digest) {}

  void insertDecided(long batch, List<Decided> decided) {
    jdbc.sql(
            """
            insert into period_batch_item (batch_id, n, period_id, revision, digest)
            select :batch, given.*
            from unnest(:ns::int[], :periods::bigint[], :revisions::int[], :digests::text[]) given
            """)
        .param("batch", batch)
        .param("ns", decided.stream().map(Decided::n).toList())
        .param("periods", decided.stream().map(d -> d.period().value()).toList())
        .param("revisions", decided.stream().map(Decided::revision).toList())
        .param("digests", decided.stream().map(Decided::digest).toList())
        .update();
  }

  Batch get(long id) {
    return jdbc.sql(SELECT + "where batch.id = :id")
        .param("id", id)
        .query(Batch.class)
        .optional()
        .orElseThrow(() -> new Refusal(Problem.UNKNOWN_OBJECT, new Unknown(id)));
  }

  /** Returns the exclusions that the batch amends for; none for other batches. */
  List<Long> exclusions(long batch) {
    return jdbc.sql("select unnest(exclusions) as id from period_batch where id = :id order by id")
        .param("id", batch)
        .query(Long.class)
        .list();
  }

  /** Whether an outcome was computed after all exclusions of the batch were made or lifted. */
  boolean hasExclusionsOf(Batch batch, Revision outcome) {
    return jdbc.sql(
            """
            select coalesce(
              bool_and(
                revision.frozen_at > greatest(exclusion.made_at, exclusion.lifted_at)),
              false)
            from period_batch batch
            join exclusion on exclusion.id = any(batch.exclusions)
            join revision on revision.id = :outcome
            where batch.id = :batch
            """)
        .param("outcome", outcome.id())
        .param("batch", batch.id())
        .query(Boolean.class)
        .single();
  }

  List<Batch> latest(@Nullable Long before, int count) {
    return jdbc.sql(
            SELECT
                + """
                where :before::bigint is null or batch.id < :before
                order by batch.id desc
                limit :count
                """)
        .param("before", before)
        .param("count", count)
        .query(Batch.class)
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
                where verb = :verb and of_batch = :of and digest = :digest and made_by = :by
                order by batch.id desc
                """)
        .param("verb", verb)
        .param("of", of)
        .param("digest", digest)
        .param("by", by)
        .query(Batch.class)
        .list();
  }

  /** Finds the batches that have work left and no runner. */
  List<Long> waiting() {
    return jdbc.sql(
            """
            select id from period_batch
            where ended_at is null and (runner_until is null or runner_until <= :now)
            order by id
            """)
        .param("now", clock.instant())
        .query(Long.class)
        .list();
  }

  /**
   * Gives a runner a batch that has none; returns false if it has one.
   *
   * @param runner a name that no other run has, not in this process either
   */
  boolean take(long id, String runner) {
    return jdbc.sql(
                """
                update period_batch
                set runner = :runner, runner_until = :until
                where id = :id and (runner_until is null or runner_until <= :now)
                """)
            .param("runner", runner)
            .param("until", clock.instant().plus(RUNNER_LEASE_DURATION))
            .param("now", clock.instant())
            .param("id", id)
            .update()
        == 1;
  }

  /** Keeps the batch for longer; returns false if somebody has cancelled it or another has it. */
  boolean keep(long id, String runner) {
    return jdbc.sql(
            """
            update period_batch set runner_until = :until
            where id = :id and runner = :runner
            returning ended_at is null
            """)
        .param("until", clock.instant().plus(RUNNER_LEASE_DURATION))
        .param("id", id)
        .param("runner", runner)
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }

  /** Whether the person who began a batch may still do what it does. */
  boolean mayAct(Batch batch) {
    boolean decides = batch.verb() == Verb.APPROVE || batch.verb() == Verb.REJECT;
    return jdbc.sql("select may_act(:by, :role, :since, :now)")
        .param("by", batch.by())
        .param("role", decides ? "approver" : "operator")
        .param("since", batch.madeAt())
        .param("now", clock.instant())
        .query(Boolean.class)
        .single();
  }

  /** Ends a batch before all of its periods were tried; those that are left say why. */
  void stop(long id, Sentence why) {
    jdbc.sql(
            """
            with remaining as (
              update period_batch_item set message = :why::jsonb
              where batch_id = :id and state = 'pending'
            )
            update period_batch set ended_at = :now where id = :id and ended_at is null
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

  /**
   * Gives the batch back, and ends it unless some of its periods are held by others. One that was
   * cancelled stays so.
   *
   * @return false if another runner has it; then nothing is changed
   */
  boolean release(long id, String runner, boolean ended) {
    return jdbc.sql(
                """
                update period_batch
                set runner = null, runner_until = null,
                  ended_at = coalesce(ended_at, case when :ended then :now::timestamptz end)
                where id = :id and runner = :runner
                """)
            .param("ended", ended)
            .param("now", clock.instant())
            .param("id", id)
            .param("runner", runner)
            .update()
        == 1;
  }

  void reopen(long id) {
    jdbc.sql(
            """
            with failed as (
              update period_batch_item
              set state = 'pending', message = null
              where batch_id = :id and state in ('failed', 'pending')
            )
            update period_batch set ended_at = null where id = :id
            """)
        .param("id", id)
        .update();
  }

  List<Item> items(long batch, @Nullable State state, long after, int count) {
    return jdbc.sql(
            """
            select n, period_id as period, board, name, item.state, item.revision, digest,
              message, at
            from period_batch_item item
            join period on period.id = period_id
            where batch_id = :batch and n > :after
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
                update period_batch_item
                set state = :state, revision = coalesce(:revision, revision),
                  message = :message::jsonb,
                  at = :now
                where batch_id = :batch and n = :n and state = 'pending'
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
                  select from period_batch
                  where verb = 'approve'
                    and of_batch = :of
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
              insert into period_batch_sum (batch_id, n, currency, gets, owes)
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
    Map<Integer, List<BoardSum>> sums = new HashMap<>();
    Map<Integer, String> boards = items.stream().collect(Collectors.toMap(Item::n, Item::board));
    jdbc.sql(
            """
            select n, currency, gets, owes
            from period_batch_sum
            where batch_id = :batch and n = any(:items)
            """)
        .param("batch", batch.id())
        .param("items", boards.keySet())
        .query(
            row -> {
              int n = row.getInt("n");
              sums.computeIfAbsent(n, item -> new ArrayList<>())
                  .add(
                      new BoardSum(
                          Objects.requireNonNull(boards.get(n)),
                          row.getString("currency"),
                          1,
                          row.getBigDecimal("gets"),
                          row.getBigDecimal("owes")));
            });
    return sums;
  }
}
