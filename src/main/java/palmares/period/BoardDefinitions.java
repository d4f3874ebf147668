package palmares.period;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.BoardFiles;
import palmares.rules.catalogue.BoardFilesException;

/** The rules that periods opened under, kept for ever: an edited file changes later ones only. */
@Component
public class BoardDefinitions {
  private final JdbcClient jdbc;
  private final Clock clock;
  private final Map<Key, Board> read = new ConcurrentHashMap<>();

  BoardDefinitions(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Two boards may have files with the same text. */
  private record Key(BoardId board, String hash) {}

  /** Keeps the board's text, unless it is kept already. */
  public void keep(Board board) {
    jdbc.sql(
            """
            insert into definition (hash, source, first_used_at)
            values (:hash, :source, :now)
            on conflict (hash) do nothing
            """)
        .param("hash", board.source().hash())
        .param("source", board.source().text())
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
    read.put(new Key(board.id(), board.source().hash()), board);
  }

  /** The rules that the period closes under. */
  public Board of(Period period) {
    return of(period.board(), period.definitionHash());
  }

  /**
   * The rules of that board that have that hash.
   *
   * @throws UnreadableDefinition if there are none
   */
  public Board of(BoardId board, String hash) {
    return read.computeIfAbsent(new Key(board, hash), this::parse);
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
}
