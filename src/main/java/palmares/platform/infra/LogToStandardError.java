package palmares.platform.infra;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.sql.SQLException;
import java.util.Iterator;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import palmares.platform.threads.Outages;

/**
 * Sends Spring Boot's console log to standard error, since commands print their results on standard
 * output. All {@code logging} properties hold as Spring Boot documents them.
 */
class LogToStandardError
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
  /** Spring Boot sets up logging just before. */
  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER + 1;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      Iterator<Appender<ILoggingEvent>> appenders =
          context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
      while (appenders.hasNext()) {
        if (appenders.next() instanceof ConsoleAppender<ILoggingEvent> console) {
          redirect(console);
        }
      }
    }
  }

  private static void redirect(ConsoleAppender<ILoggingEvent> console) {
    console.stop();
    console.setTarget("System.err");
    console.addFilter(new FrameworkLogFilter());
    console.start();
  }

  /**
   * Drops stack traces that frameworks log for events that Palmares logs in one line: the outage of
   * a server ({@link Outages}), and the failed step of a closing, whose stack trace is stored with
   * the run. All other log events pass.
   */
  private static final class FrameworkLogFilter extends Filter<ILoggingEvent> {
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
}
