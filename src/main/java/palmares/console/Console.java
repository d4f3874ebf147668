package palmares.console;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Controller;

/** Marks a controller whose methods return the names of templates. */
@Documented
@Controller
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Console {
  /** The path under which all pages are. */
  String PATH = "/console";
}
