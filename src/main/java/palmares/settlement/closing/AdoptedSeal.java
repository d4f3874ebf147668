package palmares.settlement.closing;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.board.AdoptedBoards;
import palmares.live.board.AdoptedBoards.AdoptionRefused;
import palmares.live.board.AdoptedKeys;
import palmares.live.board.LiveBoardGone;
import palmares.period.BoardDefinitions;
import palmares.period.BoardDefinitions.UnreadableDefinition;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.Population;
import palmares.period.WrongState;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;
import palmares.rules.adoption.Encoding;
import palmares.rules.board.Board;
import palmares.settlement.lines.SharedRankCheck;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/**
 * Seals adopted boards, and records which of their keys were ever seen. If seen keys are missing at
 * the seal, they were lost. If they were never seen, nothing was written, or the board's file names
 * other keys than the program: the closing is held until a key of the board was seen.
 */
@Component
class AdoptedSeal implements SealStep.Seal {
  /** Why an adopted board cannot be restarted. */
  interface AdoptedSentences {
    record WouldBeLost(String period, Sentence fault) implements Sentence {}

    record OtherRanks(String counts, String scores, List<Sentence> differences)
        implements Sentence {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(AdoptedSeal.class);

  private final LiveBoardMarks marks;
  private final BoardDefinitions definitions;
  private final AdoptedBoards adopted;
  private final Revisions revisions;
  private final SharedRankCheck sharedRanks;
  private final Outages outages;

  AdoptedSeal(
      LiveBoardMarks marks,
      BoardDefinitions definitions,
      AdoptedBoards adopted,
      Revisions revisions,
      SharedRankCheck sharedRanks,
      Loops loops) {
    this.outages = loops.outages();
    this.marks = marks;
    this.definitions = definitions;
    this.adopted = adopted;
    this.revisions = revisions;
    this.sharedRanks = sharedRanks;
  }

  /** Records the keys of open periods that exist and were not seen before. */
  void observeAll() {
    for (Period period : marks.unobserved()) {
      try {
        Board board = definitions.of(period);
        if (board.kind().map(() -> false, adoption -> adopted.exists(period, board))) {
          marks.markObserved(period.id());
        }
      } catch (RedisUnavailable e) {
        outages.noteRequest(e);
        return; // Each further call would run into the same timeout.
      } catch (UnreadableDefinition e) {
        LOG.warn("adopted keys of {} not checked: {}", period.label(), e.getMessage());
      }
    }
  }

  /**
   * Records that the keys exist, in a transaction before the seal. If Redis renames them, the seal
   * is not committed, and Redis loses them, they count as lost.
   */
  @Override
  public void prepare(Closing closing) {
    Period period = closing.period();
    if (!marks.wasObserved(period.id()) && adopted.exists(period, closing.board())) {
      marks.markObserved(period.id());
    }
  }

  /**
   * Renames the keys, so that the programs that write them no longer reach them.
   *
   * @throws LiveBoardGone if the keys were seen and are missing
   */
  @Override
  public Population seal(Closing closing) {
    Period period = closing.period();
    Optional<Population> population = adopted.seal(period, closing.board());
    if (population.isEmpty() && marks.wasObserved(period.id())) {
      throw LiveBoardGone.adopted(period);
    }
    if (population.isEmpty()) {
      LOG.warn(
          "nothing was written board={} period={}: its keys were never seen, it closes without"
              + " members",
          period.board(),
          period.name());
    }
    return population.orElse(Population.EMPTY);
  }

  /**
   * Seals the keys of a board that had none when its period was sealed; empty if there are none
   * still. Needs a transaction.
   *
   * @throws AdoptionRefused if they do not hold what the board's file says
   */
  Optional<Population> sealFound(Period period) {
    Optional<Population> found = adopted.seal(period, definitions.of(period));
    found.ifPresent(population -> marks.markObserved(period.id()));
    return found;
  }

  /** Restores the mark in Redis of a period that is sealed and not filled. */
  @Override
  public void restore(Closing closing) {
    Period period = closing.period();
    if (!period.state().isFilled() && !Population.EMPTY.equals(period.population())) {
      adopted.sealAgain(period, closing.board());
    }
  }

  /**
   * Seals a board again and checks that it holds what was sealed, before its lines in PostgreSQL
   * are removed. A board of another program has no journal that it could be made from again. Needs
   * a transaction.
   *
   * @throws WrongState if it does not
   */
  void requireKept(Period period) {
    Board board = definitions.of(period);
    Population sealed = Objects.requireNonNull(period.population(), "sealed");
    board
        .kind()
        .run(
            () -> {},
            adoption -> {
              if (!Population.EMPTY.equals(sealed)) {
                requireKept(period, board, sealed, adoption.encoding());
              }
            });
  }

  private void requireKept(Period period, Board board, Population sealed, Encoding encoding) {
    try {
      boolean marked = adopted.isMarked(period, board);
      requireNone(period, adopted.loss(period, board, sealed));
      adopted.sealAgain(period, board);
      if (!marked) {
        // The program may have written before its key was renamed.
        requireNone(period, adopted.loss(period, board, sealed));
      }
      if (encoding.usesThreeKeys()) {
        requireNone(period, otherRanks(period, board));
      }
    } catch (AdoptionRefused e) {
      throw new WrongState(new AdoptedSentences.WouldBeLost(period.label(), e.said()));
    }
  }

  private Optional<Sentence> otherRanks(Period period, Board board) {
    int rejected = revisions.outcome(period.id(), Revision.FIRST);
    List<Sentence> differences = sharedRanks.differences(period, rejected, board);
    AdoptedKeys keys = AdoptedKeys.of(period, board);
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new AdoptedSentences.OtherRanks(keys.sealedCounts(), keys.sealedScores(), differences));
  }

  private static void requireNone(Period period, Optional<Sentence> fault) {
    if (fault.isPresent()) {
      throw new WrongState(new AdoptedSentences.WouldBeLost(period.label(), fault.get()));
    }
  }
}
