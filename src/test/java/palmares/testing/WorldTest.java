package palmares.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The whole application, and an empty {@link World} before each test, in the same Spring context.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@PalmaresTest
@ExtendWith(FreshWorld.class)
public @interface WorldTest {
  /** The folder of archives. */
  Path ARCHIVES = Path.of("target", "archives-of-tests-" + System.getProperty("tests.fork", "0"));
}
