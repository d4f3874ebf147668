package palmares.settlement.outbox;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.WrongState;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.settlement.outbox.DeliveryTarget.Answer;
import palmares.settlement.outbox.FactBatch.Position;
import palmares.settlement.wallet.Receipts;
import palmares.settlement.wallet.Resend;
import palmares.settlement.wallet.WalletFindings;

/** Stores how far each target has been served, and lets operators see and change it. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Deliveries {
  /** A target is no longer configured if no process has registered it for this time. */
  private static final Duration MIN_TIME_UNSEEN = Duration.ofMinutes(3);

  /** A target that fails for less time than this may be about to return. */
  private static final Duration MIN_TIME_FAILING = Duration.ofMinutes(5);

  private final Facts facts;
  private final Receipts receipts;
  private final WalletFindings findings;
  private final OutboxSettings settings;
  private final JdbcClient jdbc;
  private final Clock clock;

  Deliveries(
      Facts facts,
      Receipts receipts,
      WalletFindings findings,
      OutboxSettings settings,
      JdbcClient jdbc,
      Clock clock) {
    this.facts = facts;
    this.receipts = receipts;
    this.findings = findings;
    this.settings = settings;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** The status of every target that was ever configured, by name. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<DeliveryStatus> all() {
    return jdbc.sql("select * from outbox_overview order by name")
        .query(DeliveryStatus.class)
        .list();
  }

  /** The status of the targets that are parked, or fail for longer than a restart takes. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<DeliveryStatus> needingAPerson() {
    return jdbc.sql(
            """
            select * from outbox_overview
            where parked_at is not null or failing_since <= :since
            order by name
            """)
        .param("since", clock.instant().minus(MIN_TIME_FAILING))
        .query(DeliveryStatus.class)
        .list();
  }

  /**
   * A target, and since when deliveries to it fail.
   *
   * @param since null if the last one succeeded
   */
  public record FailingTarget(String name, @Nullable Instant since) {}

  /** Every target that was ever configured, and since when it fails; it counts no facts. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<FailingTarget> failing() {
    return jdbc.sql("select name, failing_since as since from outbox_target order by name")
        .query(FailingTarget.class)
        .list();
  }

  /**
   * Retries failed deliveries at once, those to parked targets too.
   *
   * @param name only this target; null for all
   * @return the names of the targets that are retried
   */
  @Transactional
  public List<String> retry(@Nullable String name) {
    return jdbc.sql(
            """
            update outbox_target
            set failures = 0, failing_since = null, failure = null, retry_at = null,
              parked_at = null
            where name = coalesce(:name, name) and failures > 0
            returning name
            """)
        .param("name", name)
        .query(String.class)
        .list();
  }

  /**
   * What a target is delivered again.
   *
   * @param fact the id of the first fact of the asked time
   * @param hasBacklog whether the target was not served up to that fact yet: then nothing changes,
   *     its backlog comes first and leads to that fact
   */
  public record Redelivery(String name, long fact, boolean hasBacklog) {}

  /**
   * Delivers all facts since a time again, as far as they are kept. It never moves a target
   * forward, which would skip facts that were never delivered.
   *
   * @param name only to this target; null for all
   * @return for each target; empty if no fact since that time is kept
   */
  @Transactional
  public List<Redelivery> redeliver(@Nullable String name, Instant from) {
    facts.number();
    return jdbc.sql(
            """
            with first as (
              select min(n) as n, min(id) as id from fact where at >= :from
            ), moved as (
              update outbox_target target
              set fact = least(target.fact, first.n - 1), parts = 0, after_member = '',
                after_rule = 0, after_purpose = 0, batch = null, again_at = :now
              from first
              where name = coalesce(:name, name)
                and (target.fact >= first.n
                  or parts > 0 and not exists (
                    select from fact
                    where n > target.fact and n < first.n and type = any(target.facts)))
              returning name
            )
            select target.name, first.id as fact, moved.name is null as has_backlog
            from outbox_target target
            cross join first
            left join moved on moved.name = target.name
            where target.name = coalesce(:name, target.name) and first.n is not null
            order by target.name
            """)
        .param("name", name)
        .param("from", from)
        .param("now", clock.instant())
        .query(Redelivery.class)
        .list();
  }

  /**
   * Removes a target that is not configured any more. One that is configured would lose its
   * backlog.
   *
   * @return since when it was there; empty if there is none
   * @throws WrongState if a server that runs has it configured
   */
  @Transactional
  public Optional<Instant> forget(String name) {
    Optional<Instant> seen =
        jdbc.sql("select seen_at from outbox_target where name = :name for update")
            .param("name", name)
            .query(Instant.class)
            .optional();
    if (seen.isPresent() && clock.instant().isBefore(seen.get().plus(MIN_TIME_UNSEEN))) {
      throw new WrongState(
          new DeliverySentences.Configured(
              name, seen.get().atZone(ZoneOffset.UTC), MIN_TIME_UNSEEN.toMinutes()));
    }
    return jdbc.sql("delete from outbox_target where name = :name returning since")
        .param("name", name)
        .query(Instant.class)
        .optional();
  }

  /**
   * A page of the attempts, the latest first.
   *
   * @param name only to this target; null for all
   * @param failed whether to leave out those that arrived
   * @param before only those before this one; null for the first page
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<DeliveryAttempt> attempts(
      @Nullable String name, boolean failed, @Nullable Long before, int most) {
    return jdbc.sql(
            """
            select id, started_at, target, took_ms, batch as delivery, facts, answer,
              failure as error,
              case when failure is null then 'delivered' when parked then 'parked' else 'failed' end
                as outcome
            from delivery_attempt
            where target = coalesce(:name, target)
              and (not :failed or failure is not null)
              and (:before::bigint is null or id < :before)
            order by id desc
            limit :most
            """)
        .param("name", name)
        .param("failed", failed)
        .param("before", before)
        .param("most", most)
        .query(DeliveryAttempt.class)
        .list();
  }

  /**
   * Deletes facts past their retention, never one that a target does not have yet, and old
   * attempts. Failed ones count alone, so that many deliveries do not displace them.
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  public void prune() {
    facts.prune(settings.retention(), clock.instant());
    jdbc.sql(
            """
            delete from delivery_attempt
            using (
              select id, row_number() over (
                partition by target, failure is null order by id desc) as n
              from delivery_attempt) counted
            where counted.id = delivery_attempt.id and counted.n > :keep
            """)
        .param("keep", settings.keepAttempts())
        .update();
  }

  /**
   * A target's row, locked.
   *
   * @param facts the facts that the next batch is made of
   * @param batch how many parts the batch has that is being sent; null if none is being sent
   */
  record Row(
      Position position,
      Subscription facts,
      @Nullable Integer batch,
      int failures,
      @Nullable Instant failingSince,
      @Nullable Instant retryAt,
      @Nullable Instant parkedAt) {
    boolean isDue(Instant now) {
      return parkedAt == null && (retryAt == null || !now.isBefore(retryAt));
    }
  }

  /**
   * Inserts a new target, which gets the facts from now on, or updates its address, and its facts
   * unless a batch is being sent.
   */
  void register(DeliveryTarget target, long lastFact, Instant now) {
    jdbc.sql(
            """
            insert into outbox_target as target (
              name, address, facts, confirms, since, seen_at, fact)
            values (:name, :address, :facts, :confirms, :now, :now, :fact)
            on conflict (name) do update
            set address = excluded.address, confirms = excluded.confirms,
              seen_at = excluded.seen_at,
              facts = case
                when target.batch is null and target.parts = 0 then excluded.facts
                else target.facts
              end
            """)
        .param("facts", target.facts().types())
        .param("confirms", target.confirms())
        .param("name", target.name())
        .param("address", target.address())
        .param("now", now)
        .param("fact", lastFact)
        .update();
  }

  /**
   * Records that a process has the target configured, unless another process delivers to it now,
   * which records the same.
   *
   * @return whether the target is registered
   */
  boolean touch(String name, Instant now) {
    return jdbc.sql(
            """
            with free as (
              select name from outbox_target where name = :name for update skip locked
            ), touched as (
              update outbox_target target
              set seen_at = :now
              from free
              where target.name = free.name
            )
            select exists (select from outbox_target where name = :name)
            """)
        .param("name", name)
        .param("now", now)
        .query(Boolean.class)
        .single();
  }

  /** Locks a target's row; empty if there is none, or another process delivers to the target. */
  Optional<Row> lock(String name) {
    return jdbc.sql(
            """
            select
              fact, parts, after_member, after_rule, after_purpose, facts, batch, failures,
              failing_since, retry_at, parked_at
            from outbox_target
            where name = :name
            for update skip locked
            """)
        .param("name", name)
        .query(Row.class)
        .optional();
  }

  /** Stores the size of the batch that is sent next, and the facts that it is made of. */
  void plan(String name, int batch, Subscription facts) {
    jdbc.sql("update outbox_target set batch = :batch, facts = :facts where name = :name")
        .param("batch", batch)
        .param("facts", facts.types())
        .param("name", name)
        .update();
  }

  /** Moves the position behind facts that the target does not want. */
  void skip(String name, long fact) {
    jdbc.sql("update outbox_target set fact = :fact where name = :name")
        .param("fact", fact)
        .param("name", name)
        .update();
  }

  void delivered(String name, FactBatch batch, Instant now) {
    markDelivered(name, batch.end().fact(), now);
    jdbc.sql(
            """
            update outbox_target
            set fact = :fact, parts = :parts, after_member = :member, after_rule = :rule,
              after_purpose = :purpose, batch = null, delivered = delivered + :count,
              delivered_at = :now, failures = 0, failing_since = null, failure = null,
              retry_at = null
            where name = :name
            """)
        .param("fact", batch.end().fact())
        .param("parts", batch.end().parts())
        .param("member", batch.end().after().member())
        .param("rule", batch.end().after().rule())
        .param("purpose", batch.end().after().purpose())
        .param("count", batch.facts().size())
        .param("now", now)
        .param("name", name)
        .update();
  }

  /** Records the revisions up to a fact of which the wallet has all transfers. */
  private void markDelivered(String name, long fact, Instant now) {
    jdbc.sql(
            """
            insert into delivered_outcome (outcome, target, delivered_at)
            select revision.id, target.name, :now
            from outbox_target target
            join fact
              on fact.n > target.fact and fact.n <= :fact and fact.type = any(target.facts)
            join period on period.board = fact.board and period.name = fact.period
            join revision on revision.period_id = period.id and revision.revision = fact.revision
            where target.name = :name and target.confirms
            on conflict do nothing
            """)
        .param("name", name)
        .param("fact", fact)
        .param("now", now)
        .update();
  }

  /** Stores what the wallet answered about awards. Others do not say. */
  void answered(String name, FactBatch batch, Answer answer) {
    receipts.recordAnswer(answer.receipts(), answer.fault(), batch.id(), name);
  }

  /**
   * The oldest awards that are to be sent again, all of one outcome. Those that were taken back, or
   * accepted, since somebody asked for them are dropped.
   */
  List<Resend> resends(int most) {
    List<Resend> asked =
        jdbc.sql(
                """
                select id, outcome, rule, member from resend
                where sent_at is null
                  and outcome = (
                    select outcome from resend where sent_at is null order by id limit 1)
                order by member, rule
                limit :most
                for update
                """)
            .param("most", most)
            .query(Resend.class)
            .list();
    Set<Long> dropped = findings.notToBeSent(asked);
    if (!dropped.isEmpty()) {
      jdbc.sql("delete from resend where id = any(:ids::bigint[])").param("ids", dropped).update();
    }
    return asked.stream().filter(one -> !dropped.contains(one.id())).toList();
  }

  void resent(List<Resend> resends) {
    jdbc.sql("update resend set sent_at = :now where id = any(:ids::bigint[])")
        .param("ids", resends.stream().map(Resend::id).toList())
        .param("now", clock.instant())
        .update();
  }

  /** Records a failure, and when delivery is retried; if that is null, the target is parked. */
  void failed(String name, Sentence failure, Instant now, @Nullable Instant retryAt) {
    jdbc.sql(
            """
            update outbox_target
            set failures = failures + 1, failing_since = coalesce(failing_since, :now),
              failure = :failure::jsonb, retry_at = :retry::timestamptz,
              parked_at = case when :retry::timestamptz is null then :now::timestamptz end
            where name = :name
            """)
        .param("failure", Said.toJson(failure))
        .param("now", now)
        .param("retry", retryAt)
        .param("name", name)
        .update();
  }

  void attempted(
      String name,
      FactBatch batch,
      Instant startedAt,
      @Nullable Integer answer,
      @Nullable Sentence failure,
      boolean parked) {
    long took = Duration.between(startedAt, clock.instant()).toMillis();
    jdbc.sql(
            """
            insert into delivery_attempt (
              target, started_at, took_ms, batch, facts, answer, failure, parked)
            values (:name, :at, :took, :batch, :facts, :answer, :failure::jsonb, :parked)
            """)
        .param("name", name)
        .param("at", startedAt)
        .param("took", Math.max(0, took))
        .param("batch", batch.id())
        .param("facts", batch.facts().size())
        .param("answer", answer)
        .param("failure", failure == null ? null : Said.toJson(failure))
        .param("parked", parked)
        .update();
  }

  /**
   * The status of deliveries to a target.
   *
   * @param since the target gets facts from this time on
   * @param delivered how many facts were delivered; those delivered again count again
   * @param waiting how many facts are not delivered yet
   * @param failures how often in a row delivery has failed; 0 if the last attempt succeeded
   * @param failure why the last attempt failed
   * @param retryAt when delivery is retried; null for at once
   * @param parkedAt when retries stopped; null if they go on
   */
  public record DeliveryStatus(
      String name,
      String address,
      Instant since,
      long delivered,
      long waiting,
      @Nullable Instant deliveredAt,
      int failures,
      @Nullable Instant failingSince,
      @Nullable Sentence failure,
      @Nullable Instant retryAt,
      @Nullable Instant parkedAt) {
    /** Says how many facts a failing target lacks, whether it is retried, and why it failed. */
    public Sentence said() {
      return parkedAt == null
          ? new DeliverySentences.Retried(waiting, failure)
          : new DeliverySentences.Parked(waiting, failure);
    }
  }

  /**
   * One attempt to deliver a batch to a target.
   *
   * @param outcome whether the batch arrived, the attempt failed, or it was the last one
   * @param answer the HTTP status that was answered; null if there is none
   * @param facts how many facts the batch has
   * @param delivery the id of the batch, the same for each attempt to deliver it
   * @param error why it failed; null if the batch has arrived
   */
  public record DeliveryAttempt(
      @JsonIgnore long id,
      Instant startedAt,
      String target,
      String outcome,
      @Nullable Integer answer,
      long tookMs,
      int facts,
      String delivery,
      @Nullable Sentence error) {}
}
