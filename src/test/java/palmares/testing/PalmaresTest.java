package palmares.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.ContextConfiguration;
import palmares.Palmares;

/**
 * The whole application, its HTTP door open, on the servers that {@code palmares.infra} names. All
 * tests so marked share one Spring context, unless they name other settings.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@SpringBootTest(classes = Palmares.class)
@ContextConfiguration(initializers = {SharedEmbeddedServers.class, MovedClock.class})
@Import(SharedContainers.class)
public @interface PalmaresTest {
  @AliasFor(annotation = SpringBootTest.class)
  WebEnvironment webEnvironment() default WebEnvironment.RANDOM_PORT;

  @AliasFor(annotation = SpringBootTest.class)
  String[] properties() default "palmares.archive.folder=target/archives-of-tests-${tests.fork:0}";
}
