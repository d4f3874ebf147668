package palmares.spring;

import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.client.Confirmation;
import palmares.client.Fact;

/**
 * Runs the listeners of each fact once, or until they do not refuse its award or return. The fact's
 * id, what the listeners write, and what they say became of it commit together, or not at all.
 */
final class FactInbox {
  /** The types of facts by which an amendment takes an award back; kept without a listener, too. */
  private static final Set<String> TAKEN_BACK =
      Set.of("award.returned", "award.owed", "award.written-off");

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

  /** Handles a fact, and returns what became of its award or return; empty if nothing is said. */
  Optional<Confirmation> handle(Fact fact) {
    if (!listeners.handle(fact) && !TAKEN_BACK.contains(fact.type())) {
      return Optional.empty();
    }
    try {
      return transaction.execute(status -> Optional.ofNullable(handleNew(fact)));
    } catch (Handled repeat) {
      return transaction.execute(status -> Optional.ofNullable(handleAgain(fact)));
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
    return call(fact);
  }

  private @Nullable Confirmation call(Fact fact) {
    Confirmation said = listeners.call(fact);
    if (said != null) {
      jdbc.sql("update palmares_inbox set confirmation = :said where id = :id")
          .param("said", said.toJson())
          .param("id", fact.id())
          .update();
    }
    return said;
  }

  /**
   * Only a refusal is not final: somebody may have sent the award again once it can be credited, or
   * the return once it can be taken back. But an award of which something was taken back since then
   * stays refused.
   */
  private @Nullable Confirmation handleAgain(Fact fact) {
    Confirmation former =
        jdbc.sql("select confirmation from palmares_inbox where id = :id for update")
            .param("id", fact.id())
            .query((row, n) -> Optional.ofNullable(row.getString(1)).map(Confirmation::parse))
            .single()
            .orElse(null);
    return former == null || !former.isRefused() || isTakenBack(fact) ? former : call(fact);
  }

  /** Ids have characters that are wild in a pattern: what is found too much stays refused, too. */
  private boolean isTakenBack(Fact fact) {
    if (!fact.type().equals(Fact.AWARD_PAID)) {
      return false;
    }
    String[] award = fact.award().transfer().split("/");
    String others =
        ":%s/%s/%%/%s/%s/%s/%%".formatted(award[0], award[1], award[3], award[4], award[5]);
    return TAKEN_BACK.stream()
        .anyMatch(
            type ->
                jdbc.sql("select count(*) from palmares_inbox where id like :pattern")
                        .param("pattern", type + others)
                        .query(Long.class)
                        .single()
                    > 0);
  }
}
