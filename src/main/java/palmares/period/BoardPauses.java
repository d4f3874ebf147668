package palmares.period;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Next;
import palmares.rules.board.BoardId;

/**
 * Pauses boards, and resumes them. No closing of a paused board starts; one that runs goes on, and
 * events are taken as always. Amendments of settled periods are not concerned.
 */
@Component
public class BoardPauses {
  private static final String SELECT =
      "select board, reason, paused_by as by, paused_at as since from board_pause ";

  private final JdbcClient jdbc;
  private final AuditLog auditLog;

  BoardPauses(JdbcClient jdbc, AuditLog auditLog) {
    this.jdbc = jdbc;
    this.auditLog = auditLog;
  }

  /** A board whose closings are paused. */
  public record Pause(BoardId board, Instant since, @Wrapped String by, @Wrapped String reason) {}

  /**
   * Pauses a board, and records it in the audit log.
   *
   * @throws WrongState if it is paused already
   */
  @Transactional
  public Pause pause(BoardId board, String by, String reason) {
    Instant now = auditLog.append(entry("pause", board, by, reason));
    boolean paused =
        jdbc.sql(
                    """
                    insert into board_pause (board, reason, paused_by, paused_at)
                    values (:board, :reason, :by, :now)
                    on conflict (board) do nothing
                    """)
                .param("board", board)
                .param("reason", reason)
                .param("by", by)
                .param("now", now)
                .update()
            == 1;
    Pause pause = find(board).orElseThrow();
    if (!paused) {
      throw new WrongState(
          new PeriodSentences.AlreadyPaused(
              board.value(), pause.since().atZone(ZoneOffset.UTC), pause.by(), pause.reason()));
    }
    return pause;
  }

  /**
   * Resumes a board, and records it in the audit log. Schedulers close what is due.
   *
   * @return the pause that has ended
   * @throws WrongState if it is not paused
   */
  @Transactional
  public Pause resume(BoardId board, String by, String reason) {
    Pause ended =
        jdbc.sql(
                """
                delete from board_pause
                where board = :board
                returning board, reason, paused_by as by, paused_at as since
                """)
            .param("board", board)
            .query(Pause.class)
            .optional()
            .orElseThrow(() -> new WrongState(new PeriodSentences.NotPaused(board.value())));
    auditLog.append(entry("resume", board, by, reason).with("from", ended.since()));
    return ended;
  }

  private static AuditEntry entry(String verb, BoardId board, String by, String reason) {
    return new AuditEntry(by, verb, board.value(), null, null, null, reason);
  }

  public List<Pause> list() {
    return jdbc.sql(SELECT + "order by board").query(Pause.class).list();
  }

  public Optional<Pause> find(BoardId board) {
    return jdbc.sql(SELECT + "where board = :board")
        .param("board", board)
        .query(Pause.class)
        .optional();
  }

  /**
   * Checks that a board is not paused.
   *
   * @throws WrongState if it is
   */
  public void requireNone(BoardId board) {
    find(board)
        .ifPresent(
            pause -> {
              throw new WrongState(
                      new PeriodSentences.BoardPaused(
                          board.value(),
                          pause.since().atZone(ZoneOffset.UTC),
                          pause.by(),
                          pause.reason()))
                  .then(Next.of("resume").with("board", board));
            });
  }
}
