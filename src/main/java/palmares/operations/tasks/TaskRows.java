package palmares.operations.tasks;

import static palmares.platform.time.SqlTime.instant;
import static palmares.platform.time.SqlTime.nullableInstant;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.nodes.ThisProcess;
import palmares.platform.text.Choice;
import palmares.platform.text.Next;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.rules.board.Sha256;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes the rows of tasks. */
@Component
public class TaskRows {
  private static final Duration TASK_RETENTION = Duration.ofDays(30);

  /** Who repeated a request while it was being refused has the number of its task. */
  private static final Duration REFUSED_RETENTION = Duration.ofHours(1);

  /** After this long without a heartbeat, the row of a task says that it is abandoned. */
  private static final Duration ABANDONED_AFTER = Duration.ofHours(1);

  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String SELECT =
      """
      select *,
        case when target is not null then
          (select count(*) from task_item where task_id = task.id)
        end as items
      from task
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Set<Long> running = ConcurrentHashMap.newKeySet();

  TaskRows(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** The tasks that run in this process, which are never taken for abandoned. */
  Set<Long> running() {
    return running;
  }

  /**
   * Makes a task, or takes an abandoned one over; empty if there is another with its key.
   *
   * @throws DuplicateKeyException if the caller decides on the same already
   */
  Optional<Long> claim(Call call, VerbRequest order, String by) {
    if (call.key() != null) {
      Call.requireValidKey(call.key());
    }
    Instant now = clock.instant();
    clean(now);
    return jdbc.sql(
            """
            insert into task (
              verb, board, period, made_by, reason, idempotency_key, request_hash,
              decision_hash, runner, runner_until, started_at)
            values (
              :verb, :board, :period, :by, :reason, :key, :hash, :decision, :runner, :until, :now)
            on conflict (made_by, idempotency_key) do update
            set runner = excluded.runner, runner_until = excluded.runner_until,
              started_at = excluded.started_at, messages = '[]', next = '[]',
              progress = '[]',
              state = 'running', ended_at = null
            where task.state in ('running', 'abandoned') and task.runner_until <= :now
              and task.target is null
              and task.request_hash = excluded.request_hash
            returning id
            """)
        .param("verb", order.verb())
        .param("board", order.board())
        .param("period", order.period())
        .param("by", by)
        .param("reason", order.reason())
        .param("key", call.key())
        .param("hash", hash(order))
        .param("decision", decisionHash(call, order))
        .param("runner", ThisProcess.NAME)
        .param("until", now.plus(TaskLeases.LEASE_DURATION))
        .param("now", now)
        .query(Long.class)
        .optional();
  }

  /** The task by which a caller decides on the same; an abandoned one is ended instead. */
  Optional<Task> runningDecision(Call call, VerbRequest order, String by) {
    String hash = decisionHash(call, order);
    jdbc.sql(
            """
            update task set state = 'abandoned', ended_at = runner_until
            where made_by = :by and decision_hash = :hash and state = 'running' and resumed = 0
              and target is null and runner_until <= :now and id <> all(:own)
            """)
        .param("by", by)
        .param("hash", hash)
        .param("now", clock.instant())
        .param("own", running)
        .update();
    return jdbc.sql(
            SELECT
                + """
                where made_by = :by and decision_hash = :hash and state = 'running' and resumed = 0
                """)
        .param("by", by)
        .param("hash", hash)
        .query(this::task)
        .optional();
  }

  /** Forgets old tasks, and ends those whose process has died long ago. */
  private void clean(Instant now) {
    jdbc.sql(
            """
            delete from task
            where ended_at < :old and target is null
              or is_refused and ended_at < :refused_before
            """)
        .param("old", now.minus(TASK_RETENTION))
        .param("refused_before", now.minus(REFUSED_RETENTION))
        .update();
    jdbc.sql(
            """
            update task set state = 'abandoned', ended_at = runner_until
            where ended_at is null and target is null and runner_until < :silent
              and id <> all(:own)
            """)
        .param("silent", now.minus(ABANDONED_AFTER))
        .param("own", running)
        .update();
  }

  private static String hash(VerbRequest order) {
    return Sha256.of(
        String.join(
            "\n", order.verb(), "" + order.board(), "" + order.period(), "" + order.body()));
  }

  /** A form that is sent again has the condition of another time, and is the same request. */
  private static String decisionHash(Call call, VerbRequest order) {
    return Sha256.of(hash(order) + call.ifMatch());
  }

  /**
   * The task of an earlier call with the same idempotency key.
   *
   * @throws Refusal if that was another request
   */
  Optional<Task> former(Call call, VerbRequest order, String by) {
    record Former(long id, String requestHash) {}
    Optional<Former> former =
        jdbc.sql("select id, request_hash from task where made_by = :by and idempotency_key = :key")
            .param("by", by)
            .param("key", call.key())
            .query(Former.class)
            .optional();
    if (former.isPresent() && !former.get().requestHash().equals(hash(order))) {
      throw new Refusal(Problem.IDEMPOTENCY_KEY_REUSED, new TaskSentences.KeyReused());
    }
    return former.flatMap(task -> find(task.id()));
  }

  /** Whether the caller of a task may still act in a role. */
  public boolean mayAct(long id, String role) {
    return jdbc.sql("select may_act(made_by, :role, started_at, :now) from task where id = :id")
        .param("role", role)
        .param("now", clock.instant())
        .param("id", id)
        .query(Boolean.class)
        .single();
  }

  /** Adds a line to what the task has done. */
  public void addProgress(long id, Sentence done) {
    jdbc.sql("update task set progress = progress || :line::jsonb where id = :id")
        .param("line", Said.storable(done))
        .param("id", id)
        .update();
  }

  /** Stores the end of a task; false if another process runs it now, or it is over. */
  boolean end(long id, Result result, @Nullable Refusal problem) {
    return jdbc.sql(
                """
                update task
                set state = :state, ended_at = :now, messages = :messages::jsonb,
                  next = :next::jsonb, problem = :problem, detail = :detail::jsonb
                where id = :id and runner = :runner and state in ('running', 'abandoned')
                """)
            .param("state", result.state())
            .param("now", clock.instant())
            .param("messages", Said.storable(result.messages()))
            .param("next", Said.storable(nextSteps(result, problem)))
            .param("problem", problem == null ? null : problem.problem())
            .param("detail", problem == null ? null : Said.toJson(problem.said()))
            .param("id", id)
            .param("runner", ThisProcess.NAME)
            .update()
        == 1;
  }

  /** Replaces the result of a task that has ended. */
  void amend(long id, Result result) {
    jdbc.sql(
            """
            update task set state = :state, messages = :messages::jsonb, next = :next::jsonb
            where id = :id
            """)
        .param("state", result.state())
        .param("messages", Said.storable(result.messages()))
        .param("next", Said.storable(result.next()))
        .param("id", id)
        .update();
  }

  /**
   * Ends the task of a verb that did nothing, and gives its key free; one that has committed stays
   * as it is. If no repeat can have its number, it is removed.
   */
  void refuse(long id, Refusal problem) {
    int removed =
        jdbc.sql(
                """
                delete from task
                where id = :id and state = 'running' and runner = :runner
                  and idempotency_key is null
                  and verb not in ('approve', 'approve-batch', 'reject-batch')
                """)
            .param("id", id)
            .param("runner", ThisProcess.NAME)
            .update();
    if (removed == 0) {
      jdbc.sql(
              """
              update task
              set state = 'failed', ended_at = :now, problem = :problem, detail = :detail::jsonb,
                idempotency_key = null, is_refused = true
              where id = :id and state = 'running' and runner = :runner
              """)
          .param("now", clock.instant())
          .param("problem", problem.problem())
          .param("detail", Said.toJson(problem.said()))
          .param("id", id)
          .param("runner", ThisProcess.NAME)
          .update();
    }
  }

  /**
   * Finds a task.
   *
   * @throws Refusal if there is none, or it ended a month ago
   */
  Task get(long id) {
    return find(id).orElseThrow(() -> unknown(id));
  }

  static Refusal unknown(long id) {
    return new Refusal(Problem.UNKNOWN_OBJECT, new TaskSentences.Unknown(id));
  }

  /** Returns those of the tasks that exist, by their numbers. */
  Map<Long, Task> find(Set<Long> ids) {
    return jdbc
        .sql(SELECT + "where id = any(:ids)")
        .param("ids", ids)
        .query(this::task)
        .list()
        .stream()
        .collect(Collectors.toMap(task -> Objects.requireNonNull(task.id()), task -> task));
  }

  Optional<Task> find(long id) {
    return jdbc.sql(SELECT + "where id = :id").param("id", id).query(this::task).optional();
  }

  /** By hand: whether it is abandoned depends on this process, and most of it is JSON. */
  private Task task(ResultSet row, int n) throws SQLException {
    boolean abandoned =
        row.getString("state").equals("running")
            && row.getString("target") == null
            && !running.contains(row.getLong("id"))
            && !instant(row, "runner_until").isAfter(clock.instant());
    return new Task(
        row.getLong("id"),
        row.getString("verb"),
        row.getString("board"),
        row.getString("period"),
        row.getString("made_by"),
        row.getString("reason"),
        instant(row, "started_at"),
        nullableInstant(row, "ended_at"),
        abandoned ? Task.State.ABANDONED : Choice.of(Task.State.class, row.getString("state")),
        List.of(JSON.readValue(row.getString("messages"), Sentence[].class)),
        List.of(JSON.readValue(row.getString("next"), Next[].class)),
        List.of(JSON.readValue(row.getString("progress"), Sentence[].class)),
        row.getObject("items", Long.class),
        row.getString("problem"),
        Said.fromJson(row.getString("detail")),
        null,
        null,
        null);
  }

  private static List<Next> nextSteps(Result result, @Nullable Refusal problem) {
    return problem == null ? result.next() : problem.next();
  }
}
