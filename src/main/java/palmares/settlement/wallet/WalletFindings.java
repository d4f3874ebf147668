package palmares.settlement.wallet;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.Identifier;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Choice;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.settlement.wallet.WalletAwards.DeliveredOutcome;

/** Keeps the differences between awards and what the wallet says, until they are closed. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class WalletFindings {
  /** Awards that were due for confirmation longer ago are not looked at any more. */
  public static final Duration MAX_TIME_LOOKED_AT = Duration.ofDays(40);

  /** If a person accepts one of these, the member has been paid elsewhere, or is not paid. */
  private static final List<Kind> LACKING =
      Stream.of(Kind.values()).filter(Kind::canBeSentAgain).toList();

  /** Of one outcome in one night. */
  private static final int MAX_UNCONFIRMED = 10_000;

  private static final String SELECT =
      """
      select id, kind, award_id as award, member, currency, amount, received, message as detail,
        found_at, resend_asked_at, closed_at, closed_by, closed_reason
      from wallet_finding
      left join (
        select outcome, rule, member, max(asked_at) as resend_asked_at
        from resend
        group by outcome, rule, member) asked using (outcome, rule, member)
      """;

  private final WalletAwards awards;
  private final JdbcClient jdbc;
  private final Clock clock;
  private final WalletSettings settings;

  WalletFindings(WalletAwards awards, JdbcClient jdbc, Clock clock, WalletSettings settings) {
    this.awards = awards;
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
  }

  /** What differs. */
  public enum Kind implements Choice {
    /** The wallet's list has no credit of an award. */
    MISSING,
    /** The list has more than one. */
    TWICE,
    /** The wallet credited another amount. */
    AMOUNT,
    /** The wallet credited another currency. */
    CURRENCY,
    /** The wallet credited something that is no posted award. */
    UNAWARDED,
    /** The wallet refused an award. */
    REFUSED,
    /** The wallet credited an award after a person had accepted that it did not. */
    CREDITED,
    /** The wallet did not say in time what became of an award. */
    UNCONFIRMED,
    /** A statement in an answer of the wallet is wrong. */
    ANSWER;

    /** Whether the wallet may lack the award, which it credits once. */
    public boolean canBeSentAgain() {
      return this == MISSING || this == REFUSED || this == UNCONFIRMED;
    }
  }

  /** A difference that is found. */
  record Finding(
      Kind kind, String award, @Nullable WalletAward of, @Nullable Long received, Sentence said) {
    static Finding of(Kind kind, WalletAward award, @Nullable Long received, Sentence said) {
      return new Finding(kind, AwardKey.canonical(award.named()), award, received, said);
    }

    static Finding unknown(Kind kind, String named, @Nullable Long received, Sentence said) {
      return new Finding(kind, AwardKey.canonical(named), null, received, said);
    }
  }

  /**
   * A difference, as it is listed.
   *
   * @param award the award as deliveries name it, or what the wallet named
   * @param amount of the award; null if there is no such award
   * @param received what the wallet has credited; null if it did not say so
   * @param detail what was said or compared
   * @param resendAskedAt when somebody last asked to send the award again: the wallet may credit
   *     it; null if nobody did
   * @param closedBy who closed it; null while it is open
   */
  public record FindingRow(
      @Identifier long id,
      Kind kind,
      @Wrapped String award,
      @Nullable String member,
      @Nullable String currency,
      @Nullable Long amount,
      @Nullable Long received,
      Sentence detail,
      Instant foundAt,
      @Nullable Instant resendAskedAt,
      @Nullable Instant closedAt,
      @Nullable String closedBy,
      @Nullable String closedReason) {}

  /** How many differences of a kind are open. */
  public record OpenFindings(Kind kind, long findings, Instant since) {}

  /** Opens findings, or brings open ones up to date. What a person has accepted is not reopened. */
  void open(List<Finding> all) {
    Map<String, Finding> each = new LinkedHashMap<>();
    all.forEach(one -> each.put(one.kind() + " " + one.award(), one));
    List<Finding> found = List.copyOf(each.values());
    if (found.isEmpty()) {
      return;
    }
    List<@Nullable WalletAward> awards = new ArrayList<>();
    found.forEach(one -> awards.add(one.of()));
    jdbc.sql(
            """
            insert into wallet_finding (
              kind, award_id, outcome, rule, member, currency, amount, received, message, found_at)
            select kind, award_id, outcome, rule, member, currency, amount, received,
              said::jsonb, :now
            from unnest(
                :kinds::text[], :names::text[], :outcomes::int[], :rules::int[], :members::text[],
                :currencies::text[], :amounts::bigint[], :received::bigint[], :said::text[])
              as found (
                kind, award_id, outcome, rule, member, currency, amount, received, said)
            where kind in ('refused', 'answer') or not exists (
              select from wallet_finding accepted
              where accepted.award_id = found.award_id and accepted.is_accepted
                and (accepted.kind = found.kind
                  and accepted.received is not distinct from found.received
                  or accepted.kind = any(:lacking::text[]) and found.kind = any(:lacking::text[])))
            on conflict (kind, award_id) where closed_at is null do update
            set received = excluded.received, message = excluded.message
            """)
        .param("kinds", found.stream().map(one -> one.kind().word()).toList())
        .param("names", found.stream().map(Finding::award).toList())
        .param("outcomes", map(awards, WalletAward::outcome))
        .param("rules", map(awards, WalletAward::rule))
        .param("members", map(awards, WalletAward::member))
        .param("currencies", map(awards, WalletAward::currency))
        .param("amounts", map(awards, WalletAward::amount))
        .param("received", map(found, Finding::received))
        .param("said", found.stream().map(one -> Said.toJson(one.said())).toList())
        .param("lacking", LACKING)
        .param("now", clock.instant())
        .update();
  }

  private static <T, V> List<@Nullable V> map(
      List<? extends @Nullable T> all, Function<T, @Nullable V> value) {
    var values = new ArrayList<@Nullable V>();
    all.forEach(each -> values.add(each == null ? null : value.apply(each)));
    return values;
  }

  /** Closes findings that are gone. */
  void close(List<Kind> kinds, List<WalletAward> awards) {
    if (awards.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            update wallet_finding finding
            set closed_at = :now, closed_by = 'wallet', closed_reason = 'gone'
            from unnest(:outcomes::int[], :rules::int[], :members::text[])
              as award (outcome, rule, member)
            where finding.outcome = award.outcome and finding.rule = award.rule
              and finding.member = award.member collate "C"
              and finding.kind = any(:kinds::text[]) and finding.closed_at is null
            """)
        .param("outcomes", awards.stream().map(WalletAward::outcome).toList())
        .param("rules", awards.stream().map(WalletAward::rule).toList())
        .param("members", awards.stream().map(WalletAward::member).toList())
        .param("kinds", kinds)
        .param("now", clock.instant())
        .update();
  }

  /** Opens a finding for each of those that a person has paid elsewhere, or given up. */
  void findCredited(List<WalletAward> credited) {
    Set<String> accepted =
        accepted(
            credited.stream()
                .map(award -> new Resend(0, award.outcome(), award.rule(), award.member()))
                .toList());
    open(
        credited.stream()
            .filter(award -> accepted.contains(award.id()))
            .map(
                award ->
                    Finding.of(
                        Kind.CREDITED,
                        award,
                        award.amount(),
                        new WalletSentences.CreditedAfterAll()))
            .toList());
  }

  /** Returns the ids of the awards that a person has paid elsewhere, or given up. */
  private Set<String> accepted(List<Resend> awards) {
    if (awards.isEmpty()) {
      return Set.of();
    }
    return jdbc.sql(
            """
            select outcome || ' ' || rule || ' ' || member
            from wallet_finding finding
            join unnest(:outcomes::int[], :rules::int[], :members::text[])
              as award (outcome, rule, member) using (outcome, rule, member)
            where finding.is_accepted and finding.kind = any(:lacking::text[])
            """)
        .param("outcomes", awards.stream().map(Resend::outcome).toList())
        .param("rules", awards.stream().map(Resend::rule).toList())
        .param("members", awards.stream().map(Resend::member).toList())
        .param("lacking", LACKING)
        .query(String.class)
        .set();
  }

  /**
   * Closes open findings that a person accepts as they are. Their awards are not sent again.
   *
   * @param ids of the findings; empty for all of the kind
   * @param kind only of this kind; null for any
   * @return what was closed, in order of their numbers
   * @throws Refusal if an award was sent again meanwhile, and is still open
   */
  public List<FindingRow> accept(List<Long> ids, @Nullable Kind kind, String by, String reason) {
    List<Long> queued = lockQueued(ids, kind); // Before findings, as deliveries lock them.
    List<FindingRow> closed = lockOpen(ids, kind);
    List<Long> numbers = closed.stream().map(FindingRow::id).toList();
    requireNotSent(numbers, queued);
    jdbc.sql(
            """
            delete from resend
            using wallet_finding finding
            where finding.id = any(:ids::bigint[]) and finding.kind = any(:lacking::text[])
              and resend.outcome = finding.outcome and resend.rule = finding.rule
              and resend.member = finding.member and sent_at is null
            """)
        .param("ids", numbers)
        .param("lacking", LACKING)
        .update();
    jdbc.sql(
            """
            update wallet_finding
            set closed_at = :now, closed_by = :by, closed_reason = :reason, is_accepted = true
            where closed_at is null
              and (id = any(:ids::bigint[])
                or kind = any(:lacking::text[]) and (outcome, rule, member) in (
                  select outcome, rule, member from wallet_finding
                  where id = any(:ids::bigint[]) and kind = any(:lacking::text[])))
            """)
        .param("ids", numbers)
        .param("lacking", LACKING)
        .param("by", by)
        .param("reason", reason)
        .param("now", clock.instant())
        .update();
    return closed;
  }

  /** Locks the awards of open findings that are to be sent again; a batch in flight ends first. */
  private List<Long> lockQueued(List<Long> ids, @Nullable Kind kind) {
    List<Long> queued =
        jdbc.sql(
                """
                select resend.id
                from wallet_finding finding
                join resend using (outcome, rule, member)
                where sent_at is null and closed_at is null
                  and finding.kind = any(:lacking::text[])
                  and (cardinality(:ids::bigint[]) = 0 or finding.id = any(:ids::bigint[]))
                  and kind = coalesce(:kind, kind)
                """)
            .param("lacking", LACKING)
            .param("ids", ids)
            .param("kind", kind)
            .query(Long.class)
            .list();
    return queued.isEmpty()
        ? queued
        : jdbc.sql(
                """
                select id from resend
                where id = any(:queued::bigint[])
                order by outcome, member, rule
                for update
                """)
            .param("queued", queued)
            .query(Long.class)
            .list();
  }

  /** What was queued must not be sent by now, and nothing else queued. */
  private void requireNotSent(List<Long> findings, List<Long> queued) {
    jdbc.sql(
            """
            select award_id
            from wallet_finding finding
            join resend using (outcome, rule, member)
            where finding.id = any(:findings::bigint[]) and finding.kind = any(:lacking::text[])
              and (sent_at is not null) = (resend.id = any(:queued::bigint[]))
            order by finding.id
            limit 1
            """)
        .param("findings", findings)
        .param("lacking", LACKING)
        .param("queued", queued)
        .query(String.class)
        .optional()
        .ifPresent(
            award -> {
              throw new Refusal(Problem.WRONG_STATE, new WalletSentences.JustSent(award));
            });
  }

  /**
   * Has awards delivered again that the wallet may lack, except those of {@link #notToBeSent}.
   *
   * @param ids as {@link #accept}
   * @return of which awards; those that are sent again already are not among them
   */
  public List<FindingRow> resend(List<Long> ids, @Nullable Kind kind, String by) {
    List<FindingRow> sendable =
        lockOpen(ids, kind).stream().filter(row -> row.kind().canBeSentAgain()).toList();
    Set<Long> left =
        notToBeSent(
            jdbc.sql(
                    """
                    select id, outcome, rule, member from wallet_finding
                    where id = any(:ids::bigint[])
                    """)
                .param("ids", sendable.stream().map(FindingRow::id).toList())
                .query(Resend.class)
                .list());
    List<FindingRow> open = sendable.stream().filter(row -> !left.contains(row.id())).toList();
    Set<Long> asked =
        jdbc.sql(
                """
                with added as (
                  insert into resend (outcome, rule, member, asked_at, by)
                  select distinct outcome, rule, member, :now::timestamptz, :by
                  from wallet_finding
                  where id = any(:ids::bigint[])
                  on conflict do nothing
                  returning outcome, rule, member
                )
                select id from wallet_finding
                join added using (outcome, rule, member)
                where id = any(:ids::bigint[])
                """)
            .param("ids", open.stream().map(FindingRow::id).toList())
            .param("by", by)
            .param("now", clock.instant())
            .query(Long.class)
            .set();
    return open.stream().filter(row -> asked.contains(row.id())).toList();
  }

  /**
   * Returns the numbers of those that the member would have too much by: a posted revision took
   * them back as a whole, or a person has paid them elsewhere.
   */
  public Set<Long> notToBeSent(List<Resend> resends) {
    Set<Long> left = new HashSet<>(takenBack(resends));
    Set<String> accepted = accepted(resends);
    resends.stream()
        .filter(one -> accepted.contains(WalletAward.id(one.outcome(), one.rule(), one.member())))
        .forEach(one -> left.add(one.id()));
    return left;
  }

  /** Returns the numbers of those that a posted revision took back as a whole. */
  public Set<Long> takenBack(List<Resend> resends) {
    return awards.takenBack(resends);
  }

  /** Finds open differences, and locks them until the transaction ends. */
  List<FindingRow> lockOpen(List<Long> ids, @Nullable Kind kind) {
    return jdbc.sql(
            SELECT
                + """
                where closed_at is null
                  and (cardinality(:ids::bigint[]) = 0 or id = any(:ids::bigint[]))
                  and kind = coalesce(:kind, kind)
                order by id
                for update of wallet_finding
                """)
        .param("ids", ids)
        .param("kind", kind)
        .query(FindingRow.class)
        .list();
  }

  /**
   * A page of the findings, the latest first.
   *
   * @param kind only of this kind; null for any
   * @param closed whether to list closed ones, too
   * @param before only those before this one; null for the first page
   */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<FindingRow> list(
      @Nullable Kind kind, boolean closed, @Nullable Long before, int most) {
    return jdbc.sql(
            SELECT
                + """
                where kind = coalesce(:kind, kind) and (:closed or closed_at is null)
                  and (:before::bigint is null or id < :before)
                order by id desc
                limit :most
                """)
        .param("kind", kind)
        .param("closed", closed)
        .param("before", before)
        .param("most", most)
        .query(FindingRow.class)
        .list();
  }

  /** The number of open findings of each kind that has some. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public List<OpenFindings> counts() {
    return jdbc.sql(
            """
            select kind, count(*) as findings, min(found_at) as since
            from wallet_finding
            where closed_at is null
            group by kind
            order by kind
            """)
        .query(OpenFindings.class)
        .list();
  }

  /**
   * Finds awards that were delivered longer ago than it may take to confirm them. Those with
   * another open finding are not among them.
   */
  @Transactional
  public void findUnconfirmed() {
    if (!hasWallet()) {
      return;
    }
    closeReturned();
    Instant until = clock.instant().minus(settings.confirmWithin());
    for (DeliveredOutcome delivered : awards.delivered(until.minus(MAX_TIME_LOOKED_AT), until)) {
      var said = new WalletSentences.NotConfirmed(delivered.deliveredAt().atZone(ZoneOffset.UTC));
      open(
          unconfirmed(delivered.outcome()).stream()
              .map(award -> Finding.of(Kind.UNCONFIRMED, award, null, said))
              .toList());
    }
  }

  /** Closes differences on refused awards that were taken back as a whole since. */
  @Transactional
  public void closeReturned() {
    List<Resend> refused =
        jdbc.sql(
                """
                select id, outcome, rule, member from wallet_finding
                where kind = :kind and closed_at is null
                """)
            .param("kind", Kind.REFUSED)
            .query(Resend.class)
            .list();
    Set<Long> returned = refused.isEmpty() ? Set.of() : takenBack(refused);
    jdbc.sql(
            """
            update wallet_finding
            set closed_at = :now, closed_by = 'wallet', closed_reason = 'returned'
            where id = any(:ids::bigint[]) and closed_at is null
            """)
        .param("ids", returned)
        .param("now", clock.instant())
        .update();
  }

  private boolean hasWallet() {
    return jdbc.sql("select exists (select from outbox_target where confirms)")
        .query(Boolean.class)
        .single();
  }

  private List<WalletAward> unconfirmed(int outcome) {
    return jdbc
        .sql(
            WalletAwards.OF_OUTCOME
                + """
                and paid.purpose in (1, 2)
                and not exists (
                  select from receipt
                  where receipt.outcome = :outcome and receipt.rule = paid.rule
                    and receipt.member = paid.member)
                and not exists (
                  select from wallet_finding finding
                  where finding.outcome = :outcome and finding.rule = paid.rule
                    and finding.member = paid.member
                    and (closed_at is null or is_accepted))
                order by paid.member, paid.rule
                limit :most
                """)
        .param("outcome", outcome)
        .param("most", MAX_UNCONFIRMED)
        .query(WalletAwards.Posted.class)
        .list()
        .stream()
        .map(WalletAwards.Posted::award)
        .toList();
  }
}
