package palmares.period;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.calendar.PeriodName;

/**
 * Stores the board files that periods were opened under, by their hash, so that an edited file
 * changes only later periods.
 */
@Component
public class BoardDefinitions {
  private final JdbcClient jdbc;
  private final Clock clock;
  private final Map<Key, Board> cache = new ConcurrentHashMap<>();

  BoardDefinitions(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Contains the board because two boards may have files with the same text. */
  private record Key(BoardId board, String hash) {}

  /** Stores the board's file, unless it is stored already. */
  public void store(Board board) {
    jdbc.sql(
            """
            insert into definition (hash, source, lists, first_used_at)
            values (:hash, :source, :lists::text[], :now)
            on conflict (hash) do nothing
            """)
        .param("hash", board.source().hash())
        .param("source", board.source().text())
        .param("lists", board.exclusionLists())
        .param("now", clock.instant())
        .update();
    cache.put(new Key(board.id(), board.source().hash()), board);
  }

  /**
   * Returns the rules that the period closes under.
   *
   * @throws UnreadableDefinition if they are missing
   */
  public Board of(Period period) {
    return of(period.board(), period.definitionHash());
  }

  /**
   * Finds the rules that a period closes under; empty if it has no row.
   *
   * @throws UnreadableDefinition if they are missing
   */
  public Optional<Board> find(BoardId board, PeriodName period) {
    return jdbc.sql("select definition_hash from period where board = :board and name = :name")
        .param("board", board)
        .param("name", period)
        .query(String.class)
        .optional()
        .map(hash -> of(board, hash));
  }

  /**
   * Returns the rules of the board with that hash.
   *
   * @throws UnreadableDefinition if they are missing
   */
  public Board of(BoardId board, String hash) {
    return cache.computeIfAbsent(new Key(board, hash), this::parse);
  }

  private Board parse(Key key) {
    try {
      String source =
          jdbc.sql("select source from definition where hash = :hash")
              .param("hash", key.hash())
              .query(String.class)
              .single();
      return BoardFiles.parse(key.board(), source);
    } catch (EmptyResultDataAccessException | BoardFilesException e) {
      throw new UnreadableDefinition(key.board(), key.hash(), e);
    }
  }

  /** Reports that stored rules are missing or cannot be parsed. */
  public static final class UnreadableDefinition extends RuntimeException {
    UnreadableDefinition(BoardId board, String hash, Throwable cause) {
      super(
          "definition %s of board %s is missing or cannot be read: %s"
              .formatted(hash, board, cause.getMessage()),
          cause);
    }
  }
}
