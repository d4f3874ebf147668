package palmares.api.identity;

import static palmares.platform.time.SqlTime.instant;
import static palmares.platform.time.SqlTime.utc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.session.MapSession;
import org.springframework.session.SessionRepository;
import palmares.rules.board.Sha256;

/**
 * Keeps the sessions of people in PostgreSQL, so that every server knows them. The id of a session
 * is stored as its hash only. A session that another request has ended is not stored again.
 */
final class StoredSessions implements SessionRepository<MapSession> {
  private static final Logger LOG = LoggerFactory.getLogger(StoredSessions.class);

  /** A provider does not say when a person leaves; this bounds for how long a session knows. */
  private static final Duration MAX_AGE = Duration.ofHours(12);

  /** The attribute that says how a session is stored, which is not stored itself. */
  private static final String STORED = StoredSessions.class.getName();

  /** Who can write to the database must not be able to run code here. */
  private static final ObjectInputFilter CLASSES =
      ObjectInputFilter.Config.createFilter(
          "maxdepth=50;maxarray=100000;maxrefs=100000;maxbytes=4000000;"
              + "palmares.api.roles.*;palmares.console.*;org.springframework.security.**;"
              + "java.lang.*;java.net.URL;java.time.*;java.util.*;!*");

  /** If less than this has passed since the stored request, the next one is not stored. */
  private static final Duration SEEN_INTERVAL = Duration.ofMinutes(1);

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Duration timeout;
  private final SessionIds ids;

  /**
   * @param timeout how long a session may be without a request
   * @param ids learns which exist
   */
  StoredSessions(JdbcClient jdbc, Clock clock, Duration timeout, SessionIds ids) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.timeout = timeout;
    this.ids = ids;
  }

  /**
   * Says how a session is stored.
   *
   * @param hash of its id
   * @param attributes the hash of their encoding
   */
  private record Stored(String hash, String attributes, Instant seenAt) {
    boolean sameAs(Stored other) {
      return hash.equals(other.hash) && attributes.equals(other.attributes);
    }
  }

  @Override
  public MapSession createSession() {
    var session = new MapSession();
    session.setCreationTime(clock.instant());
    session.setMaxInactiveInterval(timeout);
    return session;
  }

  @Override
  public void save(MapSession session) {
    @Nullable Stored before = session.getAttribute(STORED);
    byte[] attributes = encode(session);
    var now = new Stored(Sha256.of(session.getId()), Sha256.of(attributes), clock.instant());
    if (before == null) {
      insert(session, now, attributes);
    } else if (!before.sameAs(now)) {
      update(before, now, attributes);
    } else if (now.seenAt().isBefore(before.seenAt().plus(SEEN_INTERVAL))) {
      return;
    } else {
      try {
        update(before, now, attributes);
      } catch (DataAccessException e) {
        LOG.debug("a request of a session is not stored", e); // It may only end a minute earlier.
      }
    }
    session.setAttribute(STORED, now);
    ids.found(now.hash());
  }

  /** Also removes sessions without a request; those that are too old get none. */
  private void insert(MapSession session, Stored stored, byte[] attributes) {
    jdbc.sql(
            """
            with ended as (delete from session where seen_at <= :idleSince)
            insert into session (hash, created_at, seen_at, attributes)
            values (:hash, :created, :now, :attributes)
            """)
        .param("idleSince", utc(stored.seenAt().minus(timeout)))
        .param("hash", stored.hash())
        .param("created", utc(session.getCreationTime()))
        .param("now", utc(stored.seenAt()))
        .param("attributes", attributes)
        .update();
  }

  private void update(Stored before, Stored stored, byte[] attributes) {
    jdbc.sql(
            """
            update session
            set hash = :hash, seen_at = :now, attributes = :attributes
            where hash = :before
            """)
        .param("before", before.hash())
        .param("hash", stored.hash())
        .param("now", utc(stored.seenAt()))
        .param("attributes", attributes)
        .update();
  }

  @Override
  public @Nullable MapSession findById(String id) {
    Instant now = clock.instant();
    String hash = Sha256.of(id);
    Optional<Optional<MapSession>> stored =
        jdbc.sql(
                """
            select created_at, seen_at, attributes
            from session
            where hash = :hash and seen_at > :idleSince and created_at > :oldSince
            """)
            .param("hash", hash)
            .param("idleSince", utc(now.minus(timeout)))
            .param("oldSince", utc(now.minus(MAX_AGE)))
            .query((row, n) -> session(id, row))
            .optional();
    if (stored.isEmpty()) {
      ids.missing(hash);
      return null;
    }
    MapSession found = stored.get().orElse(null);
    if (found == null) {
      ids.unreadable(hash);
    } else {
      ids.found(hash);
    }
    return found;
  }

  /** None if this server cannot read it, such as one of another version: others may. */
  private Optional<MapSession> session(String id, ResultSet row) throws SQLException {
    var session = new MapSession(id);
    byte[] attributes = row.getBytes("attributes");
    Map<?, ?> decoded = decode(attributes);
    if (decoded == null) {
      return Optional.empty();
    }
    Instant seenAt = instant(row, "seen_at");
    session.setCreationTime(instant(row, "created_at"));
    session.setLastAccessedTime(seenAt);
    session.setMaxInactiveInterval(timeout);
    decoded.forEach((name, value) -> session.setAttribute(String.valueOf(name), value));
    session.setAttribute(STORED, new Stored(Sha256.of(id), Sha256.of(attributes), seenAt));
    return Optional.of(session);
  }

  @Override
  public void deleteById(String id) {
    jdbc.sql("delete from session where hash = :hash").param("hash", Sha256.of(id)).update();
  }

  private static byte[] encode(MapSession session) {
    var attributes = new LinkedHashMap<String, @Nullable Object>();
    for (String name : session.getAttributeNames()) {
      if (!name.equals(STORED)) {
        attributes.put(name, session.getAttribute(name));
      }
    }
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(attributes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static @Nullable Map<?, ?> decode(byte[] attributes) {
    try (var in = new ObjectInputStream(new ByteArrayInputStream(attributes))) {
      in.setObjectInputFilter(CLASSES);
      return in.readObject() instanceof Map<?, ?> map ? map : null;
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      LOG.info("a stored session cannot be read, and counts as none: {}", e.toString());
      return null;
    }
  }
}
