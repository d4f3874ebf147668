package palmares.platform.infra;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;

/** Makes beans that use the database depend on {@link Schema}. */
class SchemaDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {
  @Override
  protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
    return Set.of(Schema.class);
  }
}
