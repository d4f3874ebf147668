package palmares.operations.forgetting;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.postgresql.util.PSQLException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.journal.Journal;
import palmares.live.member.InviteCode;
import palmares.operations.rebuild.Rebuild;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.time.SqlTime;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Expiry;

/** Renames a person in PostgreSQL, period by period, and on the live boards of periods. */
@Component
class PeriodRenaming {
  /** The state with which {@code forget_in_period} refuses a period. */
  private static final String REFUSED = "23000";

  private static final SecureRandom RANDOM = new SecureRandom();

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Journal journal;
  private final Rebuild rebuild;
  private final Expiry expiry;
  private final Clock clock;

  PeriodRenaming(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Periods periods,
      BoardDefinitions definitions,
      Journal journal,
      Rebuild rebuild,
      Expiry expiry,
      Clock clock) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.periods = periods;
    this.definitions = definitions;
    this.journal = journal;
    this.rebuild = rebuild;
    this.expiry = expiry;
    this.clock = clock;
  }

  /**
   * Renames in all periods, each in a transaction.
   *
   * @param rebuilt receives the open periods whose live boards were rebuilt
   * @param progress receives the number of periods that are done
   * @return how many rows were renamed
   */
  long inPeriods(MemberId member, MemberId pseudonym, List<String> rebuilt, LongConsumer progress) {
    long rows = 0;
    List<Long> ids = jdbc.sql("select id from period order by id").query(Long.class).list();
    for (int i = 0; i < ids.size(); i++) {
      progress.accept(i);
      Period period = periods.get(new PeriodId(ids.get(i)));
      if (isOnLiveBoard(period, member, pseudonym)) {
        rows += renameOpen(period, member, pseudonym);
        rebuilt.add(period.label());
      } else {
        rows += renameIn(period.id(), member, pseudonym);
      }
    }
    return rows;
  }

  /**
   * Whether the period is open, and its live board or the journal behind it names the person, or an
   * earlier attempt has left the board halted.
   */
  private boolean isOnLiveBoard(Period period, MemberId member, MemberId pseudonym) {
    if (period.state() != PeriodState.OPEN || !definitions.of(period).kind().countsEvents()) {
      return false;
    }
    journal.drain(period, done -> {});
    return jdbc.sql(
            """
            select exists (
              select from event
              where period_id = :period
                and strpos(concat_ws(' ', member, subject, id), :member) > 0
              union all
              select from committed_event
              where period_id = :period
                and strpos(concat_ws(' ', member, subject, id), :member) > 0
              union all
              select from exclusion_in_force
              where period_id = :period and member = :pseudonym
              union all
              select from (
                select ended_at from rebuild where period_id = :period order by fence desc limit 1
              ) latest
              where ended_at is null)
            """)
        .param("period", period.id().value())
        .param("member", member.value())
        .param("pseudonym", pseudonym.value())
        .query(Boolean.class)
        .single();
  }

  private long renameOpen(Period period, MemberId member, MemberId pseudonym) {
    var rows = new long[1];
    boolean busy =
        rebuild
            .run(
                period.id(),
                () -> requireOpen(period),
                () -> rows[0] += renameIn(period.id(), member, pseudonym))
            .isEmpty();
    if (busy) {
      throw new ForgettingIncomplete("another process works on " + period.label());
    }
    return rows[0];
  }

  /** Halting the board of a sealed period would keep the period from being closed. */
  private void requireOpen(Period period) {
    String state =
        jdbc.sql("select state from period where id = :id for no key update")
            .param("id", period.id().value())
            .query(String.class)
            .single();
    if (!state.equals(PeriodState.OPEN.word())) {
      throw new ForgettingIncomplete("%s is %s: settle it first".formatted(period.label(), state));
    }
  }

  private long renameIn(PeriodId period, MemberId member, MemberId pseudonym) {
    try {
      return rename(
          "forget_in_period(:period, :former, :pseudonym, :now)",
          period.value(),
          member,
          pseudonym);
    } catch (DataIntegrityViolationException e) {
      if (e.getMostSpecificCause() instanceof PSQLException refusal
          && REFUSED.equals(refusal.getSQLState())
          && refusal.getServerErrorMessage() != null) {
        throw new ForgettingIncomplete(
            String.valueOf(refusal.getServerErrorMessage().getMessage()));
      }
      throw e;
    }
  }

  /** Renames in what belongs to no period; returns how many rows. */
  long everywhere(MemberId member, MemberId pseudonym) {
    return rename("forget_everywhere(:former, :pseudonym, :code)", 0L, member, pseudonym);
  }

  private long rename(String function, long period, MemberId member, MemberId pseudonym) {
    return transaction.execute(
        status ->
            jdbc.sql("select " + function)
                .param("period", period)
                .param("former", member.value())
                .param("pseudonym", pseudonym.value())
                .param("now", SqlTime.utc(clock.instant()))
                .param("code", InviteCode.random(RANDOM).value())
                .query(Long.class)
                .single());
  }

  /**
   * Removes the live keys of settled periods whose retention is over, or was ended here. If that
   * fails, the expiry job retries.
   *
   * @param remains receives those whose keys remain
   */
  List<String> expire(List<String> remains) {
    List<PeriodId> settled =
        jdbc.sql("select id from expirable where expires_at <= :now order by id")
            .param("now", SqlTime.utc(clock.instant()))
            .query((row, n) -> new PeriodId(row.getLong("id")))
            .list();
    expiry.expire(settled);
    var expired = new ArrayList<String>();
    for (PeriodId id : settled) {
      Period period = periods.get(id);
      if (period.state().isExpired()) {
        expired.add(period.label());
      } else {
        remains.add(
            "the live keys of %s, until they can be removed: palmares memory shows why not yet"
                .formatted(period.label()));
      }
    }
    return expired;
  }
}
