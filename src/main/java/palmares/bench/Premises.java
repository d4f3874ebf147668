package palmares.bench;

import org.springframework.jdbc.core.simple.JdbcClient;

/** The servers on which it is measured: nobody else's. */
public record Premises(JdbcClient jdbc) {

  /** Whether somebody's periods are there. */
  public boolean taken() {
    return jdbc.sql("select exists (select from period)").query(Boolean.class).single();
  }
}
