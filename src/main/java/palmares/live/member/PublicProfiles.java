package palmares.live.member;

import java.util.Collection;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.sql.RecordMapper;

/** Reads what everybody may see of a member. */
@Component
public class PublicProfiles {
  private final JdbcClient jdbc;

  PublicProfiles(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns a number that grows whenever a profile is added or deleted. */
  public long version() {
    return jdbc.sql(
            """
            select
              (select coalesce(max(n), 0) from member)
              + (select coalesce(max(micros(forgotten_at)), 0) from member
                where forgotten_at is not null)
            """)
        .query(Long.class)
        .single();
  }

  /** Returns the nicknames of those of the members that have a profile, by member. */
  public Map<String, String> nicknames(Collection<String> members) {
    if (members.isEmpty()) {
      return Map.of();
    }
    return jdbc.sql("select id, nickname from member where id = any(:ids) and forgotten_at is null")
        .param("ids", members)
        .query(RecordMapper.map(String.class, String.class));
  }
}
