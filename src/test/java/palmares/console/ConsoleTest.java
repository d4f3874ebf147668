package palmares.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import palmares.testing.WorldTest;

/** A test of pages in a browser, which a test method gets as {@link Windows}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@WorldTest
@ExtendWith(Chromium.class)
@interface ConsoleTest {}
