package palmares.platform.sql;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Keeps the plans of statements, which take longer to plan than to run. Without it, each statement
 * is planned each time it runs, because a kept plan locks all partitions of its tables.
 */
public final class KeptPlans {
  private KeptPlans() {}

  /**
   * Keeps the plans until the caller's transaction ends. Its statements must name no table that has
   * partitions.
   */
  public static void untilCommit(JdbcClient jdbc) {
    jdbc.sql("set local plan_cache_mode = auto").update();
  }
}
