package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.settlement.outcome.OutcomeTables;
import palmares.testing.Contest;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The views that other programs read, as the role that they use. */
@WorldTest
class ViewsTest {
  private static final Path PAGE = Path.of("src", "docs", "views.md");

  /** The page above the tables. */
  private static final Path TEXT =
      Path.of("src", "test", "resources", "palmares", "platform", "infra", "views.md");

  private static final String ANY_PRIVILEGE =
      """
      select relname from pg_class
      where relnamespace = 'palmares'::regnamespace
        and case relkind
          when 'S' then has_sequence_privilege('palmares_read', oid, 'usage, select, update')
          when 'i' then false
          when 'I' then false
          when 'c' then false
          else has_table_privilege('palmares_read', oid,
              'select, insert, update, delete, truncate, references, trigger')
            or has_any_column_privilege('palmares_read', oid,
              'select, insert, update, references')
        end
      order by relname
      """;

  private static final String WRITE_PRIVILEGE =
      """
      select relname from pg_class
      where relnamespace = 'palmares'::regnamespace
        and relkind in ('r', 'p', 'v', 'm', 'f')
        and has_table_privilege('palmares_read', oid,
          'insert, update, delete, truncate, references, trigger')
      """;

  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private JdbcTemplate statements;
  @Autowired private TransactionTemplate transaction;

  @Test
  void thePageListsEveryViewThatMayBeReadWithEveryColumn() throws IOException {
    var page = new StringBuilder(Files.readString(TEXT));
    for (String view : readable()) {
      page.append("## %s\n\n%s\n\n".formatted(view, sentence(comment(view))))
          .append("| column | type | meaning |\n|---|---|---|\n");
      jdbc.sql(
              """
              select attname, format_type(atttypid, atttypmod) as type,
                col_description(attrelid, attnum) as meaning
              from pg_attribute
              where attrelid = ?::regclass and attnum > 0
              order by attnum
              """)
          .param("palmares." + view)
          .query(
              row -> {
                assertThat(row.getString("meaning"))
                    .as("the comment on column %s.%s", view, row.getString("attname"))
                    .isNotBlank();
                page.append(
                    "| `%s` | %s | %s |\n"
                        .formatted(
                            row.getString("attname"),
                            row.getString("type"),
                            row.getString("meaning")));
              });
      page.append('\n');
    }
    page.append("## The application's own\n\n")
        .append("These change without notice, and the role may not read them:\n\n- `")
        .append(String.join("`\n- `", internal()))
        .append("`\n");
    Path generated = Files.writeString(Path.of("target", "views.md"), page);
    assertThat(PAGE)
        .as("the views have changed: copy " + generated + " to " + PAGE)
        .hasContent(page.toString());
  }

  @Test
  void theRoleMayReadTheseViewsAndNothingElse() {
    assertThat(readable()).contains("palmares", "transfer", "trial_balance");
    assertThat(internal()).contains("award", "posted_payment", "shaper");
    assertThat(words(ANY_PRIVILEGE)).isEqualTo(readable());
    assertThat(words(WRITE_PRIVILEGE)).isEmpty();
    assertThat(words("select has_schema_privilege('palmares_read', 'palmares', 'create')::text"))
        .containsExactly("false");
    assertThat(
            words(
                """
                select rolname from pg_roles
                where rolname = 'palmares_read'
                  and (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolbypassrls)
                """))
        .isEmpty();
  }

  @Test
  void theRoleReadsWhatTheOwnerReads() {
    world.take(Contest.facts());
    var day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    var asOwner = counts();
    assertThat(asReader(this::counts)).isEqualTo(asOwner);
    assertThat(asOwner)
        .containsEntry("transfer", (long) Contest.PAID.size())
        .containsEntry("period_overview", 1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from payment",
        "select count(*) from payment_shared",
        "select count(*) from award_changes('{-1}')",
        "select count(*) from award",
        "select count(*) from flyway_schema_history",
        "insert into audit_entry (at, by, verb, reason) values (now(), 'eve', 'pay', 'me')",
        "update period_overview set state = 'open'",
        "delete from period_overview",
        "select nextval('freeze_clock')",
        "create table palmares.own (n int)",
      })
  void anythingElseIsRefused(String sql) {
    assertThatThrownBy(() -> asReader(() -> jdbc.sql(sql).query().listOfRows()))
        .isInstanceOf(DataAccessException.class)
        .hasStackTraceContaining("permission denied");
  }

  /** What is not attached yet is added up by the same rule. */
  @Test
  void theFunctionOfAwardChangesIsTheTextForTablesThatAreNotAttached() throws IOException {
    String text =
        OutcomeTables.ALL
            .in("{award_changes}")
            .replace("payment payment", "payment")
            .replace(":parts", "outcomes")
            .replaceAll("\\s+", " ")
            .strip();
    String views = views();
    int begin = views.indexOf("begin atomic", views.indexOf("function award_changes"));
    assertThat(
            views
                .substring(begin + "begin atomic".length(), views.indexOf(";", begin))
                .replaceAll("\\s+", " ")
                .strip())
        .isEqualTo(text.substring(1, text.length() - 1).strip());
  }

  @Test
  void anOwnerWhoMayNotCreateRolesMigratesAndGrantsOnceTheRoleExists() throws IOException {
    String views = views();
    inTransaction(
        () -> {
          jdbc.sql("create role palmares_owner").update();
          jdbc.sql("alter role palmares_read rename to palmares_reading_elsewhere").update();
          jdbc.sql("grant usage, create on schema palmares to palmares_owner with grant option")
              .update();
          own("palmares_owner");
          jdbc.sql("set local role palmares_owner").update();
          // The driver does not find the end of a body that begins with 'begin atomic'.
          for (String part : views.split("(?<=\nend;\n)")) {
            statements.execute(part);
          }
          assertThat(words("select rolname from pg_roles where rolname = 'palmares_read'"))
              .isEmpty();
          jdbc.sql("reset role").update();
          jdbc.sql("create role palmares_read nologin").update();
          assertThat(words(ANY_PRIVILEGE)).isEmpty();
          jdbc.sql("set local role palmares_owner").update();
          jdbc.sql("select grant_views()").query().listOfRows();
          assertThat(words(ANY_PRIVILEGE)).isEqualTo(readable());
          return true;
        });
  }

  private static String views() throws IOException {
    return new ClassPathResource("db/migration/R__views.sql")
        .getContentAsString(StandardCharsets.UTF_8);
  }

  private void own(String owner) {
    for (String view : words("select viewname from pg_views where schemaname = 'palmares'")) {
      jdbc.sql("alter view palmares.%s owner to %s".formatted(view, owner)).update();
    }
    jdbc.sql("grant select on all tables in schema palmares to " + owner).update();
    for (String function : List.of("grant_views()", "award_changes(int[])")) {
      jdbc.sql("alter function %s owner to %s".formatted(function, owner)).update();
    }
  }

  private TreeMap<String, Long> counts() {
    var counts = new TreeMap<String, Long>();
    for (String view : readable()) {
      counts.put(view, jdbc.sql("select count(*) from " + view).query(Long.class).single());
    }
    return counts;
  }

  private <T> T asReader(Supplier<T> work) {
    return inTransaction(
        () -> {
          jdbc.sql("set local role palmares_read").update();
          return work.get();
        });
  }

  /** Nothing is kept. */
  private <T> T inTransaction(Supplier<T> work) {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              status.setRollbackOnly();
              return work.get();
            }));
  }

  private List<String> readable() {
    return views("is not null");
  }

  private List<String> internal() {
    return views("is null");
  }

  private List<String> views(String comment) {
    return words(
        """
        select relname from pg_class
        where relnamespace = 'palmares'::regnamespace
          and relkind in ('v', 'm')
          and obj_description(oid, 'pg_class') %s
        order by relname
        """
            .formatted(comment));
  }

  private String comment(String view) {
    return words("select obj_description('palmares.%s'::regclass)".formatted(view)).get(0);
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }

  private List<String> words(String sql) {
    return jdbc.sql(sql).query(String.class).list();
  }
}
