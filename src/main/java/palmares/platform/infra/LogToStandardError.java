package palmares.platform.infra;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import java.util.Iterator;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import palmares.platform.threads.FrameworkLogFilter;

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
}
