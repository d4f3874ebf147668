package palmares.platform.threads;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.sql.SQLException;

/**
 * Drops stack traces that frameworks log for events that Palmares logs in one line: the outage of a
 * server ({@link Outages}), and the failed step of a closing, whose stack trace is stored with the
 * run. All other log events pass.
 */
public final class FrameworkLogFilter extends Filter<ILoggingEvent> {
  private static final String OWN_LOGGERS = "palmares.";
  private static final String BATCH_LOGGERS = "org.springframework.batch.core.";
  private static final String FAILED_STEP_MESSAGE = "Encountered an error executing step";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName();
    if (logger.startsWith(OWN_LOGGERS)
        || !(event.getThrowableProxy() instanceof ThrowableProxy proxy)) {
      return FilterReply.NEUTRAL;
    }
    boolean isFailedStep =
        logger.startsWith(BATCH_LOGGERS)
            && event.getFormattedMessage().startsWith(FAILED_STEP_MESSAGE);
    Throwable failure = proxy.getThrowable();
    return isFailedStep || Outages.server(failure).isPresent() || isConsequence(failure)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }

  /** Whether a pool rejected a connection that an outage has closed. */
  private static boolean isConsequence(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause instanceof SQLException e
        && e.getSQLState() == null
        && "Connection is closed".equals(e.getMessage());
  }
}
