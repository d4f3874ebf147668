package palmares.operations.report;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.threads.RecentlyUsed;
import palmares.settlement.outcome.PaymentSums;
import palmares.settlement.outcome.PaymentSums.Sum;

/**
 * Adds up what outcomes move, by currency. The sums of stored payments are kept until the outcome
 * has others, so that pages that many people open add up a million payments once. The manifest of a
 * posted outcome has its sums.
 */
@Component
public class OutcomeSums {
  private static final int MAX_KEPT = 20_000;

  /** A page that a person opens does not add up more. */
  static final long MAX_SUMMED_PAYMENTS = 200_000;

  private static final String POSTED =
      """
      select currency,
        coalesce(sum(amount) filter (where name in ('award', 'restored')), 0) as gets,
        coalesce(sum(amount) filter (where name not in ('award', 'restored')), 0) as owes
      from revision
      join manifest using (period_id, revision)
      cross join lateral manifest_sums(sums, 'payments-by-purpose') sum
      """;

  private final JdbcClient jdbc;
  private final PaymentSums payments;

  private final Map<Payments, List<Sum>> kept = RecentlyUsed.map(MAX_KEPT);

  OutcomeSums(JdbcClient jdbc, PaymentSums payments) {
    this.jdbc = jdbc;
    this.payments = payments;
  }

  /**
   * The stored payments of an outcome.
   *
   * @param checksum null while they are not complete
   */
  private record Payments(int outcome, @Nullable Long payments, @Nullable BigDecimal checksum) {
    boolean areComplete() {
      return checksum != null;
    }
  }

  /** Returns the sums of some outcomes by their numbers; an outcome that moves nothing has none. */
  @Transactional(readOnly = true)
  public Map<Integer, List<Sum>> of(Collection<Integer> outcomes) {
    return of(outcomes, Long.MAX_VALUE);
  }

  /**
   * Returns the same of complete outcomes, without the largest of those that would have to be added
   * up.
   *
   * @param most how many payments are added up
   */
  @Transactional(readOnly = true)
  public Map<Integer, List<Sum>> of(Collection<Integer> outcomes, long most) {
    var sums = new LinkedHashMap<Integer, List<Sum>>();
    var missing = new LinkedHashMap<Integer, Payments>();
    long payments = 0;
    for (Payments stored : stored(outcomes)) {
      List<Sum> known = stored.areComplete() ? kept.get(stored) : null;
      if (known != null) {
        sums.put(stored.outcome(), known);
        continue;
      }
      payments += stored.payments() == null ? 0 : stored.payments();
      if (payments <= most) {
        missing.put(stored.outcome(), stored);
      }
    }
    if (!missing.isEmpty()) {
      Map<Integer, List<Sum>> added = addUp(missing.keySet());
      sums.putAll(added);
      // A statement sees what was committed before it, so the sums may be those of other payments.
      stored(missing.keySet()).stream()
          .filter(Payments::areComplete)
          .filter(stored -> stored.equals(missing.get(stored.outcome())))
          .forEach(stored -> kept.put(stored, added.getOrDefault(stored.outcome(), List.of())));
    }
    return sums;
  }

  private List<Payments> stored(Collection<Integer> outcomes) {
    return jdbc.sql(
            """
            select id as outcome, payments, payment_sum as checksum
            from revision
            where id = any(:outcomes)
            order by payments nulls last, id
            """)
        .param("outcomes", outcomes)
        .query(Payments.class)
        .list();
  }

  /** A kept plan for payments of several outcomes would lock the tables of every outcome. */
  private void planForTheOutcomesNamed() {
    jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
  }

  private Map<Integer, List<Sum>> addUp(Collection<Integer> outcomes) {
    Map<Integer, List<Sum>> sums = payments.of(outcomes);
    outcomes.forEach(outcome -> sums.putIfAbsent(outcome, List.of()));
    sums.replaceAll((outcome, added) -> List.copyOf(added));
    return sums;
  }

  /**
   * Says what several outcomes together move for a member in one currency.
   *
   * @param periods in how many of them something changes for the member
   * @param credits negative if the member gives back more than the member gets
   */
  public record MemberSum(String member, String currency, long periods, BigDecimal credits) {}

  /**
   * Returns the largest gains and losses of members by some outcomes together, the largest first;
   * none if there are too many payments to add up for a page.
   *
   * @param most how many members
   */
  @Transactional(readOnly = true)
  public List<MemberSum> largest(Collection<Integer> outcomes, int most) {
    long stored =
        stored(outcomes).stream()
            .mapToLong(outcome -> Objects.requireNonNullElse(outcome.payments(), 0L))
            .sum();
    if (stored > MAX_SUMMED_PAYMENTS) {
      return List.of();
    }
    planForTheOutcomesNamed();
    return jdbc.sql(
            """
            select member, currency, count(distinct outcome) as periods, sum(credits) as credits
            from award_changes(:outcomes)
            group by member, currency
            having sum(credits) <> 0
            order by abs(sum(credits)) desc, member collate "C", currency
            limit :most
            """)
        .param("outcomes", outcomes)
        .param("most", most)
        .query(MemberSum.class)
        .list();
  }

  /** Returns what posted outcomes have moved together. */
  public List<Sum> posted(Collection<Integer> outcomes) {
    return jdbc.sql(
            POSTED
                + """
                where revision.id = any(:outcomes)
                group by currency
                order by currency collate "C"
                """)
        .param("outcomes", outcomes)
        .query(Sum.class)
        .list();
  }
}
