package palmares.settlement.closing;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.batch.core.repository.ExecutionContextSerializer;
import org.springframework.batch.core.repository.dao.JacksonExecutionContextStringSerializer;
import org.springframework.boot.batch.autoconfigure.BatchTransactionManager;
import org.springframework.boot.batch.jdbc.autoconfigure.BatchDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** Configures how Spring Batch records closings in its own tables, which are for people. */
@Configuration(proxyBeanMethods = false)
class BatchRecord {
  /** Each closing needs one for a few milliseconds at a time. */
  private static final int CONNECTIONS = 4;

  private static final long TIMEOUT_MS = 10_000;

  /**
   * Connections whose commits do not wait for the disk: a server that dies may lose the last rows,
   * never the work that they describe.
   */
  @Bean(defaultCandidate = false)
  @BatchDataSource
  HikariDataSource batchDataSource(DataSource database) throws SQLException {
    var pool = new HikariDataSource();
    database.unwrap(HikariDataSource.class).copyStateTo(pool);
    pool.setPoolName("spring-batch");
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setMinimumIdle(0);
    pool.setConnectionTimeout(TIMEOUT_MS);
    pool.setConnectionInitSql(
        pool.getConnectionInitSql()
            + "; set synchronous_commit = off; set plan_cache_mode = auto"); // no partitions
    return pool;
  }

  @Bean(defaultCandidate = false)
  @BatchTransactionManager
  PlatformTransactionManager batchTransactions(@BatchDataSource DataSource pool) {
    return new JdbcTransactionManager(pool);
  }

  /** Plain JSON: who can write to the database must not be able to run code here. */
  @Bean
  ExecutionContextSerializer batchContexts() {
    return new JacksonExecutionContextStringSerializer(JsonMapper.shared());
  }
}
