package palmares.platform.infra;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Makes the transactions of Spring, which report why a commit failed. If PostgreSQL dies in a
 * commit, the pool closes the connection, and Spring would report that it cannot be rolled back.
 */
@Configuration(proxyBeanMethods = false)
class Transactions {
  @Bean
  JdbcTransactionManager transactionManager(
      DataSource database, ObjectProvider<TransactionManagerCustomizers> customizers) {
    var manager = new Reporting(database);
    customizers.ifAvailable(all -> all.customize(manager));
    return manager;
  }

  private static final class Reporting extends JdbcTransactionManager {
    private static final long serialVersionUID = 1L;

    Reporting(DataSource database) {
      super(database);
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
      try {
        super.doRollback(status);
      } catch (RuntimeException e) {
        if (!isClosed(status)) {
          throw e;
        }
        logger.debug("nothing to roll back: the connection is closed", e);
      }
    }

    private static boolean isClosed(DefaultTransactionStatus status) {
      try {
        return ((JdbcTransactionObjectSupport) status.getTransaction())
            .getConnectionHolder()
            .getConnection()
            .isClosed();
      } catch (SQLException e) {
        return false;
      }
    }
  }
}
