package palmares.settlement.wallet;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.sql.RecordMapper;

/**
 * Finds posted awards by the names that deliveries give them. Each statement names the outcomes
 * that it reads, at most one of those that have own tables.
 */
@Component
class WalletAwards {
  /** The payments of an outcome, by their keys; of purpose 1 are awards, of 2 are returns. */
  static final String OF_OUTCOME =
      """
      select period.board, period.name as period, revision.revision, paid.member,
        prize.name as rule_name, prize.currency, paid.outcome, paid.rule, paid.amount,
        paid.purpose = 2 as is_return
      from posted_payment paid
      join revision on revision.id = paid.outcome
      join period on period.id = revision.period_id
      join prize on prize.outcome = :outcome and prize.rule = paid.rule
      where paid.outcome = :outcome
      """;

  private static final int ROWS_PER_FETCH = 1_000;
  private static final RowMapper<Posted> POSTED = RecordMapper.of(Posted.class);

  private final JdbcClient jdbc;

  WalletAwards(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An award as it is posted. */
  record Posted(
      String board,
      String period,
      int revision,
      String member,
      String ruleName,
      String currency,
      int outcome,
      int rule,
      long amount,
      boolean isReturn) {
    WalletAward award() {
      return new WalletAward(
          new AwardKey(board, period, revision, member, ruleName, currency, isReturn).text(),
          isReturn,
          outcome,
          rule,
          member,
          currency,
          amount,
          0,
          null,
          null,
          null);
    }
  }

  private record Place(
      String named, boolean isReturn, int outcome, int rule, String member, String currency) {}

  /**
   * What a revision returned by the rule of an award that had this amount.
   *
   * @param returned negative if it awarded more
   */
  private record Returned(String named, int revision, long returned, long amount) {}

  /** Returns the awards that exist and are posted, by the names that were asked. */
  Map<String, WalletAward> find(Set<String> names) {
    Map<String, AwardKey> keys = new TreeMap<>();
    names.forEach(name -> AwardKey.parse(name).ifPresent(key -> keys.put(name, key)));
    Map<Integer, List<Place>> byOutcome =
        places(keys).stream().collect(Collectors.groupingBy(place -> Math.max(0, place.outcome())));
    var found = new HashMap<String, WalletAward>();
    byOutcome
        .values()
        .forEach(places -> read(places).forEach(award -> found.put(award.named(), award)));
    return found;
  }

  /**
   * An outcome whose awards the wallet got.
   *
   * @param postedAt since when it may have got the first
   * @param deliveredAt when it had got the last
   */
  record DeliveredOutcome(int outcome, Instant postedAt, Instant deliveredAt) {}

  /**
   * The outcomes that were delivered to the wallet, in that order.
   *
   * @param since from this time on; null for the first one
   * @param until before this time
   */
  List<DeliveredOutcome> delivered(@Nullable Instant since, Instant until) {
    return jdbc.sql(
            """
            select outcome, posted_at, delivered_at
            from delivered_outcome
            join revision on revision.id = delivered_outcome.outcome
            where delivered_at >= coalesce(:since::timestamptz, '-infinity')
              and delivered_at < :until
            order by delivered_at, outcome
            """)
        .param("since", since)
        .param("until", until)
        .query(DeliveredOutcome.class)
        .list();
  }

  /**
   * Reads the awards of an outcome that the wallet should have had by then, in no order: not those
   * that it has refused, or that are sent again since.
   */
  void each(int outcome, Instant until, Consumer<WalletAward> award) {
    jdbc.sql(
            OF_OUTCOME
                + """
                and paid.purpose = 1
                and not exists (
                  select from receipt
                  where receipt.outcome = :outcome and receipt.rule = paid.rule
                    and receipt.member = paid.member
                    and result = 'refused'
                    and not exists (
                      select from receipt later
                      where later.outcome = :outcome and later.rule = receipt.rule
                        and later.member = receipt.member and later.result = 'credited'))
                and not exists (
                  select from resend
                  where resend.outcome = :outcome and resend.rule = paid.rule
                    and resend.member = paid.member and coalesce(sent_at, 'infinity') >= :until)
                """)
        .withFetchSize(ROWS_PER_FETCH)
        .param("outcome", outcome)
        .param("until", until)
        .query(
            row -> {
              award.accept(POSTED.mapRow(row, 0).award());
            });
  }

  private List<Place> places(Map<String, AwardKey> keys) {
    Collection<AwardKey> all = keys.values();
    return jdbc.sql(
            """
            select asked.named, asked.is_return, revision.id as outcome, prize.rule, asked.member,
              asked.currency
            from unnest(
                :names::text[], :boards::text[], :periods::text[], :revisions::int[],
                :members::text[], :rules::text[], :currencies::text[], :returns::boolean[])
              as asked (named, board, period, revision, member, rule, currency, is_return)
            join period on period.board = asked.board and period.name = asked.period
            join revision
              on revision.period_id = period.id and revision.revision = asked.revision
              and revision.posted_at is not null
            join prize
              on prize.outcome = revision.id and prize.name = asked.rule
              and prize.currency = asked.currency
            """)
        .param("names", keys.keySet())
        .param("boards", all.stream().map(AwardKey::board).toList())
        .param("periods", all.stream().map(AwardKey::period).toList())
        .param("revisions", all.stream().map(AwardKey::revision).toList())
        .param("members", all.stream().map(AwardKey::member).toList())
        .param("rules", all.stream().map(AwardKey::rule).toList())
        .param("currencies", all.stream().map(AwardKey::currency).toList())
        .param("returns", all.stream().map(AwardKey::isReturn).toList())
        .query(Place.class)
        .list();
  }

  /** Reads the awards of one outcome, or of several that share tables. */
  private List<WalletAward> read(List<Place> places) {
    Set<Integer> outcomes = outcomes(places);
    Map<String, Integer> returned = returned(places, outcomes, true);
    return jdbc
        .sql(
            """
            select asked.*, paid.amount, coalesce(last.n, 0) as receipts,
              last.result as last_result, last.at as last_at, null::int as taken_back_in
            from unnest(
                :names::text[], :outcomes::int[], :rules::int[], :members::text[],
                :currencies::text[], :returns::boolean[])
              as asked (named, outcome, rule, member, currency, is_return)
            join posted_payment paid
              on paid.outcome = asked.outcome and paid.rule = asked.rule
              and paid.member = asked.member collate "C"
              and paid.purpose = case when asked.is_return then 2 else 1 end
            left join lateral (
              select n, result, at from receipt
              where receipt.outcome = asked.outcome and receipt.rule = asked.rule
                and receipt.member = asked.member collate "C"
              order by n desc
              limit 1) last on true
            where paid.outcome = any(:read::int[])
            """)
        .param("names", places.stream().map(Place::named).toList())
        .param("outcomes", places.stream().map(Place::outcome).toList())
        .param("rules", places.stream().map(Place::rule).toList())
        .param("members", places.stream().map(Place::member).toList())
        .param("currencies", places.stream().map(Place::currency).toList())
        .param("returns", places.stream().map(Place::isReturn).toList())
        .param("read", outcomes)
        .query(WalletAward.class)
        .list()
        .stream()
        .map(award -> award.takenBackIn(returned.get(award.named())))
        .toList();
  }

  /** Returns the numbers of those that posted revisions took back as a whole. */
  Set<Long> takenBack(List<Resend> awards) {
    Map<Integer, List<Place>> byOutcome =
        awards.stream()
            .map(
                one ->
                    new Place(
                        String.valueOf(one.id()),
                        false,
                        one.outcome(),
                        one.rule(),
                        one.member(),
                        ""))
            .collect(Collectors.groupingBy(place -> Math.max(0, place.outcome())));
    var taken = new HashSet<Long>();
    byOutcome
        .values()
        .forEach(
            places ->
                returned(places, outcomes(places), false)
                    .keySet()
                    .forEach(id -> taken.add(Long.valueOf(id))));
    return taken;
  }

  private static Set<Integer> outcomes(List<Place> places) {
    return places.stream().map(Place::outcome).collect(Collectors.toSet());
  }

  /**
   * Returns which awards later revisions took back as a whole, together, and the one that took the
   * last of it. What was awarded last is returned first.
   *
   * @param delivered whether only revisions count that were delivered to the wallet
   */
  private Map<String, Integer> returned(
      List<Place> places, Set<Integer> outcomes, boolean delivered) {
    List<Integer> laters =
        jdbc.sql(
                """
                select part.id
                from revision part
                where part.posted_at is not null
                  and exists (
                    select from revision own
                    where own.id = any(:outcomes::int[]) and own.period_id = part.period_id
                      and own.revision < part.revision)
                  and (not :delivered
                    or exists (select from delivered_outcome where outcome = part.id))
                order by part.revision
                """)
            .param("outcomes", outcomes)
            .param("delivered", delivered)
            .query(Integer.class)
            .list();
    var sums = new HashMap<String, Long>();
    var returned = new HashMap<String, Integer>();
    for (int later : laters) {
      for (Returned one : returnedIn(later, places)) {
        if (sums.merge(one.named(), one.returned(), Long::sum) >= one.amount()) {
          returned.putIfAbsent(one.named(), one.revision());
        }
      }
    }
    return returned;
  }

  private List<Returned> returnedIn(int later, List<Place> places) {
    return jdbc.sql(
            """
            select asked.named, paid.revision,
              case paid.purpose when 2 then paid.amount else -paid.amount end as returned,
              kept.amount
            from unnest(:names::text[], :outcomes::int[], :rules::int[], :members::text[])
              as asked (named, outcome, rule, member)
            join revision own on own.id = asked.outcome
            join prize given on given.outcome = asked.outcome and given.rule = asked.rule
            join prize taken
              on taken.outcome = :later and taken.name = given.name
              and taken.currency = given.currency
            join posted_payment paid
              on paid.outcome = :later and paid.period_id = own.period_id
              and paid.revision > own.revision and paid.member = asked.member collate "C"
              and paid.rule = taken.rule and paid.purpose in (1, 2)
            join posted_payment kept
              on kept.outcome = any(:outcomes::int[]) and kept.outcome = asked.outcome
              and kept.rule = asked.rule and kept.member = asked.member collate "C"
              and kept.purpose = 1
            """)
        .param("names", places.stream().map(Place::named).toList())
        .param("outcomes", places.stream().map(Place::outcome).toList())
        .param("rules", places.stream().map(Place::rule).toList())
        .param("members", places.stream().map(Place::member).toList())
        .param("later", later)
        .query(Returned.class)
        .list();
  }
}
