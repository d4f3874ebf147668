package palmares.cli.launch;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import palmares.cli.terminal.UserError;
import palmares.platform.infra.KnownSettings;

/** Explains why the application did not start, with Spring Boot's failure analyzers. */
final class StartupFailure {
  private StartupFailure() {}

  /**
   * @param context the unfinished context; null if the failure came before it
   */
  static UserError of(RuntimeException failure, @Nullable ConfigurableApplicationContext context) {
    if (failure instanceof UserError error) {
      return error;
    }
    BindException wrong = find(failure, BindException.class);
    if (wrong != null) {
      Environment environment = context == null ? null : context.getEnvironment();
      return UserError.badInput(WrongValue.sentence(wrong, environment), failure);
    }
    if (context != null) {
      for (FailureAnalyzer analyzer : analyzers(context)) {
        FailureAnalysis analysis = analyzer.analyze(failure);
        if (analysis != null) {
          return error(sentence(analysis), failure);
        }
      }
    }
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
    return error(
        "Palmares does not start: %s (--verbose shows more)"
            .formatted(cause.getMessage() == null ? cause : cause.getMessage()),
        failure);
  }

  private static UserError error(String message, RuntimeException failure) {
    return isWrongSetting(failure)
        ? UserError.badInput(message, failure)
        : UserError.failed(message, failure);
  }

  /** Whether another start fails in the same way until somebody corrects a setting. */
  static boolean isWrongSetting(RuntimeException failure) {
    return find(failure, BindException.class) != null
        || find(failure, KnownSettings.WrongName.class) != null;
  }

  private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
    }
    return null;
  }

  private static Iterable<FailureAnalyzer> analyzers(ConfigurableApplicationContext context) {
    var arguments =
        ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
            .and(Environment.class, context.getEnvironment());
    FailureHandler ignore = (type, name, failure) -> {};
    return SpringFactoriesLoader.forDefaultResourceLocation(context.getClassLoader())
        .load(FailureAnalyzer.class, arguments, ignore);
  }

  private static String sentence(FailureAnalysis analysis) {
    String action = analysis.getAction();
    return action == null
        ? analysis.getDescription().strip()
        : analysis.getDescription().strip() + " " + action.strip();
  }
}
