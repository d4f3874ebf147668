package palmares.api.writer;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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

/** The keys that writes need. A key is shown once, when it is made; only its hash is kept. */
@Component
public class ApiKeys {
  /** The longest name, in bytes of UTF-8. */
  public static final int MOST_NAME_BYTES = 64;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SECRET_BYTES = 32;

  private final JdbcClient jdbc;
  private final Clock clock;

  ApiKeys(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Makes a key.
   *
   * @param name for people, 1 to 64 bytes
   * @param boards the boards that it may write; empty for all of them
   * @return the key itself, which nobody can show again
   */
  public String create(String name, Set<BoardId> boards) {
    ExternalText.require("a key's name", name, MOST_NAME_BYTES);
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
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
    return key;
  }

  /** Every key, revoked ones too, in the order in which they were made. */
  public List<ApiKey> all() {
    return jdbc.sql("select * from api_key order by created_at, id").query(ApiKeys::row).list();
  }

  /**
   * Ends a key's use, within the time that {@link KeyRing} keeps keys in mind.
   *
   * @return whether there was such a key in use
   */
  public boolean revoke(String id) {
    return jdbc.sql("update api_key set revoked_at = :now where id = :id and revoked_at is null")
            .param("now", clock.instant().atOffset(ZoneOffset.UTC))
            .param("id", id)
            .update()
        == 1;
  }

  /** The keys in use that have this hash: one or none. */
  List<ApiKey> withHash(String hash) {
    return jdbc.sql("select * from api_key where hash = :hash and revoked_at is null")
        .param("hash", hash)
        .query(ApiKeys::row)
        .list();
  }

  /** A key holds 256 random bits, so that its plain hash tells nothing of it. */
  static String hash(String key) {
    return Sha256.of(key);
  }

  private static ApiKey row(ResultSet row, int n) throws SQLException {
    OffsetDateTime revoked = row.getObject("revoked_at", OffsetDateTime.class);
    return new ApiKey(
        row.getString("id"),
        row.getString("name"),
        Arrays.stream((String[]) row.getArray("boards").getArray())
            .map(BoardId::new)
            .collect(Collectors.toUnmodifiableSet()),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        revoked == null ? null : revoked.toInstant());
  }

  private static byte[] random(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }
}
