package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.mock.env.MockEnvironment;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.nodes.Nodes;
import palmares.platform.sql.SessionPooling;
import palmares.testing.PalmaresTest;
import palmares.testing.PgBouncer;

/** Runs in a separate database. */
@PalmaresTest
class SchemaTest {
  private static final String DATABASE = "palmares_schema";
  private static final String MIGRATED = "palmares_migrated";
  private static final String STRANGER = "palmares_stranger";

  private static boolean hasTemplate;

  /** Makes an applied migration differ from its file, which Flyway refuses. */
  private static final String EDITED =
      "update palmares.flyway_schema_history set checksum = checksum + 1 where version = '1'";

  @Autowired private JdbcClient tests;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private ConfigurableListableBeanFactory beans;
  @Autowired private Environment environment;

  private DriverManagerDataSource dataSource = new DriverManagerDataSource();
  private JdbcClient jdbc = JdbcClient.create(dataSource);

  @BeforeEach
  void nameDatabase() {
    dataSource = dataSource(DATABASE);
    jdbc = JdbcClient.create(dataSource);
  }

  private void emptyDatabase() {
    recreate(DATABASE, "template1");
  }

  private void recreate(String database, String template) {
    tests.sql("drop database if exists %s with (force)".formatted(database)).update();
    tests.sql("create database %s template %s".formatted(database, template)).update();
  }

  private DriverManagerDataSource dataSource(String database) {
    return new DriverManagerDataSource(
        postgres.getJdbcUrl().replaceFirst("(jdbc:postgresql://[^/]+/)[^?]*", "$1" + database),
        Objects.requireNonNull(postgres.getUsername()),
        Objects.requireNonNull(postgres.getPassword()));
  }

  /** Copies the database that the first test has migrated. */
  private void startBefore() {
    if (!hasTemplate) {
      recreate(MIGRATED, "template1");
      start(dataSource(MIGRATED));
      hasTemplate = true;
    }
    recreate(DATABASE, MIGRATED);
  }

  @AfterEach
  void dropDatabase() {
    tests.sql("drop database if exists " + DATABASE + " with (force)").update();
    tests.sql("drop role if exists " + STRANGER).update();
  }

  @Test
  void anEmptyDatabaseIsMigratedAndMarked() {
    emptyDatabase();
    start();
    assertThat(applied()).isEqualTo(ofThisProgram());
    assertThat(mark()).matches("applied: [0-9a-f]{64}");
  }

  @Test
  void aDatabaseThatDoesNotStoreUtf8IsLeftEmpty() {
    recreate(DATABASE, "template0 encoding 'LATIN1' locale 'C'");
    assertThatThrownBy(this::start)
        .hasMessageStartingWith(
            "The database palmares_schema has the encoding LATIN1, and must have UTF8");
    assertThat(jdbc.sql("select to_regnamespace('palmares') is null").query(Boolean.class).single())
        .isTrue();
  }

  /** PgBouncer in transaction mode gives one session to both connections. */
  @Test
  void aPoolerThatSharesSessionsIsRefusedBeforeAnythingIsMade() throws SQLException {
    emptyDatabase();
    try (var pooler = new SingleConnectionDataSource(dataSource.getConnection(), true)) {
      var schema = external(pooler);
      assertThatThrownBy(() -> schema.migrate(flyway(pooler).load()))
          .isInstanceOf(ServersUnavailable.class)
          .hasMessageContaining("pool_mode = session");
    }
    assertThat(jdbc.sql("select to_regnamespace('palmares') is null").query(Boolean.class).single())
        .isTrue();
    external(dataSource).migrate(flyway(dataSource).load());
  }

  @Test
  void aRealPgBouncerIsRefusedInTransactionModeAndUsedInSessionMode() throws Exception {
    emptyDatabase();
    String user = Objects.requireNonNull(postgres.getUsername());
    String url = Objects.requireNonNull(dataSource.getUrl());
    try (var pooler = PgBouncer.to(url, user, Objects.requireNonNull(postgres.getPassword()))) {
      var shared = new DriverManagerDataSource(pooler.url("transaction"), user, "");
      assertThatThrownBy(() -> external(shared).migrate(flyway(shared).load()))
          .isInstanceOf(ServersUnavailable.class)
          .hasMessageContaining("pool_mode = session");
      assertThat(
              SessionPooling.isShared(new DriverManagerDataSource(pooler.url("session"), user, "")))
          .isFalse();
    }
  }

  /** The setting of the database lets it find a function that says so first. */
  @Test
  void aReplicaIsRefused() throws SQLException {
    emptyDatabase();
    jdbc.sql(
            """
            create schema replica;
            create function replica.pg_is_in_recovery() returns bool return true;
            alter database %s set search_path = replica, pg_catalog
            """
                .formatted(DATABASE))
        .update();
    assertThatThrownBy(() -> external(dataSource).migrate(flyway(dataSource).load()))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll("it is a replica, which takes no writes", "targetServerType");
    assertThat(jdbc.sql("select to_regnamespace('palmares') is null").query(Boolean.class).single())
        .isTrue();
  }

  private static Schema external(DataSource source) {
    return new Schema(
        source,
        new PathMatchingResourcePatternResolver(),
        new MockEnvironment().withProperty("palmares.infra", "external"));
  }

  /** Before it replaces their laws and views by its own. */
  @Test
  void noServerStartsNextToOneThatReadsTooLittleOrWritesTooMuch() throws SQLException {
    emptyDatabase();
    external(dataSource).requireNeighbours(2, 3); // There is no table.
    startBefore();
    external(dataSource).requireNeighbours(2, 3);
    server("compatible", 2, "now()");
    server("dead", 4, "now() - interval '26 seconds'");
    external(dataSource).requireNeighbours(2, 3);

    server("old", 1, "now() - interval '15 seconds'");
    assertThatThrownBy(() -> external(dataSource).requireNeighbours(2, 3))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll("The server old runs an older version", "Stop all servers");
    jdbc.sql("update palmares.node set stopped_at = now() where name = 'old'").update();
    external(dataSource).requireNeighbours(2, 3);

    server("new", Nodes.FORMAT + 1, "now()");
    mark(null);
    jdbc.sql(EDITED).update();
    assertThatThrownBy(() -> external(dataSource).migrate(flyway(dataSource).load()))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll(
            "runs a newer version of Palmares: it reads data up to format 2",
            "this version writes formats 1 to 1",
            "Start the newer version here, too");
    assertThat(mark()).isNull();
  }

  private void server(String name, int format, String seen) {
    jdbc.sql(
            """
            insert into palmares.node (name, process, roles, format, redis, started_at, seen_at)
            values (?, 'process', '{}', ?, 'redis', now(), %s)
            """
                .formatted(seen))
        .params(name, format)
        .update();
  }

  @Test
  void flywayDoesNotRunIfTheMarkMatches() {
    startBefore();
    jdbc.sql(EDITED).update();
    start();
    assertThat(applied()).isEqualTo(ofThisProgram());
  }

  @Test
  void flywayRunsWithoutAMarkAndTheMarkIsStored() {
    startBefore();
    String mark = mark();
    mark(null);
    start();
    assertThat(mark()).isEqualTo(mark);
  }

  @Test
  void anEditedMigrationIsRefusedAndNotMarked() {
    startBefore();
    for (String other : new String[] {null, "applied: of other migrations"}) {
      mark(other);
      jdbc.sql(EDITED).update();
      assertThatThrownBy(this::start)
          .isInstanceOf(FlywayValidateException.class)
          .hasMessageContaining("checksum mismatch for migration version 1");
      assertThat(mark()).isEqualTo(other);
    }
  }

  @Test
  void anOlderSchemaIsMigrated() {
    emptyDatabase();
    flyway(dataSource).target("1").repeatableSqlMigrationPrefix("none").load().migrate();
    mark("applied: of an older program");
    start();
    assertThat(applied()).isEqualTo(ofThisProgram());
    assertThat(mark()).isNotEqualTo("applied: of an older program");
  }

  @Test
  void changedLawsAndViewsAreReplaced() {
    startBefore();
    List<String> repeatable =
        ofThisProgram().stream().filter(script -> script.startsWith("R__")).toList();
    jdbc.sql(
            """
            update palmares.flyway_schema_history set checksum = checksum + 1
            where script in (:repeatable)
            """)
        .param("repeatable", repeatable)
        .update();
    mark(null);
    start();
    assertThat(repeatable).containsExactly("R__laws.sql", "R__views.sql");
    assertThat(applied()).endsWith("R__laws.sql", "R__views.sql", "R__laws.sql", "R__views.sql");
  }

  @Test
  void withoutAFlywayPropertyOfAnOperatorFlywayMayBeSkipped() {
    assertThat(Schema.hasOtherSettings(environment)).isFalse();
    for (String property :
        List.of("out-of-order=true", "locations=classpath:db/migration,file:x")) {
      var set = new MockEnvironment();
      set.setProperty("spring.flyway.default-schema", Schema.NAME);
      set.setProperty("spring.flyway.locations", "classpath:db/migration");
      assertThat(Schema.hasOtherSettings(set)).isFalse();
      set.setProperty("spring.flyway." + property.split("=")[0], property.split("=")[1]);
      assertThat(Schema.hasOtherSettings(set)).as(property).isTrue();
    }
  }

  @Test
  void flywayDoesWhatItsPropertiesSayEvenIfNothingHasChanged() {
    emptyDatabase();
    with("enabled=false", context -> assertThat(context).doesNotHaveBean(Flyway.class));
    assertThat(jdbc.sql("select to_regnamespace('palmares') is null").query(Boolean.class).single())
        .isTrue();

    startBefore();
    jdbc.sql(EDITED).update();
    with("default-schema=" + Schema.NAME, context -> assertThat(context).hasNotFailed());
    with(
        "out-of-order=true",
        context ->
            assertThat(context.getStartupFailure())
                .as("Flyway runs, and finds the edited migration")
                .hasRootCauseInstanceOf(FlywayValidateException.class));
    with("validate-on-migrate=false", context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theHistoryMayHaveAnotherName() {
    emptyDatabase();
    with("table=history_of_migrations", context -> assertThat(context).hasNotFailed());
    assertThat(
            jdbc.sql("select count(*) from palmares.history_of_migrations where success")
                .query(Integer.class)
                .single())
        .isGreaterThan(ofThisProgram().size() - 1);
    with("table=history_of_migrations", context -> assertThat(context).hasNotFailed());
  }

  /** Starts Spring Boot's Flyway with our strategy and one more property. */
  private void with(String property, ContextConsumer<AssertableApplicationContext> check) {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
        .withBean(DataSource.class, () -> dataSource)
        .withBean(Schema.class)
        .withPropertyValues(
            "spring.flyway.default-schema=" + Schema.NAME,
            "spring.flyway.locations=classpath:db/migration",
            "spring.flyway." + property)
        .run(check);
  }

  @Test
  void allTablesAreInTheSchemaOfThePool() {
    startBefore();
    assertThat(
            jdbc.sql("select count(*) from pg_tables where schemaname = 'public'")
                .query(Long.class)
                .single())
        .isZero();
    assertThat(tests.sql("select current_setting('search_path')").query(String.class).single())
        .isEqualTo(Schema.NAME);
  }

  /** A restored dump and a worker of logical replication have an empty search path. */
  @Test
  void eachFunctionFindsItsNamesWithoutASearchPath() {
    startBefore();
    assertThat(
            jdbc.sql(
                    """
                    select oid::regprocedure::text from pg_proc
                    where pronamespace = 'palmares'::regnamespace
                      and prokind = 'f'
                      and prolang in (
                        select oid from pg_language where lanname in ('sql', 'plpgsql'))
                      and prosqlbody is null
                      and 'search_path=palmares, pg_temp' <> all(coalesce(proconfig, '{}'))
                    """)
                .query(String.class)
                .list())
        .isEmpty();
  }

  /** As on Amazon Aurora, where each payment would fail. */
  @Test
  void aServerThatDoesNotSayItsTimelineHasAnUnknownHistory() {
    startBefore();
    String history = "select palmares.wal_history()";
    assertThat(jdbc.sql(history).query(String.class).single()).matches("\\d+/[0-9A-F]{8}");
    jdbc.sql(
            """
            create role %1$s;
            grant usage on schema palmares to %1$s;
            revoke execute on function pg_current_wal_lsn() from public
            """
                .formatted(STRANGER))
        .update();
    assertThat(
            jdbc.sql(history + " from set_config('role', :role, false)")
                .param("role", STRANGER)
                .query(String.class)
                .single())
        .isEmpty();
  }

  /** It gets the links as rows, like all others. */
  @Test
  void aReplicaWritesNoLinks() {
    startBefore();
    String entry =
        """
        set search_path = '';
        insert into palmares.audit_entry (at, by, verb, reason) values (now(), 'a', 'close', 'b')
        """;
    jdbc.sql("set session_replication_role = replica; " + entry).update();
    assertThat(number("select count(*) from palmares.audit_link")).isZero();
    jdbc.sql(entry).update();
    assertThat(number("select count(*) from palmares.audit_link")).isEqualTo(1);
  }

  /** As after a restore with {@code --disable-triggers}. */
  @Test
  void guardsAreEnabledAlwaysAgainAndLinksAreNot() {
    startBefore();
    String always = "select count(*) from pg_trigger where tgenabled = 'A' and not tgisinternal";
    long before = number(always);
    jdbc.sql("alter table palmares.revision enable trigger all").update();
    jdbc.sql("alter table palmares.audit_entry enable trigger all").update();
    assertThat(number(always)).isLessThan(before);
    jdbc.sql("select palmares.enable_guards()").query(row -> {});
    assertThat(number(always)).isEqualTo(before).isGreaterThan(30);
    assertThat(
            number("select count(*) from pg_trigger where tgenabled = 'A' and tgname ~ 'linked'"))
        .isZero();
  }

  private long number(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }

  @Test
  void withoutPermissionToMarkFlywayRunsEachTime() {
    startBefore();
    mark(null);
    tests.sql("create role " + STRANGER + " login password 'strange'").update();
    jdbc.sql("grant usage on schema palmares to " + STRANGER).update();
    jdbc.sql("grant select, insert on all tables in schema palmares to " + STRANGER).update();
    dataSource =
        new DriverManagerDataSource(
            Objects.requireNonNull(dataSource.getUrl()), STRANGER, "strange");
    start();
    assertThat(mark()).isNull();
  }

  @Test
  void beansThatUseTablesDependOnTheSchema() {
    assertThat(dependencies("jdbcTemplate")).contains("flywayInitializer");
    assertThat(dependencies("quartzScheduler")).contains("flywayInitializer");
  }

  private List<String> dependencies(String bean) {
    return List.of(Objects.requireNonNull(beans.getBeanDefinition(bean).getDependsOn()));
  }

  /** As at the start of a process. */
  private void start() {
    start(dataSource);
  }

  private static void start(DataSource dataSource) {
    new Schema(dataSource, new PathMatchingResourcePatternResolver(), new MockEnvironment())
        .migrate(flyway(dataSource).load());
  }

  /** Creates Flyway as {@code application.yml} sets it up. */
  static FluentConfiguration flyway(DataSource dataSource) {
    return Flyway.configure().dataSource(dataSource).defaultSchema(Schema.NAME);
  }

  private List<String> ofThisProgram() {
    return List.of(flyway(dataSource).load().info().all()).stream()
        .map(MigrationInfo::getScript)
        .filter(script -> script.endsWith(".sql"))
        .toList();
  }

  private List<String> applied() {
    return jdbc.sql(
            """
            select script from palmares.flyway_schema_history
            where success and type = 'SQL'
            order by installed_rank
            """)
        .query(String.class)
        .list();
  }

  private @Nullable String mark() {
    return jdbc.sql(
            "select obj_description('palmares.flyway_schema_history'::regclass, 'pg_class')")
        .query(String.class)
        .optional()
        .orElse(null);
  }

  private void mark(@Nullable String mark) {
    jdbc.sql(
            "comment on table palmares.flyway_schema_history is "
                + (mark == null ? "null" : "'" + mark + "'"))
        .update();
  }
}
