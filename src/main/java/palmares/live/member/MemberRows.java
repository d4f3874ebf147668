package palmares.live.member;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.MemberId;

/** The tables of members, of who invited whom, and of the key of the hashes. */
@Component
class MemberRows {
  private static final int KEY_BYTES = 32;
  private static final String PROFILE =
      """
      select
        member.id, member.external_hash, member.external_mask, member.nickname,
        member.invite_code, member.digest, member.registered_at, invite.inviter,
        (select count(*) from invite brought where brought.inviter = member.id) as invites
      from member
      left join invite on invite.newcomer = member.id
      """;

  private final JdbcClient jdbc;

  MemberRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A member, and what its registration is known again by. */
  record Row(Profile profile, String externalHash, String digest) {}

  /** The key of the hashes, made when it is first needed. */
  byte[] key() {
    Optional<String> key = findKey();
    if (key.isEmpty()) {
      var fresh = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(fresh);
      jdbc.sql("insert into member_key (key) values (:key) on conflict do nothing")
          .param("key", HexFormat.of().formatHex(fresh))
          .update();
      key = findKey();
    }
    return HexFormat.of().parseHex(key.orElseThrow());
  }

  private Optional<String> findKey() {
    return jdbc.sql("select key from member_key").query(String.class).optional();
  }

  Optional<Row> withId(MemberId id) {
    return jdbc.sql(PROFILE + "where member.id = :id")
        .param("id", id.value())
        .query(MemberRows::row)
        .optional();
  }

  Optional<Row> withExternalHash(String hash) {
    return jdbc.sql(PROFILE + "where member.external_hash = :hash")
        .param("hash", hash)
        .query(MemberRows::row)
        .optional();
  }

  Optional<Row> withCode(String code) {
    return jdbc.sql(PROFILE + "where member.invite_code = :code")
        .param("code", code)
        .query(MemberRows::row)
        .optional();
  }

  /**
   * Adds a member, unless anything that is unique of it is there already. Waits for whoever is
   * registering the same at the moment.
   */
  boolean insert(Row row) {
    Profile profile = row.profile();
    return jdbc.sql(
                """
                insert into member (
                  id, external_hash, external_mask, nickname, invite_code, digest, registered_at)
                values (:id, :hash, :mask, :nickname, :code, :digest, :now)
                on conflict do nothing
                """)
            .param("id", profile.id().value())
            .param("hash", row.externalHash())
            .param("mask", profile.externalId())
            .param("nickname", profile.nickname())
            .param("code", profile.inviteCode().value())
            .param("digest", row.digest())
            .param("now", profile.registeredAt().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  void insertInvite(MemberId newcomer, MemberId inviter, Instant now) {
    jdbc.sql(
            """
            insert into invite (newcomer, inviter, invited_at)
            values (:newcomer, :inviter, :now)
            """)
        .param("newcomer", newcomer.value())
        .param("inviter", inviter.value())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  private static Row row(ResultSet row, int n) throws SQLException {
    String inviter = row.getString("inviter");
    return new Row(
        new Profile(
            new MemberId(row.getString("id")),
            row.getString("nickname"),
            new InviteCode(row.getString("invite_code")),
            row.getString("external_mask"),
            inviter == null ? null : new MemberId(inviter),
            row.getLong("invites"),
            row.getObject("registered_at", OffsetDateTime.class).toInstant()),
        row.getString("external_hash"),
        row.getString("digest"));
  }
}
