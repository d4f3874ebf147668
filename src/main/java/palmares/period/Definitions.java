package palmares.period;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.board.BoardId;
import palmares.catalogue.BoardFiles;

/** The rules that periods opened under, kept for ever: an edited file changes later ones only. */
@Component
public class Definitions {
  private final JdbcClient jdbc;
  private final TransactionTemplate apart;
  private final Map<String, Board> read = new ConcurrentHashMap<>();
  private final Set<String> kept = ConcurrentHashMap.newKeySet();

  Definitions(JdbcClient jdbc, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.apart = new TransactionTemplate(transactions);
    apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
  }

  /** Keeps the board's text, unless it is kept already, whatever becomes of the transaction. */
  void keep(Board board, Instant now) {
    if (kept.contains(board.source().hash())) {
      return;
    }
    apart.executeWithoutResult(status -> insert(board, now));
    kept.add(board.source().hash());
    read.put(board.source().hash(), board);
  }

  private void insert(Board board, Instant now) {
    jdbc.sql(
            """
            insert into definition (hash, board, source, first_used_at)
            values (:hash, :board, :source, :now)
            on conflict (hash) do nothing
            """)
        .param("hash", board.source().hash())
        .param("board", board.id().value())
        .param("source", board.source().text())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  /** The rules that the period closes under. */
  public Board of(Period period) {
    return read.computeIfAbsent(period.definitionHash(), hash -> parse(period.board(), hash));
  }

  private Board parse(BoardId board, String hash) {
    String source =
        jdbc.sql("select source from definition where hash = :hash")
            .param("hash", hash)
            .query(String.class)
            .single();
    return BoardFiles.parse(board, source);
  }
}
