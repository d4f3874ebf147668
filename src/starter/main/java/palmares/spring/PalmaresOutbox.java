package palmares.spring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import palmares.client.Event;
import palmares.client.Outcome;

/**
 * Events that wait in the user's database until Palmares has taken them. An event is sent if and
 * only if the transaction that added it commits; it counts once, however often it is sent.
 *
 * <p>Events are sent in the order in which they were added, one after the other for each database.
 */
public final class PalmaresOutbox {
  /** Of an event that Palmares may take; a longer one does not fit into the table. */
  private static final Pattern ID = Pattern.compile("[^\\p{Cntrl}\\p{Cs}]{1,128}");

  private static final Pattern UNSTORABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");
  private static final int MAX_DETAIL = 1_000;

  private final JdbcClient jdbc;
  private final Clock clock;
  private volatile Runnable onCommit = () -> {};

  PalmaresOutbox(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Calls the sender of this process after each transaction that has added an event. */
  void onCommit(Runnable wake) {
    this.onCommit = wake;
  }

  /**
   * An event that Palmares refused, or a row that is no event.
   *
   * @param id of the event; {@code row N} if it cannot be read or stored
   * @param event as JSON, which {@link Event#parse} reads
   * @param reason the word that says why
   * @param detail the reason in words; null if there is none
   */
  public record Refused(
      String id, String event, String reason, @Nullable String detail, Instant refusedAt) {}

  /**
   * Adds an event to the present transaction.
   *
   * @throws IllegalTransactionStateException if there is none: the event could be sent though what
   *     it reports is not stored
   */
  public void send(Event event) {
    requireTransaction(event.id());
    add(event.toJson(), clock.millis());
  }

  private static void requireTransaction(String id) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalTransactionStateException(
          "event %s needs the transaction of what it reports: make the method transactional"
              .formatted(id));
    }
  }

  private void add(String event, long storedAt) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            onCommit.run();
          }
        });
    jdbc.sql("insert into palmares_outbox (event, stored_at) values (:event, :storedAt)")
        .param("event", event)
        .param("storedAt", storedAt)
        .update();
  }

  /** How many events wait. */
  public long waiting() {
    return jdbc.sql("select count(*) from palmares_outbox").query(Long.class).single();
  }

  /** How long the oldest event has waited; empty if none waits. */
  public Optional<Duration> oldest() {
    return jdbc.sql("select stored_at from palmares_outbox order by n limit 1")
        .query(Long.class)
        .optional()
        .map(storedAt -> Duration.between(Instant.ofEpochMilli(storedAt), clock.instant()));
  }

  /** How many events Palmares refused that nobody has retried or discarded. */
  public long refusedCount() {
    return jdbc.sql("select count(*) from palmares_refused").query(Long.class).single();
  }

  /** The events that Palmares refused, the oldest refusal first. */
  public List<Refused> refused(int limit) {
    return jdbc.sql(
            """
            select id, event, reason, detail, refused_at
            from palmares_refused
            order by refused_at, id
            limit :limit
            """)
        .param("limit", limit)
        .query(
            (row, n) ->
                new Refused(
                    row.getString("id"),
                    row.getString("event"),
                    row.getString("reason"),
                    row.getString("detail"),
                    Instant.ofEpochMilli(row.getLong("refused_at"))))
        .list();
  }

  /**
   * Sends a refused event again, under its id, once the present transaction commits.
   *
   * @return false if no refused event has the id
   * @throws IllegalTransactionStateException if there is no transaction
   */
  public boolean retry(String id) {
    requireTransaction(id);
    Optional<Waiting> found =
        jdbc.sql("select 0 as n, event, stored_at from palmares_refused where id = :id for update")
            .param("id", id)
            .query(Waiting.class)
            .optional();
    found.ifPresent(event -> add(event.event(), event.storedAt()));
    return found.isPresent() && discard(id);
  }

  /**
   * Removes a refused event.
   *
   * @return false if no refused event has the id
   */
  public boolean discard(String id) {
    return jdbc.sql("delete from palmares_refused where id = :id").param("id", id).update() == 1;
  }

  /** A row of the outbox. */
  record Waiting(long n, String event, long storedAt) {}

  /**
   * Returns the first events, unless another process sends them; the caller has a transaction,
   * which keeps others from sending until it ends. Only the first row is locked: a process that
   * skipped all locked rows would send later events of a member before earlier ones.
   */
  List<Waiting> first(int limit) {
    Optional<Long> head =
        jdbc.sql("select n from palmares_outbox order by n limit 1").query(Long.class).optional();
    boolean mine =
        head.flatMap(
                n ->
                    jdbc.sql("select n from palmares_outbox where n = :n for update skip locked")
                        .param("n", n)
                        .query(Long.class)
                        .optional())
            .isPresent();
    return mine
        ? jdbc.sql("select n, event, stored_at from palmares_outbox order by n limit :limit")
            .param("limit", limit)
            .query(Waiting.class)
            .list()
        : List.of();
  }

  /** Removes events that Palmares has taken. */
  void remove(List<Long> numbers) {
    if (!numbers.isEmpty()) {
      jdbc.sql("delete from palmares_outbox where n in (:numbers)")
          .param("numbers", numbers)
          .update();
    }
  }

  /** Keeps a refused event; the caller removes it from the outbox. */
  void keep(Waiting row, Event event, Outcome outcome) {
    keep(
        row,
        ID.matcher(event.id()).matches() ? event.id() : name(row),
        outcome.reason() == null ? outcome.kind().name() : outcome.reason(),
        outcome.detail());
  }

  /** Keeps a row that is no event; the caller removes it from the outbox. */
  void keepUnreadable(Waiting row, IllegalArgumentException why) {
    keep(row, name(row), "unreadable", why.getMessage());
  }

  private static String name(Waiting row) {
    return "row " + row.n();
  }

  private void keep(Waiting row, String id, String reason, @Nullable String detail) {
    discard(id);
    jdbc.sql(
            """
            insert into palmares_refused (id, event, stored_at, reason, detail, refused_at)
            values (:id, :event, :storedAt, :reason, :detail, :refusedAt)
            """)
        .param("id", id)
        .param("event", row.event())
        .param("storedAt", row.storedAt())
        .param("reason", reason)
        .param("detail", detail == null ? null : storable(detail))
        .param("refusedAt", clock.millis())
        .update();
  }

  /** A text that each database stores: a detail may quote anything of the row. */
  private static String storable(String text) {
    String plain = UNSTORABLE.matcher(text).replaceAll("?");
    return plain.length() <= MAX_DETAIL ? plain : plain.substring(0, MAX_DETAIL) + "...";
  }
}
