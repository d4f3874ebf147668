package palmares.settlement.closing.springbatch;

import org.springframework.batch.core.configuration.BatchConfigurationException;
import org.springframework.batch.core.configuration.support.JdbcDefaultBatchConfiguration;
import org.springframework.batch.core.repository.dao.jdbc.JdbcJobExecutionDao;
import org.springframework.batch.core.repository.dao.jdbc.JdbcJobInstanceDao;
import org.springframework.batch.core.repository.dao.jdbc.JdbcStepExecutionDao;
import org.springframework.batch.core.repository.support.JdbcJobRepositoryFactoryBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures Spring Batch with {@link JobRecord} as its repository. */
@Configuration(proxyBeanMethods = false)
class RecordConfiguration extends JdbcDefaultBatchConfiguration {
  private final JdbcClient jdbc;

  RecordConfiguration(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Bean
  @Override
  public JobRecord jobRepository() {
    var repository = new Repository();
    try {
      repository.afterPropertiesSet();
      return repository.getTarget();
    } catch (Exception e) {
      throw new BatchConfigurationException("the repository of closing jobs cannot be created", e);
    }
  }

  private final class Repository extends JdbcJobRepositoryFactoryBean {
    Repository() {
      setDataSource(RecordConfiguration.this.getDataSource());
      setDatabaseType("POSTGRES");
      setTransactionManager(RecordConfiguration.this.getTransactionManager());
    }

    /** Without a proxy: each write is one statement, and so needs no transaction around it. */
    @Override
    protected JobRecord getTarget() {
      JdbcJobInstanceDao instances = createJobInstanceDao();
      JdbcJobExecutionDao executions = createJobExecutionDao();
      executions.setJobInstanceDao(instances);
      JdbcStepExecutionDao steps = createStepExecutionDao();
      steps.setJobExecutionDao(executions);
      return new JobRecord(
          new JobRecord.Readers(instances, executions, steps, createExecutionContextDao()),
          new RecordRows(jdbc));
    }
  }
}
