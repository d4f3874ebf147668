package palmares.live.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.MemberId;
import palmares.rules.board.Sha256;

/**
 * Makes the codes that name members to those who receive payments. A code does not change when the
 * member is forgotten, so that receivers recognize what they have had. Without the key of this
 * installation, nobody can compute an id's code.
 */
@Component
public class MemberCodes {
  /** Distinguishes these hashes from those of external ids, which have the same key. */
  private static final String PURPOSE = "member code ";

  private static final int CODE_BYTES = 12;

  private final JdbcClient jdbc;
  private final HashKey key;

  MemberCodes(JdbcClient jdbc, HashKey key) {
    this.jdbc = jdbc;
    this.key = key;
  }

  /** The codes of members, as they are known at one moment. Not thread-safe. */
  public final class Codes {
    private final Map<String, String> codes = new HashMap<>();
    private final Map<String, Integer> generations = new HashMap<>();
    private final Mac mac = Sha256.mac(key.get());

    /** Returns the code: 24 hexadecimal digits, and a number if others had the id before. */
    public String of(String member) {
      String known = codes.get(member);
      if (known != null) {
        return known;
      }
      String hash = hash(member);
      return code(hash, generations.getOrDefault(hash, 0));
    }

    private String hash(String member) {
      byte[] whole = mac.doFinal((PURPOSE + member).getBytes(UTF_8));
      return HexFormat.of().formatHex(whole, 0, CODE_BYTES);
    }
  }

  private static String code(String hash, int generation) {
    return generation == 0 ? hash : hash + "-" + generation;
  }

  public Codes all() {
    return codes(new Codes(), null);
  }

  public Codes of(Collection<String> members) {
    var codes = new Codes();
    return codes(
        codes,
        members.stream()
            .flatMap(member -> Stream.of(member, codes.hash(member)))
            .toArray(String[]::new));
  }

  private Codes codes(Codes codes, String @Nullable [] only) {
    jdbc.sql(
            """
            select forgotten_code.pseudonym, hash, generation, forgetting.member
            from forgotten_code
            left join forgetting on forgetting.pseudonym = forgotten_code.pseudonym
            where :only::text[] is null
              or forgotten_code.pseudonym = any(:only::text[])
              or hash = any(:only::text[])
            """)
        .param("only", only)
        .query(
            row -> {
              String hash = row.getString("hash");
              String code = code(hash, row.getInt("generation"));
              codes.codes.put(row.getString("pseudonym"), code);
              codes.generations.merge(hash, row.getInt("generation") + 1, Math::max);
              if (row.getString("member") != null) {
                codes.codes.put(row.getString("member"), code); // Until all rows are renamed.
              }
            });
    return codes;
  }

  /** Whether a member was forgotten under a pseudonym, as the kept code proves. */
  public boolean areOne(MemberId member, MemberId pseudonym) {
    return jdbc.sql(
            """
            select exists (
              select from forgotten_code where pseudonym = :pseudonym and hash = :hash)
            """)
        .param("pseudonym", pseudonym.value())
        .param("hash", new Codes().hash(member.value()))
        .query(Boolean.class)
        .single();
  }

  /** Keeps the code of a member who is about to be forgotten, in the caller's transaction. */
  public void keep(MemberId member, MemberId pseudonym) {
    jdbc.sql(
            """
            insert into forgotten_code (pseudonym, hash, generation)
            select :pseudonym, :hash, coalesce(max(generation) + 1, 0)
            from forgotten_code where hash = :hash
            """)
        .param("pseudonym", pseudonym.value())
        .param("hash", new Codes().hash(member.value()))
        .update();
  }
}
