package palmares.platform.threads;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.sql.SQLException;

/**
 * Drops the stacks that frameworks log of what Palmares itself logs in one line: the outage of a
 * server ({@link Outages}), and the failed step of a closing, whose stack is kept with the run.
 * Everything else that they log passes.
 */
public final class FrameworkLogFilter extends Filter<ILoggingEvent> {
  private static final String OWN = "palmares.";
  private static final String BATCH = "org.springframework.batch.core.";
  private static final String FAILED_STEP = "Encountered an error executing step";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName();
    if (logger.startsWith(OWN) || !(event.getThrowableProxy() instanceof ThrowableProxy proxy)) {
      return FilterReply.NEUTRAL;
    }
    boolean failedStep =
        logger.startsWith(BATCH) && event.getFormattedMessage().startsWith(FAILED_STEP);
    Throwable failure = proxy.getThrowable();
    return failedStep || Outages.server(failure).isPresent() || isConsequence(failure)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }

  /** Whether a pool refused a connection that an outage has broken. */
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
