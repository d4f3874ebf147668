package palmares.closing;

import java.util.Objects;
import org.springframework.stereotype.Component;
import palmares.journal.Journal;
import palmares.journal.Quarantine;
import palmares.live.LiveBoards;
import palmares.period.Period;
import palmares.revision.Revision;
import palmares.revision.Revisions;
import palmares.revision.Revisions.Tables;
import palmares.reward.Awards;
import palmares.standing.ClosingLines;

/**
 * Takes a sealed period to a filled one: its outcome has every line, rank and pending payment, and
 * agrees with the journal.
 */
@Component
class Filling {
  private final Stages stages;
  private final LiveBoards live;
  private final Journal journal;
  private final Quarantine quarantine;
  private final Revisions revisions;
  private final ClosingLines lines;
  private final Awards awards;
  private final LateWrites lateWrites;
  private final BigFilling big;

  Filling(
      Stages stages,
      LiveBoards live,
      Journal journal,
      Quarantine quarantine,
      Revisions revisions,
      ClosingLines lines,
      Awards awards,
      LateWrites lateWrites,
      BigFilling big) {
    this.stages = stages;
    this.live = live;
    this.journal = journal;
    this.quarantine = quarantine;
    this.revisions = revisions;
    this.lines = lines;
    this.awards = awards;
    this.lateWrites = lateWrites;
    this.big = big;
  }

  /** An adopted board has no journal. */
  void drain(Closing closing) {
    if (closing.board().adoption() == null && !closing.period().state().isFilled()) {
      journal.drain(closing.period(), () -> stages.renew(closing));
      quarantine.requireNone(closing.period());
    }
  }

  void fill(Closing closing) {
    if (closing.period().state().isFilled()) {
      return;
    }
    if (closing.board().adoption() == null) {
      requireThere(closing.period());
    }
    lateWrites.look(closing);
    if (big.suits(closing)) {
      big.fill(closing);
    } else {
      stages.fill(closing, () -> write(closing));
    }
  }

  private void requireThere(Period period) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    if (members > 0 && !live.exists(period)) {
      throw LiveBoardLost.ours(period);
    }
  }

  private void write(Closing closing) {
    Period period = closing.period();
    // An attempt as a big period may have left an outcome, if a rebuild has fewer members since.
    revisions.forget(period.id(), Revision.FIRST);
    int outcome =
        revisions.begin(
            period, closing.board(), closing.cause().by(), closing.cause().person(), Tables.SHARED);
    lines.write(period, outcome, closing.board());
    awards.award(period, Revision.FIRST, closing.board(), null);
  }
}
