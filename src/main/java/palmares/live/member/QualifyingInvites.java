package palmares.live.member;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.intake.InviteCredits;
import palmares.platform.text.Choice;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** Lists the invites that must qualify before their inviter is credited. */
@Component
public class QualifyingInvites {
  private static final String LIST =
      """
      with entry as (
        select
          board, newcomer as member, inviter,
          case
            when counted_at is null and deadline > :now then 'pending'
            when counted_at is null then 'lapsed'
            when late.is_undecided then 'late'
            when late.is_dismissed then 'dismissed'
            when late.is_reversed then 'reversed'
            when (
              select outcome
              from period own
              join committed_event credit on credit.period_id = own.id
              where own.board = invite_credit.board
                and own.name = invite_credit.period
                -- As JudgedInvite names the credit.
                and credit.id = :prefix || invite_credit.action
                  || case when credits > 1 then '#' || credits else '' end
                  || ':' || newcomer) in (
                'repeated', 'capped', 'full', 'full-then', 'full-sum', 'exhausted')
              then 'capped'
            else 'credited' end as state,
          invited_at, deadline, period, counted_at
        from invite_credit
        join invite using (newcomer)
        cross join lateral (
          select
            bool_or(not undo and verdict is null) as is_undecided,
            bool_or(not undo and verdict = 'dismissed') as is_dismissed,
            bool_or(undo and verdict = 'accepted') as is_reversed
          from late_event
          where late_event.board = invite_credit.board
            and late_event.period = invite_credit.period
            and late_event.action = invite_credit.action
            and subject = newcomer) late
        where board = coalesce(:board, board) and inviter = coalesce(:inviter, inviter)
      )
      select *
      from entry
      where (not :pending or state = 'pending')
        and (:after_board::text is null
          or board > :after_board
          or board = :after_board and invited_at < :after_time::timestamptz
          or board = :after_board and invited_at = :after_time::timestamptz
            and member > :after_member)
      order by board, invited_at desc, member
      limit :most
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  QualifyingInvites(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** What has become of an invite on a board. */
  public enum State implements Choice {
    /** The invited member can still qualify it. */
    PENDING,
    /** The inviter is credited. */
    CREDITED,
    /** It qualified after the period of its credit was closed: a person decides. */
    LATE,
    /** A person has dismissed its late event. */
    DISMISSED,
    /** It qualified, but the limits of its inviter left no room for the credit. */
    CAPPED,
    /** A person accepted the late event that takes its credit back. */
    REVERSED,
    /** The invited member did not do enough in time. */
    LAPSED
  }

  /**
   * An invite on one board.
   *
   * @param member who was invited
   * @param period of the credit; null if there is none
   * @param deadline until when the member can qualify it
   * @param countedAt the time by which the credit counts; null if there is none
   */
  public record Entry(
      String board,
      String member,
      String inviter,
      State state,
      Instant invitedAt,
      Instant deadline,
      @Nullable String period,
      @Nullable Instant countedAt) {}

  /** A position in the list. */
  public record Position(String board, Instant invitedAt, String member) {}

  /**
   * Invites by board, the latest first.
   *
   * @param board only this board's; null for all
   * @param inviter only this member's; null for all
   * @param pending whether to leave out those that are decided
   * @param after only those after this one, in that order; null for all
   * @param most how many at most
   */
  public List<Entry> list(
      @Nullable BoardId board,
      @Nullable MemberId inviter,
      boolean pending,
      @Nullable Position after,
      int most) {
    return jdbc.sql(LIST)
        .param("now", clock.instant())
        .param("prefix", InviteCredits.PREFIX)
        .param("board", board == null ? null : board.value())
        .param("inviter", inviter == null ? null : inviter.value())
        .param("pending", pending)
        .param("after_board", after == null ? null : after.board())
        .param("after_time", after == null ? null : after.invitedAt())
        .param("after_member", after == null ? null : after.member())
        .param("most", most)
        .query(Entry.class)
        .list();
  }
}
