package palmares.live.member;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What anybody may know of members: how they are called, and how they invite. */
@Component
public class PublicProfiles {
  private final JdbcClient jdbc;

  PublicProfiles(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** What anybody may know of a member. */
  public record Card(String nickname, String inviteCode) {}

  /** The number of the latest member: who knows it knows whether a card may have come since. */
  public long latest() {
    return jdbc.sql("select coalesce(max(n), 0) from member").query(Long.class).single();
  }

  /** Those of the members that have registered, by member, in one look. */
  public Map<String, Card> of(Collection<String> members) {
    if (members.isEmpty()) {
      return Map.of();
    }
    var publicProfiles = new HashMap<String, Card>();
    jdbc.sql("select id, nickname, invite_code from member where id = any(:ids)")
        .param("ids", members.toArray(String[]::new))
        .query(
            row -> {
              publicProfiles.put(
                  row.getString("id"),
                  new Card(row.getString("nickname"), row.getString("invite_code")));
            });
    return publicProfiles;
  }
}
