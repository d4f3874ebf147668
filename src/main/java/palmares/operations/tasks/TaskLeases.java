package palmares.operations.tasks;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.stereotype.Component;

/** Says which runner works on a task, and until when no other may; heartbeats renew that. */
@Component
public class TaskLeases implements DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(TaskLeases.class);

  /** If a runner shows no sign for this time, another one can take its task. */
  public static final Duration LEASE_DURATION = Duration.ofSeconds(20);

  public static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

  private final JdbcClient jdbc;
  private final Clock clock;
  private final ThreadPoolTaskScheduler timer = new ThreadPoolTaskScheduler();
  private Duration heartbeatInterval = HEARTBEAT_INTERVAL;

  TaskLeases(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
    timer.setThreadNamePrefix("heartbeats of tasks ");
    timer.setDaemon(true);
    timer.setRemoveOnCancelPolicy(true);
    timer.initialize();
  }

  @Override
  public void destroy() {
    timer.shutdown();
  }

  /** Finds the tasks that have items left and no runner. */
  public List<Long> waiting() {
    return jdbc.sql(
            """
            select id from task
            where target is not null
              and ended_at is null
              and (runner_until is null or runner_until <= :now)
            order by id
            """)
        .param("now", clock.instant())
        .query(Long.class)
        .list();
  }

  /**
   * Gives a runner a task with items that has none; returns how often it was resumed, or empty if
   * it has a runner.
   *
   * @param runner a name that no other run has, not in this process either
   */
  public Optional<Integer> take(long id, String runner) {
    return jdbc.sql(
            """
            update task set runner = :runner, runner_until = :until
            where id = :id
              and target is not null
              and (runner_until is null or runner_until <= :now)
            returning resumed
            """)
        .param("runner", runner)
        .param("until", clock.instant().plus(LEASE_DURATION))
        .param("now", clock.instant())
        .param("id", id)
        .query(Integer.class)
        .optional();
  }

  /** Keeps the task for longer; returns false if it has ended or another has it. */
  public boolean keep(long id, String runner) {
    return jdbc.sql(
            """
            update task set runner_until = :until
            where id = :id and runner = :runner
            returning ended_at is null
            """)
        .param("until", clock.instant().plus(LEASE_DURATION))
        .param("id", id)
        .param("runner", runner)
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }

  /** Keeps the task until the result is cancelled. */
  public Future<?> keepAlive(long id, String runner) {
    return timer.scheduleWithFixedDelay(
        () -> beat(id, runner),
        timer.getClock().instant().plus(heartbeatInterval),
        heartbeatInterval);
  }

  private void beat(long id, String runner) {
    try {
      keep(id, runner);
    } catch (RuntimeException e) {
      LOG.debug("no heartbeat task={}; the next one tries again", id, e);
    }
  }

  /**
   * Gives back a task with items. One that was cancelled stays so, and one that was resumed
   * meanwhile does not end.
   *
   * @param resumed how often it was resumed before this run
   * @param ended what became of it; null if items are left
   * @return false if another runner has it; then nothing is changed
   */
  public boolean release(long id, String runner, int resumed, Task.@Nullable State ended) {
    return jdbc.sql(
                """
                update task
                set runner = null, runner_until = null,
                  state = case when resumed = :resumed then coalesce(:state::text, state)
                    else state end,
                  ended_at =
                    coalesce(
                      ended_at,
                      case when :state::text is not null and resumed = :resumed
                        then :now::timestamptz end)
                where id = :id and runner = :runner
                """)
            .param("resumed", resumed)
            .param("state", ended)
            .param("now", clock.instant())
            .param("id", id)
            .param("runner", runner)
            .update()
        == 1;
  }

  /** Runs something later, unless this process has ended by then. */
  void later(Duration delay, Runnable work) {
    if (!timer.getScheduledThreadPoolExecutor().isShutdown()) {
      timer.schedule(work, timer.getClock().instant().plus(delay));
    }
  }

  /** As often as a test wants. */
  public void beatEvery(Duration interval) {
    heartbeatInterval = interval;
  }
}
