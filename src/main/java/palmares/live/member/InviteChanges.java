package palmares.live.member;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.Event;
import palmares.live.intake.InviteCredits;
import palmares.live.intake.InviteCredits.Routed;
import palmares.live.member.JudgedInvite.Step;
import palmares.live.relay.CommittedEvents;
import palmares.live.relay.CommittedEvents.Commit;
import palmares.live.relay.RelayedEvent;
import palmares.rules.calendar.PeriodName;

/** Finds what judged invites change, and writes it: credits of inviters, and their reversals. */
@Component
class InviteChanges {
  private static final Logger LOG = LoggerFactory.getLogger(InviteChanges.class);

  private final JdbcClient jdbc;
  private final InviteCredits credits;
  private final CommittedEvents events;

  InviteChanges(JdbcClient jdbc, InviteCredits credits, CommittedEvents events) {
    this.jdbc = jdbc;
    this.credits = credits;
    this.events = events;
  }

  /** An event that may be written, and its period; null if it was never opened. */
  record Prepared(Event event, Routed routed) {}

  /** A credit that is taken back, a new one, or both. */
  record Change(JudgedInvite invite, @Nullable Prepared reversal, @Nullable Prepared credit) {}

  /** Empty if nothing must change, or if the board does not count the event. */
  Optional<Change> of(JudgedInvite invite) {
    return invite.change().flatMap(step -> route(invite, step));
  }

  private Optional<Change> route(JudgedInvite invite, Step step) {
    Prepared reversal = invite.countedAt() == null ? null : prepare(invite.reversal());
    if (invite.countedAt() != null && reversal == null) {
      if (step.countedAt() != null) {
        return Optional.empty();
      }
      // The rules of the period take nothing back, so a person decides.
      var period = new PeriodName(requireNonNull(invite.period()));
      credits.storeLate(invite.reversal(), period);
      reversal = new Prepared(invite.reversal(), new Routed(period, null));
    }
    Prepared credit = step.countedAt() == null ? null : prepare(invite.credit(step.countedAt()));
    return reversal == null && credit == null
        ? Optional.empty()
        : Optional.of(new Change(invite, reversal, credit));
  }

  private @Nullable Prepared prepare(Event event) {
    return credits.routeQualified(event).map(routed -> new Prepared(event, routed)).orElse(null);
  }

  /**
   * Writes a change in the caller's transaction. A credit that cannot be taken back stays in force,
   * as a person decides on its late reversal: else the inviter could be credited twice.
   *
   * @param written receives the events that are written
   * @throws IllegalStateException if the invite was credited since it was judged
   */
  @Transactional(propagation = Propagation.MANDATORY)
  void write(Change change, List<Commit> written) {
    Prepared reversal = change.reversal();
    Prepared credit = change.credit();
    if (reversal != null && !write(reversal, credit == null, written)) {
      return;
    }
    if (credit != null) {
      write(credit, true, written);
    }
    record(change.invite(), credit);
  }

  /** Returns whether the event counts; if it does not, it may be stored as a late event. */
  private boolean write(Prepared prepared, boolean storeLate, List<Commit> written) {
    RelayedEvent event = prepared.routed().event();
    if (event == null) {
      return false; // it is stored as a late event of a period that was never opened
    }
    Commit commit = events.write(List.of(event)).get(0);
    if (commit.result() == Commit.Result.LATE) {
      if (storeLate) {
        credits.storeLate(prepared.event(), prepared.routed().period());
      }
      return false;
    }
    if (commit.result() == Commit.Result.CONFLICTING) {
      LOG.error("another event has the id of a credit event={}", event.change().id());
    }
    written.add(commit);
    return true;
  }

  private void record(JudgedInvite invite, @Nullable Prepared credit) {
    int updated =
        jdbc.sql(
                """
                update invite_credit
                set credits = credits + :credited, counted_at = :counted_at, period = :period
                where newcomer = :newcomer and board = :board and credits = :credits
                """)
            .param("credited", credit == null ? 0 : 1)
            .param("counted_at", credit == null ? null : credit.event().occurredAt())
            .param("period", credit == null ? null : periodOf(credit))
            .param("newcomer", invite.newcomer())
            .param("board", invite.board())
            .param("credits", invite.credits())
            .update();
    if (updated != 1) {
      throw new IllegalStateException(
          "the invite of %s on %s was credited meanwhile"
              .formatted(invite.newcomer(), invite.board()));
    }
  }

  private static PeriodName periodOf(Prepared credit) {
    return credit.routed().period();
  }
}
