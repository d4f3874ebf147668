package palmares.rules.boardfiles;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/** Holds the boards that were read from the board files when the process started. */
public final class Catalogue {
  private final Map<BoardId, Board> boards = new TreeMap<>(Comparator.comparing(BoardId::value));

  private final @Nullable Path emptyFolder;

  public Catalogue(Collection<Board> boards) {
    this(boards, null);
  }

  private Catalogue(Collection<Board> boards, @Nullable Path emptyFolder) {
    boards.forEach(board -> this.boards.put(board.id(), board));
    this.emptyFolder = emptyFolder;
  }

  /** A catalogue without boards, for a server whose folder is empty. */
  static Catalogue empty(Path folder) {
    return new Catalogue(List.of(), folder.toAbsolutePath().normalize());
  }

  /** The folder for the first board file; empty if there are boards. */
  public Optional<Path> emptyFolder() {
    return Optional.ofNullable(emptyFolder);
  }

  public Optional<Board> find(BoardId id) {
    return Optional.ofNullable(boards.get(id));
  }

  /** All boards, ordered by id. */
  public Collection<Board> all() {
    return boards.values();
  }
}
