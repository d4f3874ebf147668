package palmares.live.intake;

import java.util.Optional;
import java.util.Set;
import palmares.live.board.BoardChange.Arrival;
import palmares.period.ImportRuns.ImportRun;
import palmares.rules.board.BoardId;

/** The source of events, which decides what they may do. */
public sealed interface EventOrigin {
  /** Whether events of this origin may change the board. */
  default boolean mayWrite(BoardId board) {
    return true;
  }

  /** Whether events may have ids that are reserved for registrations. */
  boolean mayUseReservedIds();

  /** Whether events may credit the inviter where invites must qualify. */
  default boolean mayCreditInvites() {
    return false;
  }

  /** Whether events are stored in PostgreSQL before they count, even those of fast boards. */
  boolean isAlwaysCommitted();

  /** Whether an event may be the repeat of one that counted in the period that has just ended. */
  boolean mayRepeatInNextPeriod();

  /** The import that opens the periods of the events; empty if they count in present periods. */
  default Optional<ImportRun> importRun() {
    return Optional.empty();
  }

  /**
   * Whether events count by the time that they state, even on boards that count by the server's.
   */
  default boolean statesTime() {
    return importRun().isPresent();
  }

  /** Until when a live board takes the events. */
  default Arrival arrival() {
    return statesTime() ? Arrival.ANY : Arrival.NOW;
  }

  /**
   * A caller with an API key. Events count now.
   *
   * @param boards the boards that the key may write; empty for all of them
   */
  record Api(Set<BoardId> boards) implements EventOrigin {
    public Api {
      boards = Set.copyOf(boards);
    }

    @Override
    public boolean mayWrite(BoardId board) {
      return boards.isEmpty() || boards.contains(board);
    }

    @Override
    public boolean mayUseReservedIds() {
      return false;
    }

    @Override
    public boolean isAlwaysCommitted() {
      return false;
    }

    @Override
    public boolean mayRepeatInNextPeriod() {
      return true;
    }
  }

  /** Palmares itself, for an inviter. Events are committed, even those of fast boards. */
  sealed interface Invitation extends EventOrigin {
    @Override
    default boolean mayUseReservedIds() {
      return true;
    }

    @Override
    default boolean mayCreditInvites() {
      return true;
    }

    @Override
    default boolean isAlwaysCommitted() {
      return true;
    }

    @Override
    default boolean mayRepeatInNextPeriod() {
      return false;
    }
  }

  /** For a member who registers now. */
  record Registration() implements Invitation {}

  /** For an invite that qualifies. Events count by the time that they state. */
  record Qualification() implements Invitation {
    @Override
    public boolean statesTime() {
      return true;
    }
  }

  /** An import of a history. It opens past periods; events count by the time that they state. */
  record History(ImportRun run) implements EventOrigin {
    @Override
    public boolean mayUseReservedIds() {
      return true;
    }

    @Override
    public boolean isAlwaysCommitted() {
      return false;
    }

    @Override
    public boolean mayRepeatInNextPeriod() {
      return false;
    }

    @Override
    public Optional<ImportRun> importRun() {
      return Optional.of(run);
    }
  }
}
