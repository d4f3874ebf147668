package palmares.spring;

import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.client.Confirmation;
import palmares.client.Fact;

/**
 * Runs the listeners of each fact once. The fact's id, what the listeners write, and what they say
 * became of an award commit together, or not at all.
 */
final class FactInbox {
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final FactListeners listeners;
  private final Clock clock;

  FactInbox(
      JdbcClient jdbc, TransactionTemplate transaction, FactListeners listeners, Clock clock) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.listeners = listeners;
    this.clock = clock;
  }

  /** Says that a fact was handled before, or that another delivery of it was quicker. */
  private static final class Handled extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Handles a fact, and returns what became of its award; empty if nothing is said of it. */
  Optional<Confirmation> handle(Fact fact) {
    if (!listeners.handle(fact)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(transaction.execute(status -> handleNew(fact)));
    } catch (Handled repeat) {
      return confirmed(fact);
    }
  }

  private @Nullable Confirmation handleNew(Fact fact) {
    try {
      jdbc.sql("insert into palmares_inbox (id, handled_at) values (:id, :now)")
          .param("id", fact.id())
          .param("now", clock.millis())
          .update();
    } catch (DuplicateKeyException e) {
      throw new Handled(); // Ends the transaction, in which PostgreSQL answers nothing more.
    }
    Confirmation said = listeners.call(fact);
    if (said != null) {
      jdbc.sql("update palmares_inbox set confirmation = :said where id = :id")
          .param("said", said.toJson())
          .param("id", fact.id())
          .update();
    }
    return said;
  }

  private Optional<Confirmation> confirmed(Fact fact) {
    return jdbc.sql(
            "select confirmation from palmares_inbox where id = :id and confirmation is not null")
        .param("id", fact.id())
        .query(String.class)
        .optional()
        .map(Confirmation::parse);
  }
}
