package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.live.board.LiveKeys;
import palmares.live.intake.Intake;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Each fault of an installation raises its alert, and no other one, within two minutes. Real
 * servers are scraped over simulated time, and Prometheus' own rule engine evaluates the rules.
 */
@WorldTest
@TestInstance(Lifecycle.PER_CLASS)
class FaultsTest {
  private static final int TICKS_BEFORE = 5;
  private static final int TICKS_OF_TWO_MINUTES =
      (int) Duration.ofMinutes(2).dividedBy(Installation.INTERVAL);

  /** The loops of which a lock of tables may keep a round from ending. */
  static final String[] HANGING = {
    "journal drainer", "relayer", "outbox webhook", "signals", "sweep", "night"
  };

  private static final Instant ALMOST_DUE = Instant.parse("2026-11-21T00:08:30Z");
  private static final Instant ALMOST_NIGHT = Instant.parse("2026-11-21T03:28:00Z");
  private static final Set<String> FUNCTIONS = Set.of("histogram_quantile");
  private static final String DAY = "2026-11-20";
  private static final String REWARD = "rewards: [{ rule: podium, ranks: { 1: 100 } }]";

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private DataSource database;

  private Installation installation;
  private HttpServer receiver;
  private volatile int answer;
  private final List<AutoCloseable> repairs = new ArrayList<>();
  private Board board;
  private String webhook = "";
  private Set<String> namesOfBusyServers = Set.of();

  @BeforeAll
  void startTheInstallation(@Autowired ApplicationContext context) throws Exception {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    receiver.start();
    installation =
        new Installation(
            context,
            "--palmares.outbox.webhook.url=http://localhost:" + receiver.getAddress().getPort(),
            "--palmares.outbox.webhook.allowed-hosts=localhost",
            "--palmares.outbox.webhook.secret=whsec_"
                + Base64.getEncoder().encodeToString(new byte[32]));
    // The first round registers the webhook; each test finds it as that round did.
    installation.scheduler().start("outbox webhook");
    installation.scheduler().await();
    webhook = records.words("select to_jsonb(outbox_target)::text from outbox_target").get(0);
  }

  @AfterAll
  void stopTheInstallation() throws IOException {
    installation.close();
    receiver.stop(0);
  }

  @BeforeEach
  void begin() throws IOException {
    answer = 204;
    board = world.board(rules());
    installation.begin();
    servers.sql(
        """
        insert into outbox_target
        select * from jsonb_populate_record(null::outbox_target, ?::jsonb)
        """,
        webhook);
  }

  @AfterEach
  void repair() throws Exception {
    for (AutoCloseable repair : repairs) {
      repair.close();
    }
    repairs.clear();
    installation.heal();
  }

  @ParameterizedTest
  @EnumSource
  void aFaultRaisesItsAlertAndNoOther(Fault fault) throws Exception {
    assumeThat(Scrapes.canEvaluate()).as("promtool is installed").isTrue();
    prepare(fault);
    for (int i = 0; i < TICKS_BEFORE; i++) {
      pass(fault, false);
    }
    int before = installation.scrapes().count();
    inject(fault);
    for (int i = 0; i < TICKS_OF_TWO_MINUTES; i++) {
      pass(fault, true);
    }
    assertThat(
            installation
                .scrapes()
                .evaluate(
                    Map.of(
                        before, List.of(), installation.scrapes().count(), List.of(fault.alert()))))
        .isEmpty();
  }

  @Test
  void metricsThatHangDoNotHideThatNoSweepEnds() throws Exception {
    assumeThat(Scrapes.canEvaluate()).as("promtool is installed").isTrue();
    world.now(ALMOST_DUE);
    for (int i = 0; i < TICKS_BEFORE; i++) {
      installation.tick();
    }
    for (SimulatedNode node : List.of(installation.writer(), installation.scheduler())) {
      node.mayHang(true, HANGING);
    }
    lock("period in access exclusive mode");
    for (int i = 0; i < TICKS_OF_TWO_MINUTES; i++) {
      installation.tick();
    }
    assertThat(
            installation
                .scrapes()
                .evaluate(
                    Map.of(installation.scrapes().count(), List.of(Fault.SWEEP_STUCK.alert()))))
        .isEmpty();
  }

  /** Members act until the next scrape; what a fault refuses, they will send again. */
  private void pass(Fault fault, boolean injected) throws Exception {
    if (fault == Fault.LATE_EVENTS && injected) {
      Instant late = world.now().minus(Duration.ofDays(3));
      take(Stream.generate(() -> Fact.by("bob").at(late).to(board)).limit(20).toList());
    }
    take(Fact.by("ann").at(world.now()).to(board));
    installation.tick();
  }

  private void take(Fact fact) {
    take(List.of(fact));
  }

  private void take(List<Fact> facts) {
    try {
      installation
          .writer()
          .get(Intake.class)
          .take(facts.stream().map(Fact::event).toList(), World.ANYBODY);
    } catch (RuntimeException e) {
      // The fault, which the alerts are about.
    }
  }

  private static Rules rules() {
    return Rules.day().with("clock: event").with(REWARD);
  }

  private void prepare(Fault fault) throws Exception {
    switch (fault) {
      case BUDGET_EXCEEDED ->
          board =
              world.edit(board, rules().with("payout: { budget: { credits: { period: 80 } } }"));
      case HELD_PAST_A_TIME ->
          board = world.edit(board, rules().with("payout: { approval: required }"));
      default -> {}
    }
    Period day = world.open(board);
    take(Fact.by("ann").at(world.now()).to(board));
    switch (fault) {
      case VERIFICATION_DIFFERS -> {
        world.settle(day);
        world.now(ALMOST_NIGHT);
      }
      case HELD_PAST_A_TIME -> {
        world.close(day);
        world.pass(Duration.ofHours(24).minus(Installation.INTERVAL.multipliedBy(TICKS_BEFORE)));
      }
      default -> world.now(ALMOST_DUE);
    }
  }

  private void inject(Fault fault) throws Exception {
    switch (fault) {
      case SCHEDULER_DEAD -> installation.kill(installation.scheduler());
      case ONE_BOARD_FAILING -> writeToTheLiveBoard();
      case HELD_PAST_A_TIME, BUDGET_EXCEEDED, LATE_EVENTS -> {
        // Time passes, or members act.
      }
      case REDIS_GONE -> installation.redis().cut();
      case POSTGRESQL_GONE -> installation.postgres().cut();
      case WEBHOOK_FAILING -> {
        answer = 500;
        world.settle(world.period(board, DAY));
      }
      case VERIFICATION_DIFFERS ->
          servers.unguarded(() -> servers.sql("update payment set amount = amount + 1"));
      case JOURNAL_BACKLOG -> {
        installation.writer().mayHang(true, "journal drainer");
        installation.scheduler().mayHang(true, "journal drainer");
        lock("event in share mode");
      }
      case CLOCK_OFF_BY_AN_HOUR ->
          installation.scheduler().clockError(Duration.ofHours(1).toMillis());
      case DISK_FULL -> fillTheDisk();
      case LEASE_OF_A_DEAD_NODE -> closeAndDie(world.period(board, DAY));
      case SWEEP_STUCK -> {
        installation.scheduler().mayHang(true, "sweep");
        lock("run in exclusive mode");
      }
    }
  }

  /** Another program writes to the sorted set, so that board and journal differ. */
  private void writeToTheLiveBoard() {
    byte[] lines = LiveKeys.of(world.period(board, DAY)).lines();
    servers.redis(redis -> redis.zSetCommands().zAdd(lines, 1e6, "mallory".getBytes()));
  }

  /** A session that somebody forgot holds a lock. */
  private void lock(String table) throws SQLException {
    Connection session = database.getConnection();
    session.setAutoCommit(false);
    try (var statement = session.createStatement()) {
      statement.execute("lock table " + table);
    }
    repairs.add(
        () -> {
          session.rollback();
          session.close();
        });
  }

  /**
   * PostgreSQL answers as it does if its disk is full: it refuses what adds rows. A heartbeat
   * updates a row in place, and succeeds.
   */
  private void fillTheDisk() {
    servers.sql(
        """
        create function disk_is_full() returns trigger language plpgsql as $$
        begin
          raise 'could not extend file: No space left on device' using errcode = 'disk_full';
        end $$
        """);
    repairs.add(() -> servers.sql("drop function disk_is_full() cascade"));
    servers.sql(
        """
        do $$
        declare
          name text;
        begin
          for name in
            select tablename from pg_tables
            where schemaname = current_schema()
              and tablename not like 'flyway%'
              and tablename <> 'node'
          loop
            execute format(
              'create trigger disk_is_full before insert on %I
               for each statement execute function disk_is_full()', name);
          end loop;
        end $$
        """);
  }

  /** As a process leaves a period that was killed while it closed it. */
  private void closeAndDie(Period day) {
    world.now(Objects.requireNonNull(day.closesAt()));
    Lease lease = installation.scheduler().get(Leases.class).take(day.id(), "dead:1").orElseThrow();
    servers.sql(
        """
        insert into run (period_id, fence, node, cause, started_at)
        values (?, ?, 'dead:1', 'schedule', ?::timestamptz)
        """,
        day.id().value(),
        lease.fence(),
        world.now().toString());
  }

  @Test
  void everyMetricIsInTheDocumentation() throws Exception {
    Set<String> documented =
        Pattern.compile("(?m)^\\| `(palmares_\\w+)` \\|")
            .matcher(Files.readString(Path.of("src", "docs", "monitoring.md")))
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> scraped =
        namesOfBusyServers().stream()
            .filter(name -> name.startsWith("palmares_"))
            .map(name -> name.replaceFirst("_seconds_(count|sum|max|bucket)$", "_seconds"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(documented).isEqualTo(scraped);
  }

  @Test
  void theDashboardQueriesMetricsThatExist() throws Exception {
    Set<String> scraped = namesOfBusyServers();
    JsonNode dashboard =
        JsonMapper.shared()
            .readTree(Files.readString(Path.of("src", "deploy", "grafana", "palmares.json")));
    List<String> queries = dashboard.findValuesAsString("expr");
    assertThat(queries).hasSizeGreaterThan(30);
    assertThat(Scrapes.check(queries)).as("syntax").isEmpty();
    for (String query : queries) {
      List<String> used =
          Pattern.compile("\\b([a-z]+_[a-z_]+|ALERTS)\\b(?=[{\\[) ]|$)")
              .matcher(query.replaceAll("\\{[^}]*}", "{}").replaceAll("(by|on) \\([^)]*\\)", ""))
              .results()
              .map(found -> found.group(1))
              .filter(name -> !FUNCTIONS.contains(name))
              .toList();
      assertThat(used).as(query).isNotEmpty();
      assertThat(scraped).as(query).containsAll(used);
    }
  }

  /** What is scraped of servers that have done everything once, and run a loop. */
  private Set<String> namesOfBusyServers() throws Exception {
    if (namesOfBusyServers.isEmpty()) {
      namesOfBusyServers = scrapedOfBusyServers();
    }
    return namesOfBusyServers;
  }

  private Set<String> scrapedOfBusyServers() throws Exception {
    prepare(Fault.BUDGET_EXCEEDED);
    for (int i = 0; i < 2 * TICKS_BEFORE; i++) {
      pass(Fault.WEBHOOK_FAILING, true);
    }
    board = world.board(rules());
    take(Fact.by("ann").at(world.now()).to(board));
    world.settle(world.open(board));
    installation.writer().startLoop("relayer");
    installation.tick();
    installation.writer().stopLoop("relayer");
    closeAndDie(world.open(board));
    servers.sql(
        """
        insert into step_progress (
          run_id, n, step, slice, unit, started_at, done, total, counted_at)
        select id, 0, 'fill', '', 'members', started_at, 1, 2, started_at + interval '1 second'
        from run
        where node = 'dead:1'
        """);
    installation.tick();
    var names = new TreeSet<>(installation.scrapes().names());
    names.add("ALERTS"); // of Prometheus
    return names;
  }
}
