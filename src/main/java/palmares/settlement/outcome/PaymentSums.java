package palmares.settlement.outcome;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.sql.RecordMapper;

/** Adds up the payments of outcomes, by currency. */
@Component
public class PaymentSums {
  private final JdbcClient jdbc;

  public PaymentSums(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Says what an outcome moves in one currency, by each rule: a member may get more by one and less
   * by another.
   *
   * @param gets what members get
   * @param owes what members give back
   */
  public record Sum(String currency, BigDecimal gets, BigDecimal owes) {}

  /** Returns the sums of outcomes by their numbers, without those that move nothing. */
  @Transactional(readOnly = true)
  public Map<Integer, List<Sum>> of(Collection<Integer> outcomes) {
    // A kept plan for payments of several outcomes would lock the tables of every outcome.
    jdbc.sql("set local plan_cache_mode = force_custom_plan").update();
    return jdbc.sql(
            """
            select outcome, currency,
              coalesce(sum(credits) filter (where credits > 0), 0) as gets,
              coalesce(-sum(credits) filter (where credits < 0), 0) as owes
            from award_changes(:outcomes)
            group by outcome, currency
            order by outcome, currency
            """)
        .param("outcomes", outcomes)
        .query(RecordMapper.lists(Integer.class, Sum.class));
  }

  /** Returns the sums of one outcome; none if it moves nothing. */
  @Transactional(readOnly = true)
  public List<Sum> of(Revision outcome) {
    return of(List.of(outcome.id())).getOrDefault(outcome.id(), List.of());
  }
}
