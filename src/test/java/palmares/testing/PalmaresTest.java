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

/** The whole application on the servers that {@code palmares.infra} names, shared by all tests. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@SpringBootTest(classes = Palmares.class)
@ContextConfiguration(initializers = {SharedEmbeddedServers.class, MovedClock.class})
@Import(SharedContainers.class)
public @interface PalmaresTest {
  @AliasFor(annotation = SpringBootTest.class)
  WebEnvironment webEnvironment() default WebEnvironment.NONE;

  @AliasFor(annotation = SpringBootTest.class)
  String[] properties() default {};
}
