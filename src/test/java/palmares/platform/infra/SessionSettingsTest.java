package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.WorldTest;

/** A session ends soon after its machine has vanished, and with it the locks that others need. */
@WorldTest
class SessionSettingsTest {
  @Autowired private JdbcClient jdbc;
  @Autowired private DataSource dataSource;

  @Test
  void theServerNoticesThatAClientHasVanished() {
    assertThat(
            jdbc.sql(
                    """
                    select concat_ws(' ', name, setting, unit)
                    from pg_settings
                    where name ~ '^tcp_|^idle_in_transaction|^client_connection'
                    order by name
                    """)
                .query(String.class)
                .list())
        .containsExactly(
            "client_connection_check_interval 5000 ms",
            "idle_in_transaction_session_timeout 600000 ms",
            "tcp_keepalives_count 3",
            "tcp_keepalives_idle 10 s",
            "tcp_keepalives_interval 5 s",
            "tcp_user_timeout 60000 ms");
  }

  @Test
  void theClientNoticesThatAServerHasVanished() throws SQLException {
    assertThat(dataSource.unwrap(HikariDataSource.class).getDataSourceProperties())
        .containsEntry("tcpKeepAlive", "true");
  }
}
