package palmares.settlement.closing.record;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.springframework.batch.core.job.DefaultJobKeyGenerator;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameter;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rows of Spring Batch's tables. Each write is one statement, which does not wait for the disk:
 * a server that dies may forget the last of them, never the work that they tell of.
 */
final class RecordRows {
  /** More than a closing has, so that its steps' ids come with it. */
  private static final int STEPS = 16;

  private final JdbcClient jdbc;
  private final DefaultJobKeyGenerator keys = new DefaultJobKeyGenerator();

  RecordRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The ids of an execution that begins, and of steps to come. */
  record Reserved(long execution, List<Long> steps) {}

  /** The id of the instance, which is made if it is not there yet. */
  long instance(String job, JobParameters parameters) {
    return jdbc.sql(RecordSql.INSTANCE)
        .param("job", job)
        .param("key", keys.generateKey(parameters))
        .query(Long.class)
        .single();
  }

  Reserved begin(JobInstance instance, JobParameters parameters) {
    List<JobParameter<?>> all = List.copyOf(parameters.parameters());
    return jdbc.sql(RecordSql.BEGIN)
        .param("instance", instance.getId())
        .param("names", all.stream().map(JobParameter::name).toArray(String[]::new))
        .param("types", all.stream().map(one -> one.type().getName()).toArray(String[]::new))
        .param("values", all.stream().map(one -> one.value() + "").toArray(String[]::new))
        .param(
            "identifying",
            all.stream().map(one -> one.identifying() ? "Y" : "N").toArray(String[]::new))
        .param("steps", STEPS)
        .query((row, n) -> new Reserved(row.getLong("execution"), longs(row, "steps")))
        .single();
  }

  /** The ids of further steps. */
  List<Long> reserve() {
    return jdbc.sql(RecordSql.RESERVE).param("steps", STEPS).query(Long.class).list();
  }

  private static List<Long> longs(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return List.of((Long[]) array.getArray());
  }

  /** Writes how the execution stands, and these of its steps. */
  void write(JobExecution execution, List<StepExecution> steps) {
    jdbc.sql(RecordSql.WRITE)
        .param("execution", execution.getId())
        .param("job", json(JobRow.of(execution)))
        .param("steps", json(steps.stream().map(StepRow::of).toList()))
        .update();
  }

  private static String json(Object value) {
    return JsonMapper.shared().writeValueAsString(value);
  }
}
