package palmares.act;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Every act of a person that changes what is paid or shown, each chained to the one before it by a
 * hash, so that none can be changed or taken out unnoticed.
 */
@Component
public class Acts {
  private static final String KEEP =
      """
      with told as (
        select
          :now::timestamptz as at,
          :by as by,
          :verb as verb,
          :board::text as board,
          :period::text as period,
          :revision::int as revision,
          :member::text as member,
          :reason as reason
      )
      insert into act (at, by, verb, board, period, revision, member, reason, hash)
      select
        told.*,
        encode(sha256(convert_to(concat_ws('|',
          coalesce((select hash from act order by id desc limit 1), ''),
          (extract(epoch from at) * 1000000)::bigint,
          quote_nullable(by),
          quote_nullable(verb),
          quote_nullable(board),
          quote_nullable(period),
          quote_nullable(revision),
          quote_nullable(member),
          quote_nullable(reason)), 'UTF8')), 'hex')
      from told
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  Acts(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Acts, the latest first.
   *
   * @param board only those that concern it; null for all
   * @param period only those that concern it; null for all
   */
  public List<Kept> list(@Nullable String board, @Nullable String period, int most) {
    return jdbc.sql(
            """
            select at, by, verb, board, period, revision, member, reason
            from act
            where board is not distinct from coalesce(:board::text, board)
              and period is not distinct from coalesce(:period::text, period)
            order by id desc
            limit :most
            """)
        .param("board", board)
        .param("period", period)
        .param("most", most)
        .query(
            (row, n) ->
                new Kept(
                    row.getObject("at", OffsetDateTime.class).toInstant(),
                    new Act(
                        row.getString("by"),
                        row.getString("verb"),
                        row.getString("board"),
                        row.getString("period"),
                        row.getObject("revision", Integer.class),
                        row.getString("member"),
                        row.getString("reason"))))
        .list();
  }

  /** An act, and when it was. */
  public record Kept(Instant at, Act act) {}

  /** Whether the period saw such an act, by that person or, where by is null, by anybody. */
  public boolean saw(String board, String period, String verb, @Nullable String by) {
    return jdbc.sql(
            """
            select exists (
              select from act
              where board = :board and period = :period and verb = :verb
                and by = coalesce(:by::text, by))
            """)
        .param("board", board)
        .param("period", period)
        .param("verb", verb)
        .param("by", by)
        .query(Boolean.class)
        .single();
  }

  /**
   * Keeps an act for ever, in the transaction of what it does.
   *
   * @return when it was
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Instant keep(Act act) {
    Instant now = clock.instant();
    keep(act, now);
    return now;
  }

  /** As {@link #keep(Act)}, where the caller knows better when it is. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void keep(Act act, Instant at) {
    jdbc.sql("select 1 from pg_advisory_xact_lock(hashtextextended('acts in their order', 0))")
        .query(Integer.class)
        .single();
    jdbc.sql(KEEP)
        .param("now", at.atOffset(ZoneOffset.UTC))
        .param("by", act.by())
        .param("verb", act.verb())
        .param("board", act.board())
        .param("period", act.period())
        .param("revision", act.revision())
        .param("member", act.member())
        .param("reason", act.reason())
        .update();
  }
}
