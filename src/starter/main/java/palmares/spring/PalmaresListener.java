package palmares.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean that handles facts. It takes a {@link palmares.client.Fact}, and returns
 * nothing, or what became of an award as a {@link palmares.client.Confirmation}; null says nothing.
 *
 * <p>The method runs in a transaction that also stores the fact's id, so that its effect in the
 * database happens once, however often the fact is delivered. An award, or a return of one, that it
 * refuses is passed to it again with each further delivery, as it may be credited or taken back
 * later. If it throws, the transaction is rolled back, and Palmares delivers the fact, and those
 * after it, again later.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface PalmaresListener {
  /** The types of facts: such as {@code award.paid}, {@code award.*}, or {@code *} for all. */
  String[] value();
}
