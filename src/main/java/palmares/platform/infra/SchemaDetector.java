package palmares.platform.infra;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;

/** Lets whatever uses the tables wait until they are there. */
class SchemaDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {
  @Override
  protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
    return Set.of(Schema.class);
  }
}
