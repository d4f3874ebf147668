package palmares.api.keys;

import static palmares.platform.time.SqlTime.instant;
import static palmares.platform.time.SqlTime.nullableInstant;
import static palmares.platform.time.SqlTime.utc;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.BoardId;
import palmares.rules.board.ExternalText;
import palmares.rules.board.Sha256;

/** Creates, lists and revokes API keys. Only the hash of a key is stored. */
@Component
public class ApiKeys {
  /** In UTF-8. */
  public static final int MAX_NAME_BYTES = 64;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SECRET_BYTES = 32;

  private final JdbcClient jdbc;
  private final Clock clock;

  ApiKeys(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Creates a key.
   *
   * @param name for people, 1 to 64 bytes
   * @param boards the boards that it may write; empty for all
   * @return the key itself, which cannot be shown again
   */
  public String create(String name, Set<BoardId> boards) {
    ExternalText.require("a key's name", name, MAX_NAME_BYTES);
    String id = HexFormat.of().formatHex(random(6));
    String key =
        "pal_"
            + id
            + "_"
            + Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET_BYTES));
    jdbc.sql(
            """
            insert into api_key (id, name, hash, boards, created_at)
            values (:id, :name, :hash, :boards, :now)
            """)
        .param("id", id)
        .param("name", name)
        .param("hash", hash(key))
        .param("boards", boards.stream().map(BoardId::value).sorted().toArray(String[]::new))
        .param("now", utc(clock.instant()))
        .update();
    return key;
  }

  /** Returns all keys including revoked ones, oldest first. */
  public List<ApiKey> all() {
    return jdbc.sql("select * from api_key order by created_at, id").query(ApiKeys::row).list();
  }

  /**
   * Revokes a key; {@link ApiKeyCheck} accepts it for 30 more seconds.
   *
   * @return whether the key existed and was valid
   */
  public boolean revoke(String id) {
    return jdbc.sql("update api_key set revoked_at = :now where id = :id and revoked_at is null")
            .param("now", utc(clock.instant()))
            .param("id", id)
            .update()
        == 1;
  }

  /** Finds valid keys with this hash: one or none. */
  List<ApiKey> withHash(String hash) {
    return jdbc.sql("select * from api_key where hash = :hash and revoked_at is null")
        .param("hash", hash)
        .query(ApiKeys::row)
        .list();
  }

  /** A hash without salt is safe, because a key contains 256 random bits. */
  static String hash(String key) {
    return Sha256.of(key);
  }

  private static ApiKey row(ResultSet row, int n) throws SQLException {
    return new ApiKey(
        row.getString("id"),
        row.getString("name"),
        Arrays.stream((String[]) row.getArray("boards").getArray())
            .map(BoardId::new)
            .collect(Collectors.toUnmodifiableSet()),
        instant(row, "created_at"),
        nullableInstant(row, "revoked_at"));
  }

  private static byte[] random(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }
}
