package palmares.live.member;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The key of this installation's hashes of people; created when it is first needed. */
@Component
class HashKey {
  private static final int BYTES = 32;

  private final JdbcClient jdbc;

  HashKey(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  byte[] get() {
    Optional<String> key = find();
    if (key.isEmpty()) {
      var fresh = new byte[BYTES];
      new SecureRandom().nextBytes(fresh);
      jdbc.sql("insert into member_key (key) values (:key) on conflict do nothing")
          .param("key", HexFormat.of().formatHex(fresh))
          .update();
      key = find();
    }
    return HexFormat.of().parseHex(key.orElseThrow());
  }

  private Optional<String> find() {
    return jdbc.sql("select key from member_key").query(String.class).optional();
  }
}
