package palmares.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/**
 * The whole application, its HTTP door open, and an empty {@link World} before each test. All tests
 * so marked share one Spring context.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@PalmaresTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "palmares.archive.folder=target/archives-of-tests-${tests.fork:0}")
@ExtendWith(FreshWorld.class)
public @interface WorldTest {
  /** The folder of archives. */
  Path ARCHIVES = Path.of("target", "archives-of-tests-" + System.getProperty("tests.fork", "0"));
}
