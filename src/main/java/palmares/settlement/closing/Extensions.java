package palmares.settlement.closing;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.AdoptedBoards;
import palmares.live.board.LiveEnds;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodSentences;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.rules.adoption.Adoption;
import palmares.rules.board.Board;
import palmares.rules.board.Tier;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.outbox.Outbox;

/**
 * Gives open periods a later end. The tiers of a family have their periods in common, so all of
 * them are extended, or none.
 *
 * <p>An extension commits under the lease of its period, so it never meets a closing that has
 * begun; one that was due a moment ago finds that the period is not over.
 */
@Component
public class Extensions {
  private final Clock clock;
  private final LeasedWork work;
  private final Periods periods;
  private final PeriodTimeline timeline;
  private final BoardDefinitions definitions;
  private final Catalogue catalogue;
  private final LiveEnds live;
  private final AdoptedBoards adopted;
  private final AuditLog auditLog;
  private final Outbox outbox;

  Extensions(
      Clock clock,
      LeasedWork work,
      Periods periods,
      PeriodTimeline timeline,
      BoardDefinitions definitions,
      Catalogue catalogue,
      LiveEnds live,
      AdoptedBoards adopted,
      AuditLog auditLog,
      Outbox outbox) {
    this.clock = clock;
    this.work = work;
    this.periods = periods;
    this.timeline = timeline;
    this.definitions = definitions;
    this.catalogue = catalogue;
    this.live = live;
    this.adopted = adopted;
    this.auditLog = auditLog;
    this.outbox = outbox;
  }

  /** A person's wish that a period ends later. */
  private record Extension(Instant until, String by, String reason) {}

  /**
   * Extends a period, and those of the other tiers of its board.
   *
   * @param until the new end, exclusive
   * @return the periods with their new end, in the order of their boards
   * @throws WrongState if one of them cannot end then
   * @throws palmares.period.PeriodBusy if another process works on one of them
   */
  @Transactional
  public List<Period> extend(PeriodId id, Instant until, String by, String reason) {
    var extension = new Extension(until, by, reason);
    var extended = new ArrayList<Period>();
    for (PeriodId each : family(periods.get(id))) {
      extended.add(work.run(each, (lease, period) -> extend(lease, period, extension)));
    }
    return extended;
  }

  private List<PeriodId> family(Period period) {
    Tier tier = definitions.of(period).tier();
    if (tier == null) {
      return List.of(period.id());
    }
    // One without a row would get it later, and end as its file says.
    catalogue.all().stream()
        .filter(board -> isOf(tier.family(), board))
        .forEach(board -> timeline.open(board, period.slot().startsAt()));
    return periods.in(period.slot()).stream()
        .filter(other -> isOf(tier.family(), definitions.of(other)))
        .map(Period::id)
        .toList();
  }

  private static boolean isOf(String family, Board board) {
    return board.tier() != null && board.tier().family().equals(family);
  }

  private Period extend(Lease lease, Period period, Extension extension) {
    Board rules = definitions.of(period);
    requireExtendable(period, extension.until());
    rules
        .kind()
        .run(
            () -> {
              requireExact(period, rules, extension.until());
              live.sendWithCommit(period.id());
            },
            adoption -> requireReadable(period, rules, adoption, extension.until()));
    Period extended =
        timeline.extend(lease, period, rules, catalogue.find(period.board()), extension.until());
    auditLog.append(
        AuditEntry.of(period.board(), period.name(), extension.by(), "extend", extension.reason())
            .with("endedAt", period.slot().endsAt())
            .with("until", extended.slot().endsAt()));
    outbox.extended(extended, lease, period.slot().endsAt());
    return extended;
  }

  private void requireExtendable(Period period, Instant until) {
    Instant now = clock.instant();
    if (period.state() != PeriodState.OPEN) {
      throw new WrongState(new ExtensionSentences.NotOpen(period.label(), period.state()));
    }
    if (period.closesAt() == null) {
      throw new WrongState(new PeriodSentences.NeverCloses(period.label()));
    }
    if (now.isBefore(period.slot().startsAt())) {
      throw new WrongState(new ExtensionSentences.NotBegun(period.label()));
    }
    Instant end = period.slot().endsAt();
    if (!until.isAfter(end) || !until.isAfter(now)) {
      ZoneId zone = definitions.of(period).zone();
      throw new WrongState(
          new ExtensionSentences.NotLater(period.label(), until.atZone(zone), end.atZone(zone)));
    }
  }

  /** Scores keep their bits, so the ticks must fit until the new end and its grace. */
  private static void requireExact(Period period, Board rules, Instant until) {
    Instant latest = rules.layout(period.slot()).latestDeadline().minus(rules.grace());
    if (until.isAfter(latest)) {
      throw new WrongState(
          new ExtensionSentences.BeyondScores(
              period.label(), until.atZone(rules.zone()), latest.atZone(rules.zone())));
    }
  }

  /** Another program writes the scores, and does not know of the new end. */
  private void requireReadable(Period period, Board rules, Adoption adoption, Instant until) {
    if (adoption.countsDownBefore(until, rules.calendarSlot(period.slot()))) {
      throw new WrongState(new ExtensionSentences.CountsDown(period.label()));
    }
    if (adopted.isMarked(period, rules)) {
      throw new WrongState(new ExtensionSentences.KeysSealed(period.label()));
    }
  }
}
