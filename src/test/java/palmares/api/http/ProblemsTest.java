package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.connector.ClientAbortException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionSystemException;
import palmares.live.board.Halt;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Next;
import palmares.platform.threads.Loops;

/** Disconnected clients are distinguished from failures of servers. */
@ExtendWith(OutputCaptureExtension.class)
class ProblemsTest {
  private final Problems problems =
      new Problems(
          new Loops(new SimpleMeterRegistry(), new Loops.Settings(Duration.ofSeconds(30))));

  /** A halted board takes events again once somebody has repaired it. */
  @Test
  void adviceToSendAgainKeepsWhatCanBeDone() {
    Next repair = Next.of("rebuild", "invites", "2026-W43").with("replace", true);
    Refusal torn = new Refusal(Problem.TORN, Halt.TORN.said("invites 2026-W43")).then(repair);
    ProblemDetail body = Objects.requireNonNull(problems.refusal(torn).getBody());
    assertThat(body.getDetail()).endsWith("events with the same ids count once");
    assertThat(body.getProperties())
        .containsEntry("code", "http.send-again")
        .containsEntry("next", List.of(repair));
  }

  /** Nothing can be rolled back on it either, which is no news. */
  @Test
  void aConnectionThatEndedInATransactionIsAnOutage(CapturedOutput log) {
    var ended = new TransactionSystemException("JDBC rollback failed", new SQLException("closed"));
    ended.initApplicationException(
        new DataAccessResourceFailureException("", new SQLException("Read timed out", "08006")));
    assertThat(problems.databaseUnavailable(ended).getStatusCode().value()).isEqualTo(503);
    assertThat(log).contains("PostgreSQL failed a request: Read timed out").doesNotContain("JDBC");
  }

  @Test
  void aDisconnectedClientLogsNoStackTrace(CapturedOutput log) {
    var gone = new ClientAbortException(new IOException("Broken pipe"));
    assertThat(problems.internal(gone)).isNull();
    assertThat(problems.internal(new UncheckedIOException(gone))).isNull();
    assertThat(log).doesNotContain("a request failed").doesNotContain("\tat ");
  }

  @Test
  void aBrokenConnectionToAServerIsNotADisconnectedClient() {
    for (var cause : List.of(new EOFException(), new IOException("Connection reset by peer"))) {
      var answer = Objects.requireNonNull(problems.internal(new IllegalStateException(cause)));
      assertThat(answer.getStatusCode().value()).isEqualTo(500);
    }
  }
}
