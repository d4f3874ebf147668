package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Servers of the former version run on what a migration of a minor release leaves: it only adds
 * tables, indexes, and columns that may be null or have a default.
 */
class AdditiveMigrationsTest {
  /** The last migration of the minor release before; with the next one, raise it. */
  private static final int LAST_OF_FORMER_RELEASE = 13;

  private static final Pattern VERSION = Pattern.compile("V(\\d+)__.*\\.sql");
  private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

  /** A text in quotes, or the body of a function, which may have semicolons. */
  private static final Pattern QUOTED = Pattern.compile("'(?:[^']|'')*'|(\\$\\w*\\$)(?s:.*?)\\1");

  private static final Pattern NEW_TABLE =
      Pattern.compile("create (?:unlogged )?table (?:if not exists )?([\\w.]+) ?\\(.*");

  private static final Pattern NEW_INDEX =
      Pattern.compile(
          "create (unique )?index (?:concurrently )?(?:if not exists )?\\S+ on (?:only )?([\\w.]+)"
              + ".*");

  private static final Pattern NEW_COLUMN =
      Pattern.compile("add (?:column )?(?:if not exists )?(?!constraint\\b)\\S+ (.*)");

  private static final Pattern CHANGED_TABLE =
      Pattern.compile("alter table (?:if exists )?(?:only )?([\\w.]+) (.*)");

  private static final Pattern LAW_OF_COLUMN =
      Pattern.compile(".*\\b(unique|check|references|primary key|generated)\\b.*");

  /** Changes no row that a server of the former version reads, and no rule for what it writes. */
  private static final Pattern HARMLESS =
      Pattern.compile("(?:comment on|create (?:sequence|extension|schema)|analyze)\\b.*");

  private static final Pattern NEW_ROW = Pattern.compile("insert into ([\\w.]+)\\b.*");

  private static List<String> violations(String sql) {
    Set<String> made = new HashSet<>();
    var violations = new ArrayList<String>();
    for (String statement : statements(sql)) {
      if (!isAdditive(statement, made)) {
        violations.add(statement);
      }
    }
    return violations;
  }

  private static List<String> statements(String sql) {
    String plain = QUOTED.matcher(COMMENT.matcher(sql).replaceAll("")).replaceAll("''");
    return Pattern.compile(";")
        .splitAsStream(plain)
        .map(each -> each.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT))
        .filter(each -> !each.isEmpty())
        .toList();
  }

  private static boolean isAdditive(String statement, Set<String> made) {
    Matcher table = NEW_TABLE.matcher(statement);
    if (table.matches()) {
      return made.add(table.group(1));
    }
    Matcher index = NEW_INDEX.matcher(statement);
    if (index.matches()) {
      return index.group(1) == null || made.contains(index.group(2));
    }
    Matcher changed = CHANGED_TABLE.matcher(statement);
    if (changed.matches()) {
      return made.contains(changed.group(1)) || addsOnly(changed.group(2));
    }
    Matcher row = NEW_ROW.matcher(statement);
    return row.matches() ? made.contains(row.group(1)) : HARMLESS.matcher(statement).matches();
  }

  /**
   * A comma in the type or default of a column counts as one between two changes, and is refused.
   */
  private static boolean addsOnly(String changes) {
    return Pattern.compile(",")
        .splitAsStream(changes)
        .map(each -> NEW_COLUMN.matcher(each.strip()))
        .allMatch(column -> column.matches() && isOptional(column.group(1)));
  }

  private static boolean isOptional(String definition) {
    return !LAW_OF_COLUMN.matcher(definition).matches()
        && (!definition.contains("not null") || definition.contains(" default "));
  }

  @Test
  void migrationsAfterTheFormerReleaseOnlyAdd() throws IOException {
    int found = 0;
    for (Resource file :
        new PathMatchingResourcePatternResolver().getResources("classpath:db/migration/V*.sql")) {
      Matcher name = VERSION.matcher(String.valueOf(file.getFilename()));
      assertThat(name.matches()).as(file.getFilename()).isTrue();
      int version = Integer.parseInt(name.group(1));
      found = Math.max(found, version);
      if (version > LAST_OF_FORMER_RELEASE) {
        assertThat(violations(file.getContentAsString(StandardCharsets.UTF_8)))
            .as(file.getFilename())
            .isEmpty();
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(LAST_OF_FORMER_RELEASE);
  }

  @Test
  void whatOnlyAddsIsAllowed() {
    assertThat(
            violations(
                """
                -- What is new; it drops nothing.
                create table season (
                  id bigint primary key,
                  name text not null check (name <> ';')
                );
                create unique index season_name on season (name);
                alter table season add constraint "a name" check (name <> '');
                insert into season values (1, 'drop table period;');
                alter table node add column load int, add weight int not null default 1;
                create index node_seen on node (seen_at);
                comment on table season is 'new';
                """))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table node drop column redis",
        "alter table node rename column redis to store",
        "alter table node rename to server",
        "alter table node alter column format type bigint",
        "alter table node alter redis drop not null",
        "alter table node add column load int not null",
        "alter table node add column load int, add column weight int not null",
        "alter table node add column load int check (load > 0)",
        "alter table node add column other text references node",
        "alter table node add constraint \"it has a load\" check (format > 0)",
        "create unique index node_process on node (process)",
        "drop table node",
        "drop index node_pkey",
        "update node set format = 2",
        "delete from node",
        "insert into node values ('a')",
        "create trigger t before insert on node for each row execute function f()",
        "create table season (id int); drop table node"
      })
  void whatAServerOfTheFormerVersionMayStumbleOverIsFound(String sql) {
    assertThat(violations(sql + ";")).hasSize(1);
  }
}
