package palmares.settlement.reward;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.Review;
import palmares.settlement.outcome.Revision;

/**
 * Flags the inviters that the review of a board asks a person to look at, and withholds what their
 * lines are awarded. A withheld line keeps its place and rank, and what others are awarded does not
 * change. Flags are stored with the first outcome, in its transaction; what is released counts from
 * the next revision on.
 */
@Component
class Withholding {
  private static final String FLAG = SeatSql.read("flag-lines.sql");

  private static final String TAKE =
      """
      with taken as (
        delete from %s payment
        using withheld_line
        where withheld_line.outcome = :outcome
          and payment.outcome = :outcome
          and payment.member = withheld_line.member
        returning payment.rule, payment.purpose, payment.member, payment.amount
      ), kept as (
        insert into withheld_award (outcome, rule, member, amount)
        select :outcome, rule, member, amount from taken order by member, rule
      )
      select count(*) as payments,
        coalesce(sum(payment_hash(rule, purpose, amount, member)), 0) as checksum
      from taken
      """;

  private final JdbcClient jdbc;

  Withholding(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What is withheld.
   *
   * @param checksum the sum of payment_hash over it
   */
  record Withheld(long payments, BigDecimal checksum) {
    static final Withheld NOTHING = new Withheld(0, BigDecimal.ZERO);
  }

  /**
   * Removes the flags of an outcome that was not posted. The journal or the registrations may have
   * changed since.
   */
  void forget(RevisionContext context) {
    if (review(context) == null) {
      return;
    }
    jdbc.sql("delete from flagged_line where period_id = :period")
        .param("period", context.period().id())
        .update();
  }

  /**
   * Withholds the awards of flagged lines, which are written as payments. A closing flags the lines
   * first.
   */
  Withheld take(RevisionContext context) {
    boolean isFirst = context.number() == Revision.FIRST;
    if (isFirst ? !flag(context) : !hasFlags(context.period())) {
      return Withheld.NOTHING;
    }
    return jdbc.sql(TAKE.formatted(context.payments()))
        .param("outcome", context.outcome())
        .query(Withheld.class)
        .single();
  }

  private static @Nullable Review review(RevisionContext context) {
    Invites invites = context.board().invites();
    return invites == null ? null : invites.review();
  }

  /** Returns whether the rules ask for a review. */
  private boolean flag(RevisionContext context) {
    Review review = review(context);
    if (review == null) {
      return false;
    }
    jdbc.sql(FLAG)
        .param("period", context.period().id())
        .param("action", requireNonNull(context.board().invites()).action())
        .param("chain", review.chain())
        .param("sameAddress", review.sameAddress())
        .param("sameDevice", review.sameDevice())
        .update();
    return true;
  }

  private boolean hasFlags(Period period) {
    return jdbc.sql("select exists (select from flagged_line where period_id = :period)")
        .param("period", period.id())
        .query(Boolean.class)
        .single();
  }
}
