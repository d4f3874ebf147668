package palmares.operations.rebuild;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.springframework.stereotype.Component;
import palmares.live.board.Decision;
import palmares.live.board.LiveEntry;
import palmares.live.board.LiveRebuild;
import palmares.live.board.Verdict;
import palmares.live.journal.StoredEvents;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;

/** Replays a halted board's events, page by page, under the lease. */
@Component
class Replay {
  private static final int EVENTS_PER_PAGE = 5_000;

  private final StoredEvents stored;
  private final LiveRebuild live;
  private final Leases leases;
  private final BoardDefinitions definitions;

  Replay(StoredEvents stored, LiveRebuild live, Leases leases, BoardDefinitions definitions) {
    this.stored = stored;
    this.live = live;
    this.leases = leases;
    this.definitions = definitions;
  }

  private record Work(Period period, Board board, Lease lease) {}

  /**
   * Resets the halted board, replays the journal, and then decides the strays that were put aside.
   *
   * @param events the number of events in the journal
   * @return the result for the strays
   * @throws Refusal if an event has another result than before, or is missing
   */
  Strays run(Period period, Lease lease, long events, LongConsumer watcher) {
    var work = new Work(period, definitions.of(period), lease);
    live.reset(period, work.board(), lease, events);
    replay(work, events, watcher);
    return decideStrays(work);
  }

  private void replay(Work work, long events, LongConsumer watcher) {
    long replayed = 0;
    while (replayed < events) {
      List<LiveEntry> page = stored.after(work.period().id(), replayed, EVENTS_PER_PAGE);
      if (page.isEmpty()) {
        throw lacks(work.period(), replayed + 1);
      }
      replay(work, replayed, page);
      replayed = page.get(page.size() - 1).seq();
      leases.renew(work.lease());
      watcher.accept(replayed);
    }
  }

  /** Replays a page. The number of a discarded event is skipped. */
  private void replay(Work work, long before, List<LiveEntry> page) {
    int from = 0;
    for (int at = 0; at <= page.size(); at++) {
      boolean discarded = at < page.size() && page.get(at).outcome() == Verdict.DISCARDED;
      if (!discarded && at < page.size()) {
        continue;
      }
      List<LiveEntry> run = page.subList(from, at);
      if (!run.isEmpty()) {
        compare(
            work, before + from, run, live.replay(work.period(), work.board(), work.lease(), run));
      }
      if (discarded && !live.skip(work.period(), work.lease(), page.get(at).seq())) {
        throw lacks(work.period(), before + at + 1);
      }
      from = at + 1;
    }
  }

  private static Refusal lacks(Period period, long seq) {
    return new Refusal(Problem.EVENTS_MISSING, new RebuildSentences.NoEvent(period.label(), seq));
  }

  private static Refusal differs(Period period, LiveEntry event, Decision again) {
    return new Refusal(
        Problem.EVENTS_MISSING,
        new RebuildSentences.Changed(
            period.label(),
            event.seq(),
            event.id(),
            event.member(),
            event.outcome().word(),
            event.points(),
            again.verdict().word(),
            again.change()));
  }

  private static void compare(Work work, long before, List<LiveEntry> page, List<Decision> again) {
    for (int i = 0; i < page.size(); i++) {
      LiveEntry event = page.get(i);
      Decision decision = again.get(i);
      if (decision.verdict() == Verdict.OUT_OF_STEP) {
        throw lacks(work.period(), before + i + 1);
      }
      if (decision.verdict() != event.outcome() || decision.change() != event.points()) {
        throw differs(work.period(), event, decision);
      }
    }
  }

  /**
   * Events that only Redis had: after it went back to an earlier state, or behind events that are
   * given up.
   *
   * @param decided the number that the board has decided now
   * @param refused those that the board refuses now
   */
  record Strays(long decided, List<Sentence> refused) {}

  /** Also decides those that had no effect: without what is lost, they may have one. */
  private Strays decideStrays(Work work) {
    long decided = 0;
    var refused = new ArrayList<Sentence>();
    while (true) {
      List<LiveEntry> page = live.aside(work.period(), EVENTS_PER_PAGE);
      if (page.isEmpty()) {
        return new Strays(decided, refused);
      }
      List<Decision> again = live.decide(work.period(), work.board(), work.lease(), page);
      for (int i = 0; i < page.size(); i++) {
        Verdict verdict = again.get(i).verdict();
        if (verdict.isKept()) {
          decided++;
        } else if (verdict != Verdict.DUPLICATE) {
          refused.add(new RebuildSentences.Stray(page.get(i).id(), verdict.word()));
        }
      }
      live.forgetAside(work.period(), page.get(page.size() - 1).seq());
      leases.renew(work.lease());
    }
  }
}
