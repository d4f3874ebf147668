package palmares.rebuild;

import java.util.List;
import java.util.function.LongConsumer;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.live.Decision;
import palmares.live.LiveEntry;
import palmares.live.LiveRebuild;
import palmares.live.Verdict;
import palmares.period.Definitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;

/** Decides a halted board's events again, page by page, under the lease. */
@Component
class Replay {
  private static final int PAGE = 5_000;

  private final StoredEvents stored;
  private final LiveRebuild live;
  private final Leases leases;
  private final Definitions definitions;

  Replay(StoredEvents stored, LiveRebuild live, Leases leases, Definitions definitions) {
    this.stored = stored;
    this.live = live;
    this.leases = leases;
    this.definitions = definitions;
  }

  /** What is made anew, by which rules, under which lease. */
  private record Work(Period period, Board board, Lease lease) {}

  /**
   * Empties the halted board, and decides all that the journal has and what was put aside.
   *
   * @param events how many the journal has
   * @return how many were put aside, and decided now
   * @throws ReplayDiffers if an event does not come out as it did, or is not there
   */
  long run(Period period, Lease lease, long events, LongConsumer watcher) {
    var work = new Work(period, definitions.of(period), lease);
    live.reset(period, work.board(), lease, events);
    replay(work, events, watcher);
    return decideStrays(work);
  }

  private void replay(Work work, long events, LongConsumer watcher) {
    long replayed = 0;
    while (replayed < events) {
      List<LiveEntry> page = stored.after(work.period().id(), replayed, PAGE);
      if (page.isEmpty()) {
        throw ReplayDiffers.lacking(work.period(), replayed + 1);
      }
      compare(work, replayed, page, live.replay(work.period(), work.board(), work.lease(), page));
      replayed = page.get(page.size() - 1).seq();
      leases.renew(work.lease());
      watcher.accept(replayed);
    }
  }

  private static void compare(Work work, long before, List<LiveEntry> page, List<Decision> again) {
    for (int i = 0; i < page.size(); i++) {
      LiveEntry event = page.get(i);
      Decision decision = again.get(i);
      if (decision.verdict() == Verdict.OUT_OF_STEP) {
        throw ReplayDiffers.lacking(work.period(), before + i + 1);
      }
      if (decision.verdict() != event.outcome() || decision.change() != event.points()) {
        throw ReplayDiffers.at(work.period(), event, decision);
      }
    }
  }

  /** What came when Redis had gone back; what had no effect then is left out. */
  private long decideStrays(Work work) {
    long decided = 0;
    while (true) {
      List<LiveEntry> page = live.aside(work.period(), PAGE);
      if (page.isEmpty()) {
        return decided;
      }
      var effective = page.stream().filter(Replay::hadEffect).toList();
      decided +=
          live.decide(work.period(), work.board(), work.lease(), effective).stream()
              .filter(decision -> decision.verdict() != Verdict.DUPLICATE)
              .count();
      live.forgetAside(work.period(), page.get(page.size() - 1).seq());
      leases.renew(work.lease());
    }
  }

  private static boolean hadEffect(LiveEntry entry) {
    return switch (entry.outcome()) {
      case APPLIED, UNDONE, UNCHANGED -> true;
      default -> false;
    };
  }
}
