package palmares.live.member;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The key of this installation's hashes of people; created when it is first needed. Its creation
 * commits at once: if the caller's transaction is rolled back, others may have had a hash already.
 */
@Component
class HashKey {
  private static final int BYTES = 32;

  private final JdbcClient jdbc;
  private final TransactionTemplate creation;

  HashKey(JdbcClient jdbc, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.creation = new TransactionTemplate(transactions);
    creation.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
  }

  byte[] get() {
    String key = find().orElseGet(() -> creation.execute(status -> create()));
    return HexFormat.of().parseHex(key);
  }

  private String create() {
    var fresh = new byte[BYTES];
    new SecureRandom().nextBytes(fresh);
    jdbc.sql("insert into member_key (key) values (:key) on conflict do nothing")
        .param("key", HexFormat.of().formatHex(fresh))
        .update();
    return find().orElseThrow();
  }

  private Optional<String> find() {
    return jdbc.sql("select key from member_key").query(String.class).optional();
  }
}
