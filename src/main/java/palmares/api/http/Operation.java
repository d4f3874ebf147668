package palmares.api.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives an operation of the API its id, which the OpenAPI document has too. API keys may be limited
 * to some ids, so an id stays when the method gets another name.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Operation {
  /** The id. */
  String value();
}
