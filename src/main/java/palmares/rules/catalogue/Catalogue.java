package palmares.rules.catalogue;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/** Holds the boards that were read from the board files when the process started. */
public final class Catalogue {
  private final Map<BoardId, Board> boards = new TreeMap<>(Comparator.comparing(BoardId::value));

  public Catalogue(Collection<Board> boards) {
    boards.forEach(board -> this.boards.put(board.id(), board));
  }

  public Optional<Board> find(BoardId id) {
    return Optional.ofNullable(boards.get(id));
  }

  /** All boards, ordered by id. */
  public Collection<Board> all() {
    return boards.values();
  }
}
