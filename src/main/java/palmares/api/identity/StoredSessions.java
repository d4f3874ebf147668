package palmares.api.identity;

import jakarta.servlet.Filter;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.time.Clock;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.core.serializer.support.DeserializingConverter;
import org.springframework.core.serializer.support.SerializingConverter;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.session.jdbc.PostgreSqlJdbcIndexedSessionRepositoryCustomizer;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Keeps the sessions of people in the tables of Spring Session, so that every server knows them. A
 * session that cannot be read counts as none.
 */
final class StoredSessions<S extends Session> implements SessionRepository<S> {
  private static final Logger LOG = LoggerFactory.getLogger(StoredSessions.class);

  /**
   * The attribute with the time at which a session began by the application's clock, with which the
   * end of a person's sessions is compared.
   */
  static final String BEGAN = StoredSessions.class.getName() + ".began";

  /** Who can write to the database must not be able to run code here. */
  private static final ObjectInputFilter CLASSES =
      ObjectInputFilter.Config.createFilter(
          "maxdepth=50;maxarray=100000;maxrefs=100000;maxbytes=4000000;"
              + "palmares.api.roles.*;palmares.console.*;org.springframework.security.**;"
              + "java.lang.*;java.net.URL;java.time.*;java.util.*;!*");

  private final SessionRepository<S> sessions;
  private final Runnable cleanUp;
  private final Clock clock;
  private final SessionIds ids;

  private StoredSessions(
      SessionRepository<S> sessions, Runnable cleanUp, Clock clock, SessionIds ids) {
    this.sessions = sessions;
    this.cleanUp = cleanUp;
    this.clock = clock;
    this.ids = ids;
  }

  /**
   * Returns a filter that gives requests their sessions.
   *
   * @param timeout how long a session may be without a request
   * @param ids makes ids, and learns which exist
   */
  static Filter filter(DataSource database, Clock clock, Duration timeout, SessionIds ids) {
    var transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    var sessions = new JdbcIndexedSessionRepository(new JdbcTemplate(database), transaction);
    new PostgreSqlJdbcIndexedSessionRepositoryCustomizer().customize(sessions);
    sessions.setDefaultMaxInactiveInterval(timeout);
    sessions.setSessionIdGenerator(ids);
    var attributes = new GenericConversionService();
    attributes.addConverter(Object.class, byte[].class, new SerializingConverter());
    attributes.addConverter(
        byte[].class, Object.class, new DeserializingConverter(StoredSessions::decode));
    sessions.setConversionService(attributes);
    var filter =
        new SessionRepositoryFilter<>(
            new StoredSessions<>(sessions, sessions::cleanUpExpiredSessions, clock, ids));
    filter.setHttpSessionIdResolver(ids);
    return filter;
  }

  private static Object decode(InputStream attribute) throws IOException {
    try (var in = new ObjectInputStream(attribute)) {
      in.setObjectInputFilter(CLASSES);
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /**
   * Also removes the sessions that have expired: a scheduler would log each minute of an outage.
   */
  @Override
  public S createSession() {
    cleanUp.run();
    S session = sessions.createSession();
    session.setAttribute(BEGAN, clock.instant());
    return session;
  }

  @Override
  public void save(S session) {
    sessions.save(session);
    ids.found(session.getId());
  }

  /** Reads all attributes, since a later reader could not treat the session as none. */
  @Override
  public @Nullable S findById(String id) {
    S session = sessions.findById(id);
    if (session == null) {
      ids.missing(id);
      return null;
    }
    try {
      session.getAttributeNames().forEach(session::getAttribute);
    } catch (ConversionException e) {
      LOG.info("a stored session cannot be read, and counts as none: {}", e.toString());
      ids.unreadable(id);
      return null;
    }
    ids.found(id);
    return session;
  }

  @Override
  public void deleteById(String id) {
    sessions.deleteById(id);
  }
}
