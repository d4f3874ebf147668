package palmares.live.member;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.InviteCredits.Terms;
import palmares.live.journal.Journal;
import palmares.live.member.InviteChanges.Change;
import palmares.live.relay.CommittedEvents.Commit;
import palmares.live.relay.RelayAttempts;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.platform.infra.WorkPermit;
import palmares.platform.sql.SqlFile;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.Qualification;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/**
 * Credits inviters once their invites qualify, and takes the credit back if an invite no longer
 * does. It judges by the journals in PostgreSQL. The event that credits, the row that says so, and
 * the removal of the newcomer from those to be judged are committed together. So a process may die
 * at any moment, and each invite has at most one credit in force on a board.
 */
@Component
public class Qualifications {
  private static final int NEWCOMERS_PER_ROUND = 200;
  private static final String JUDGED = SqlFile.read(Qualifications.class, "qualified-invites.sql");

  private final JdbcClient jdbc;
  private final InviteChanges changes;
  private final RelayAttempts relay;
  private final Journal journal;
  private final Periods periods;
  private final TransactionTemplate transaction;

  Qualifications(
      JdbcClient jdbc,
      InviteChanges changes,
      RelayAttempts relay,
      Journal journal,
      Periods periods,
      TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.changes = changes;
    this.relay = relay;
    this.journal = journal;
    this.periods = periods;
    this.transaction = transaction;
  }

  /** Judges invites while a server runs. */
  @Component
  static class Judging extends BackgroundLoop {
    Judging(
        Loops loops,
        Qualifications qualifications,
        WorkPermit permit,
        @Value("${palmares.relay.background:false}") boolean serves) {
      super(
          loops,
          "invite qualification",
          serves,
          mayContinue -> {
            do {
              permit.require();
            } while (mayContinue.getAsBoolean() && qualifications.judge(null));
          });
    }
  }

  /** Stores by which terms an invite qualifies, in the transaction of the registration. */
  @Transactional(propagation = Propagation.MANDATORY)
  void begin(MemberId newcomer, Instant registeredAt, List<Terms> terms) {
    for (Terms each : terms) {
      Invites invites = requireNonNull(each.rules().invites());
      Qualification qualification = requireNonNull(invites.qualification());
      BoardId board = each.rules().id();
      jdbc.sql(
              """
              insert into invite_credit (
                newcomer, board, terms_period_id, action, event_board, event_action, at_least,
                deadline, counted_in)
              values (
                :newcomer, :board, :period, :action, :event_board, :event_action, :at_least,
                :deadline, :counted_in)
              """)
          .param("newcomer", newcomer)
          .param("board", board)
          .param("period", each.period().id())
          .param("action", invites.action())
          .param("event_board", Objects.requireNonNullElse(qualification.board(), board))
          .param("event_action", qualification.action())
          .param("at_least", qualification.atLeast())
          .param("deadline", registeredAt.plus(qualification.within()))
          .param("counted_in", qualification.countedIn())
          .update();
    }
    if (!terms.isEmpty()) {
      // Events of the member may have been stored while the registration was committed.
      jdbc.sql("insert into invite_due (newcomer) values (:newcomer)")
          .param("newcomer", newcomer)
          .update();
    }
  }

  /**
   * Judges all invites that may be credited in the period, before it is sealed. What qualifies
   * later, or is undone later, becomes a late event. The journal of a period that is sealed may not
   * be drained yet.
   *
   * @return whether there are invites that must qualify on the board
   * @throws RuntimeException if the journal of a board on which they qualify cannot be drained
   */
  public boolean complete(Period period) {
    if (!hasInvites(period.board())) {
      return false;
    }
    List<PeriodId> sources =
        jdbc.sql(
                """
                select id from period
                where board in (select event_board from invite_credit where board = :board)
                  and (state = 'open'
                    or state = 'sealed' and sealed_events > coalesce((
                      select drained from journal_position where period_id = period.id), 0))
                  and starts_at < :ends
                order by id
                """)
            .param("board", period.board())
            .param("ends", period.slot().endsAt())
            .query(PeriodId.class)
            .list();
    relay.relayNow(sources);
    for (Period source : periods.find(sources)) {
      journal.drain(source);
    }
    markPending(period);
    while (judge(period.board())) {}
    return true;
  }

  private boolean hasInvites(BoardId board) {
    return jdbc.sql("select exists (select from invite_credit where board = :board)")
        .param("board", board)
        .query(Boolean.class)
        .single();
  }

  /** An event may have been stored while the registration was committed, and not have marked it. */
  private void markPending(Period period) {
    jdbc.sql(
            """
            insert into invite_due (newcomer)
            select newcomer
            from invite_credit
            join invite using (newcomer)
            where board = :board
              and counted_at is null
              and deadline > :starts
              and invited_at < :ends
              and exists (
                select from event
                where member = newcomer
                  and action = event_action
                  and occurred_at >= invited_at
                  and occurred_at < deadline)
            order by newcomer
            on conflict do nothing
            """)
        .param("board", period.board())
        .param("starts", period.slot().startsAt())
        .param("ends", period.slot().endsAt())
        .update();
  }

  /** A newcomer whose invites are to be judged, and the mark of its latest event. */
  private record Due(String newcomer, long mark) {}

  /**
   * Judges the invites of some newcomers.
   *
   * @param board only those with invites on this board; null for all
   * @return whether there may be more
   */
  boolean judge(@Nullable BoardId board) {
    List<Due> due =
        jdbc.sql(
                """
                select newcomer, mark from invite_due
                where :board::text is null
                  or newcomer in (select newcomer from invite_credit where board = :board)
                order by mark
                limit :most
                """)
            .param("board", board)
            .param("most", NEWCOMERS_PER_ROUND)
            .query(Due.class)
            .list();
    if (due.isEmpty()) {
      return false;
    }
    boolean credited;
    try {
      credited = credit(due);
    } catch (RuntimeException e) {
      credited = creditEach(due);
    }
    return !credited || due.size() == NEWCOMERS_PER_ROUND;
  }

  /** One that cannot be judged delays none of the others. */
  private boolean creditEach(List<Due> due) {
    boolean credited = true;
    RuntimeException failure = null;
    for (Due each : due) {
      try {
        credited &= credit(List.of(each));
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return credited;
  }

  /** Returns false if some must be judged again, because a later event has marked them. */
  private boolean credit(List<Due> due) {
    List<Change> found = judged(due).stream().flatMap(one -> changes.of(one).stream()).toList();
    var written = new ArrayList<Commit>();
    boolean credited = transaction.execute(status -> commit(due, found, written));
    relay.relayBriefly(written.stream().map(commit -> commit.event().period()).distinct().toList());
    return credited;
  }

  private List<JudgedInvite> judged(List<Due> due) {
    return jdbc.sql(JUDGED)
        .param("newcomers", due.stream().map(Due::newcomer).toList())
        .query(JudgedInvite.class)
        .list();
  }

  /**
   * Writes the changes, unless somebody else has judged the newcomers meanwhile.
   *
   * @return whether it has judged all of them
   */
  private boolean commit(List<Due> due, List<Change> found, List<Commit> written) {
    List<String> own = claim(due);
    for (Change change : found) {
      if (own.contains(change.invite().newcomer().value())) {
        changes.write(change, written);
      }
    }
    return own.size() == due.size();
  }

  /**
   * Removes the newcomers from those that are due; returns those that no later event has marked.
   */
  private List<String> claim(List<Due> due) {
    var sorted = due.stream().sorted(Comparator.comparing(Due::newcomer)).toList();
    jdbc.sql(
            """
            select from invite_due where newcomer = any(:newcomers) order by newcomer for update
            """)
        .param("newcomers", sorted.stream().map(Due::newcomer).toList())
        .query(row -> {});
    return jdbc.sql(
            """
            delete from invite_due
            using unnest(:newcomers::text[], :marks::bigint[]) as judged (newcomer, mark)
            where invite_due.newcomer = judged.newcomer and invite_due.mark = judged.mark
            returning invite_due.newcomer
            """)
        .param("newcomers", sorted.stream().map(Due::newcomer).toList())
        .param("marks", sorted.stream().map(Due::mark).toList())
        .query(String.class)
        .list();
  }
}
