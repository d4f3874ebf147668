package palmares.testing;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.test.context.TestPropertySource;

/**
 * Each outcome has own tables. Of the laws that the class inherits, only those run whose {@link
 * #TAG} says that own tables could break them; {@code -Dtests.big=true} runs all.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
@ExtendWith(OwnTables.Tagged.class)
public @interface OwnTables {
  String TAG = "own-tables";

  /** Leaves out the inherited laws without the tag. */
  class Tagged implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Class<?> tested = context.getRequiredTestClass();
      boolean own =
          context.getTestMethod().map(Method::getDeclaringClass).filter(tested::equals).isPresent();
      return own
              || context.getTestMethod().isEmpty()
              || context.getTags().contains(TAG)
              || Boolean.getBoolean("tests.big")
          ? enabled("own tables could break it")
          : disabled("runs with -Dtests.big=true");
    }
  }
}
