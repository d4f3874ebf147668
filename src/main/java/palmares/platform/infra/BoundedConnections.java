package palmares.platform.infra;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.stereotype.Component;
import palmares.platform.nodes.ThisProcess;
import palmares.platform.threads.AnswerTimeouts;

/**
 * Gives connections of PostgreSQL the bound of the thread that gets them, and the name of this
 * process.
 */
@Component
final class BoundedConnections implements BeanPostProcessor {
  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof HikariDataSource pool && name.equals("dataSource")) {
      pool.addDataSourceProperty("ApplicationName", ThisProcess.APPLICATION);
    }
    return bean instanceof DataSource database && name.equals("dataSource")
        ? new DelegatingDataSource(
            database instanceof HikariDataSource pool ? new PooledConnections(pool) : database) {
          @Override
          public Connection getConnection() throws SQLException {
            return AnswerTimeouts.bounded(super.getConnection());
          }
        }
        : bean;
  }
}
