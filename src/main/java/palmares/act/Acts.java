package palmares.act;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Every act of a person that changes what is paid or shown. */
@Component
public class Acts {
  private final JdbcClient jdbc;
  private final Clock clock;

  Acts(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Keeps an act for ever, in the transaction of what it does.
   *
   * @return when it was
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Instant keep(Act act) {
    Instant now = clock.instant();
    jdbc.sql(
            """
            insert into act (at, by, verb, board, period, revision, member, reason)
            values (
              :now, :by, :verb, :board::text, :period::text, :revision::int, :member::text,
              :reason)
            """)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("by", act.by())
        .param("verb", act.verb())
        .param("board", act.board())
        .param("period", act.period())
        .param("revision", act.revision())
        .param("member", act.member())
        .param("reason", act.reason())
        .update();
    return now;
  }
}
