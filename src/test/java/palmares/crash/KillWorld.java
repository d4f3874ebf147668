package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.embedded.EmbeddedServers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * PostgreSQL and Redis that nobody kills, a server that is, and clients that send again what was
 * not answered. One day after the other is played; each ends as if nothing had died meanwhile.
 */
final class KillWorld implements AutoCloseable {
  private static final LocalDate FIRST_DAY = LocalDate.parse("2026-11-20");
  private static final String STREAM = "facts";

  /** In which the leases of a dead process end. */
  private static final Duration LEASES_END = Duration.ofSeconds(60);

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  static final int SCHEDULERS = 3;

  /** In which others take over what one of several schedulers did. */
  private static final Duration AWAY = Duration.ofSeconds(4);

  private static final long TEND_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /** No client sees it before: money of a period that is not settled. */
  private static final String TOO_EARLY =
      """
      select count(*) from transfer
      join period on period.board = transfer.board and period.name = transfer.period
      where period.state not in ('settled', 'expired') or transfer.revision > period.revision
      """;

  private final @Nullable FaultyStores stores;
  private final EmbeddedServers servers;
  private final JdbcClient jdbc;
  private final RedisClient redisClient;
  private final StatefulRedisConnection<String, String> redis;
  private final List<Victim> victims = new ArrayList<>();
  private final boolean othersGoOn;
  private final Map<Victim, Long> awaySince = new HashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();
  private final Map<String, String> keys = new HashMap<>();

  private LocalDate day = FIRST_DAY;
  private Instant set = noon(FIRST_DAY);
  private long setAtNanos = System.nanoTime();
  private final Deque<String> nextArms = new ArrayDeque<>();
  private int lead;
  private int deaths;
  private int requests;
  private long acknowledged;

  /** How outcomes are filled. */
  enum Filling {
    /** In tables that all outcomes share, by one transaction. */
    SHARED(5_000, 1),
    /** In tables of their own, by several transactions. */
    OWN(5, 1),
    /** In tables of their own, in two slices side by side. */
    SLICED(5, 2);

    private final Map<String, String> settings;

    Filling(int ownTablesFrom, int slices) {
      settings =
          Map.of(
              "PALMARES_HISTORY_OWN_TABLES_FROM", "" + ownTablesFrom,
              "PALMARES_CLOSING_SLICES", "" + slices,
              "PALMARES_CLOSING_SLICE_MEMBERS", "4");
    }
  }

  /** What a client has read of the stream before Redis went back. */
  private final List<StreamMessage<String, String>> consumed = new ArrayList<>();

  /** Of the day that is played; it changes only while Redis does not go back. */
  private final Object intake = new Object();

  private Contests today = new Contests(new Random(0), "", "");
  private boolean isIntakeOver;
  private boolean hasGoneBack;
  private boolean isRepairing;
  private volatile boolean isStruck;
  private long tendedNanos;

  /**
   * @param count how many servers there are; the first is the one that points are about
   */
  KillWorld(Path folder, int count, Filling filling) throws IOException {
    this(folder, count, filling.settings, false, null);
  }

  /** With three schedulers, of which the others go on for a time while one is dead or hangs. */
  static KillWorld ofSchedulers(Path folder) throws IOException {
    return new KillWorld(folder, SCHEDULERS, Filling.SLICED.settings, true, null);
  }

  /**
   * With one server that lives on while its stores fail.
   *
   * @param hasSmallDisks whether each store has an own disk
   */
  static KillWorld ofStores(Path folder, boolean hasSmallDisks) throws IOException {
    Map<String, String> impatient =
        Map.of(
            "PALMARES_HISTORY_OWN_TABLES_FROM", "5",
            "SPRING_DATASOURCE_HIKARI_CONNECTIONTIMEOUT", "500",
            "SPRING_DATASOURCE_HIKARI_VALIDATIONTIMEOUT", "250",
            "PALMARES_LIVE_ANSWER_TIMEOUT", "1s",
            "PALMARES_LOOPS_ANSWER_TIMEOUT", "2s",
            "PALMARES_HTTP_ANSWER_TIMEOUT", "2s");
    Path data = folder.resolve("data");
    return new KillWorld(folder, 1, impatient, false, FaultyStores.start(data, hasSmallDisks));
  }

  private KillWorld(
      Path folder,
      int count,
      Map<String, String> more,
      boolean othersGoOn,
      @Nullable FaultyStores stores)
      throws IOException {
    this.othersGoOn = othersGoOn;
    this.stores = stores;
    Path jobs = Files.createDirectories(folder.resolve("jobs"));
    for (String board : Contests.BOARDS) {
      Files.writeString(jobs.resolve(board + ".yml"), Contests.rules(board));
    }
    Files.writeString(jobs.resolve(Contests.INVITES + ".yml"), Contests.INVITE_RULES);
    servers =
        stores == null ? EmbeddedServers.own(folder.resolve("data"), "tests") : stores.servers();
    jdbc = JdbcClient.create(database(servers));
    redisClient =
        RedisClient.create(
            RedisURI.builder()
                .withHost(servers.redisHost())
                .withPort(servers.redisPort())
                .withPassword(servers.password().toCharArray())
                .build());
    redis = redisClient.connect();
    var settings = new HashMap<String, String>(more);
    settings.putAll(
        Map.ofEntries(
            Map.entry("PALMARES_INFRA", "external"),
            Map.entry("SPRING_DATASOURCE_URL", servers.jdbcUrl()),
            Map.entry("SPRING_DATASOURCE_USERNAME", servers.user()),
            Map.entry("SPRING_DATASOURCE_PASSWORD", servers.password()),
            Map.entry("SPRING_DATA_REDIS_HOST", servers.redisHost()),
            Map.entry("SPRING_DATA_REDIS_PORT", "" + servers.redisPort()),
            Map.entry("SPRING_DATA_REDIS_PASSWORD", servers.password()),
            Map.entry("MANAGEMENT_SERVER_PORT", "0"),
            Map.entry("PALMARES_ARCHIVE_FOLDER", folder.resolve("archive").toString()),
            Map.entry("PALMARES_ANCHORS_FOLDER", folder.resolve("anchors").toString()),
            Map.entry("PALMARES_OUTBOX_STREAM_KEY", STREAM),
            Map.entry("PALMARES_JOURNAL_KEEP_EVENTS", "0"),
            Map.entry("PALMARES_JOURNAL_KEEP_FOR", "1s")));
    if (stores != null) {
      settings.putAll(stores.addresses());
      Files.writeString(jobs.resolve(Crowd.BOARD + ".yml"), Crowd.RULES);
    }
    for (int i = 0; i < count; i++) {
      settings.put("PALMARES_NODE", "server " + i);
      victims.add(
          new Victim(
              folder.resolve("server-%d.log".formatted(i)),
              Map.copyOf(settings),
              List.of("server", "--port", "0", "--jobs", jobs.toString())));
    }
  }

  private static DataSource database(EmbeddedServers servers) {
    var database = new PGSimpleDataSource();
    database.setUrl(servers.jdbcUrl());
    database.setUser(servers.user());
    database.setPassword(servers.password());
    database.setCurrentSchema("palmares");
    return database;
  }

  /** Begins again with empty servers, so that the migration can be killed. */
  void empty() {
    victims.forEach(Victim::forget);
    jdbc.sql("drop schema if exists palmares cascade").update();
    redis.sync().flushall();
    keys.clear();
    day = FIRST_DAY;
    set(noon(day));
  }

  private static Instant noon(LocalDate day) {
    return day.atTime(12, 0).toInstant(ZoneOffset.UTC);
  }

  /** How often the server has died. */
  int deaths() {
    return deaths;
  }

  /** How many events were acknowledged. */
  long acknowledged() {
    return acknowledged;
  }

  /** Chooses the points at which the server dies after its next starts, one after each. */
  void armNextStarts(List<String> arms) {
    nextArms.clear();
    nextArms.addAll(arms);
  }

  /** Chooses the server that points are about, which of several has the work to do. */
  void lead(int number) {
    lead = number;
  }

  /** Chooses the point at which the running server dies, or is stopped; empty for none. */
  void arm(String arm) {
    ask(victims.get(lead), "arm\t" + arm);
  }

  /** Kills a server at this moment. */
  void kill(int number) {
    victims.get(number).kill();
  }

  /** How often the server has passed each point since its start, in the order of the first time. */
  Map<String, Long> points() {
    String[] words = ask(victims.get(lead), "points").split("\t");
    var points = new LinkedHashMap<String, Long>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      points.put(words[i], Long.parseLong(words[i + 1]));
    }
    return points;
  }

  /** Starts the servers that are dead, or were not started yet. */
  void revive() {
    victims.forEach(this::revive);
  }

  /** As {@link #revive()}, and waits for those that others stand in for. */
  void reviveAll() {
    for (revive(); !awaySince.isEmpty(); revive()) {
      pause();
    }
  }

  private void revive(Victim victim) {
    if (othersGoOn && victim.wasStarted()) {
      watch(victim);
    } else {
      start(victim);
    }
  }

  /** Lets others take over for a time what a server did that is dead or hangs. */
  private void watch(Victim victim) {
    try {
      boolean isStopped = victim.isStopped();
      if (!isStopped && !victim.isDead()) {
        return;
      }
      Long since = awaySince.putIfAbsent(victim, System.nanoTime());
      if (since == null) {
        deaths++;
        set(now().plus(LEASES_END));
        tellOthers(victim);
      } else if (System.nanoTime() - since > AWAY.toNanos()) {
        if (isStopped) {
          victim.resume();
        } else {
          victim.start(now(), "");
        }
        awaySince.remove(victim);
        ask(victim, "at\t" + now());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void tellOthers(Victim victim) {
    for (Victim other : victims) {
      if (!other.equals(victim) && !awaySince.containsKey(other)) {
        ask(other, "at\t" + now());
      }
    }
  }

  private void start(Victim victim) {
    try {
      boolean first = !victim.wasStarted();
      while (first || victim.isDead()) {
        deaths += first ? 0 : 1;
        first = false;
        set(now().plus(LEASES_END));
        String arm = nextArms.isEmpty() ? "" : nextArms.remove();
        if (victim.start(set, arm) && keys.isEmpty()) {
          keys.put("ann", victim.ask("key\tann"));
          keys.put("bob", victim.ask("key\tbob"));
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String ask(Victim victim, String line) {
    while (true) {
      revive(victim);
      if (!awaySince.containsKey(victim)) {
        try {
          return victim.ask(line);
        } catch (IOException died) {
          // It is started again.
        }
      }
      pause();
    }
  }

  /** The time by the clocks of the servers. */
  private Instant now() {
    return set.plusNanos(System.nanoTime() - setAtNanos);
  }

  private void set(Instant time) {
    set = time;
    setAtNanos = System.nanoTime();
  }

  private void at(Instant time) {
    set(time);
    victims.forEach(victim -> ask(victim, "at\t" + time));
  }

  /** Where others stand in for a server, it alone sees that the day is over, and closes it. */
  private void atEnd() {
    Instant end = day.plusDays(1).atTime(0, 20).toInstant(ZoneOffset.UTC);
    if (othersGoOn) {
      set(end);
      ask(victims.get(lead), "at\t" + end);
    } else {
      at(end);
    }
  }

  /** Plays a day, and compares all that it has come to with the model. */
  void play(Random random) {
    String name = day.toString();
    LocalDate past = day.minusDays(5_000);
    var model = new Contests(random, name, noon(past).toString());
    beginIntake(model);
    at(noon(day));
    for (String board : List.of("fast", "safe")) {
      List<String> events = model.requests(board);
      for (int i = 0; i < events.size(); i += 9) {
        take("/events", events.subList(i, Math.min(i + 9, events.size())));
      }
    }
    importLines(model.requests("old"));
    invite(name);
    until("fast is compared", () -> !watched(name, false).isEmpty());
    endIntake();
    atEnd();
    if (!othersGoOn) { // A batch would be continued by servers that do not see it yet.
      verb("ann", "/ops/tasks", "'verb':'close','all':true");
    }
    for (String board : Contests.BOARDS) {
      String period = board.equals("old") ? past.toString() : name;
      // A period of the past expires soon after.
      until(
          board + " is settled",
          () -> List.of("settled", "expired").contains(state(board, period)));
      compare(model, board, period, 1);
    }
    at(now());
    until("the end of fast is compared", () -> watched(name, true).size() == 1);
    List<String> watched = model.lines("fast").subList(0, Contests.WATCHED);
    amend(model, random, name);
    decideOnInvites(name);
    verb("ann", "/ops/archive", "'all':true,'before':'%s'".formatted(name));
    verb("ann", "/ops/close", ""); // Expires what is over, too.
    until("each fact is delivered", () -> !isUndelivered());
    compareFacts();
    compareWatched(name, watched);
    day = day.plusDays(1);
  }

  private void beginIntake(Contests model) {
    synchronized (intake) {
      today = model;
      isIntakeOver = false;
      hasGoneBack = false;
      isStruck = false;
    }
  }

  /** Of boards that answer before PostgreSQL has an event, senders send all again. */
  private void endIntake() {
    synchronized (intake) {
      isIntakeOver = true;
      if (!hasGoneBack) {
        return;
      }
    }
    for (int time = 0; time < 2; time++) {
      List<String> events = today.requests("fast");
      for (int i = 0; i < events.size(); i += 9) {
        take("/events", events.subList(i, Math.min(i + 9, events.size())));
      }
      importLines(today.requests("old"));
      until("Redis is repaired", () -> isDrained() && faultyPeriods().isEmpty());
    }
  }

  private boolean isDrained() {
    String past = day.minusDays(5_000).toString();
    return Map.of("fast", day.toString(), "old", past).entrySet().stream()
        .allMatch(
            period ->
                number(
                        """
                        select count(*)::text from event join period on period.id = period_id
                        where board = '%s' and name = '%s'
                        """
                            .formatted(period.getKey(), period.getValue()))
                    == today.events(period.getKey()));
  }

  private List<String> faultyPeriods() {
    return words(
        """
        select '/ops/boards/' || board || '/periods/' || name
        from journal_fault join period on period.id = period_id
        """);
  }

  /**
   * Sets Redis back while the server is stopped. Clients send again what it has forgotten and
   * PostgreSQL never had, until the day is over: from then on, nothing may be lost.
   *
   * @return whether it could be done now
   */
  boolean setRedisBack(boolean torn, Random random) throws IOException {
    synchronized (intake) {
      if (stores().sinceMorning() <= 0 || isIntakeOver && !isDrained()) {
        return false;
      }
      consumed.addAll(messages());
      stores().setBack(torn, random);
      hasGoneBack = true;
      return true;
    }
  }

  FaultyStores stores() {
    return Objects.requireNonNull(stores);
  }

  RedisCommands<String, String> redis() {
    return redis.sync();
  }

  /** The one server, which lives on. */
  Victim server() {
    return victims.get(0);
  }

  /** Starts it, and waits until it has ended its first sweep, which needs PostgreSQL. */
  void start() {
    revive();
    until("it is started", () -> tail().contains("/console"));
  }

  /** From now on, leases may be held by work that nobody does any more. */
  void noteFault() {
    isStruck = true;
  }

  /** Lets leases end after a fault, and does what operators do about a Redis that went back. */
  private void tend() {
    if (!isStruck || isRepairing || System.nanoTime() - tendedNanos < TEND_NANOS) {
      return;
    }
    tendedNanos = System.nanoTime();
    at(now().plus(LEASES_END));
    synchronized (intake) {
      if (!hasGoneBack) {
        return;
      }
    }
    isRepairing = true;
    for (String period : faultyPeriods()) {
      tryVerb("ann", period + "/rebuild", "'replace':true");
    }
    isRepairing = false;
  }

  /** All that a client has read of the stream, in order; some of it more than once. */
  private List<StreamMessage<String, String>> messages() {
    var all = new ArrayList<>(consumed);
    all.addAll(patiently(() -> redis.sync().xrange(STREAM, Range.unbounded())));
    return all;
  }

  /** Asks a store until it answers. */
  private <T> T patiently(Supplier<T> asked) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return asked.get();
      } catch (DataAccessException | RedisException e) {
        if (stores == null || System.nanoTime() > deadline) {
          throw e;
        }
        pause();
      }
    }
  }

  /**
   * Plays a day of a board with many members, and starts the server with a small heap before the
   * day is over.
   *
   * @return how often the heap was full since
   */
  int playCrowd(Crowd crowd, String heap) throws IOException {
    String name = day.toString();
    at(noon(day));
    for (List<String> events : crowd.requests(name)) {
      take("/events", events);
    }
    Victim victim = server();
    victim.kill();
    victim.limitHeap(heap);
    set(now().plus(LEASES_END));
    assertThat(victim.start(now(), "")).as("could not inject: it starts with %s", heap).isTrue();
    int before = victim.exhaustions();
    atEnd();
    until("the crowd is settled", () -> state(Crowd.BOARD, name).equals("settled"));
    assertThat(
            words(
                """
                select concat_ws(' ', count(*), sum(points), min(member) filter (where place = 1))
                from standing join period on period.id = period_id
                where board = ? and name = ? and standing.revision = 1
                """,
                Crowd.BOARD,
                name))
        .containsExactly(crowd.lines());
    assertThat(
            words(
                """
                select concat_ws(' ', count(*), sum(amount)) from (
                  select account, sum(amount) as amount from entry
                  where board = ? and period = ? and kind = 'member'
                  group by account) as balance
                """,
                Crowd.BOARD,
                name))
        .containsExactly(crowd.balances());
    assertThat(words(TOO_EARLY.replace("count(*)", "count(*)::text"))).containsExactly("0");
    victim.isDead(); // Notes why, if it has ended just now.
    day = day.plusDays(1);
    return victim.exhaustions() - before;
  }

  /** Ada invites bea, who invites cem; dan invites two. */
  private void invite(String name) {
    String bea = register(name + "-bea", register(name + "-ada", ""));
    register(name + "-cem", bea);
    String dan = register(name + "-dan", "");
    register(name + "-eva", dan);
    register(name + "-flo", dan);
  }

  /** Registers a member, and returns its invite code. */
  private String register(String member, String inviteCode) {
    String body =
        "{'externalId':'%1$s','nickname':'%1$s','member':'%1$s'%2$s}"
            .formatted(member, inviteCode.isEmpty() ? "" : ",'inviteCode':'" + inviteCode + "'");
    String code =
        post("ann", "/members", "application/json", body.replace('\'', '"'))
            .path("inviteCode")
            .asString();
    assertThat(code).isNotEmpty();
    return code;
  }

  private void decideOnInvites(String name) {
    until("invites are settled", () -> state(Contests.INVITES, name).equals("settled"));
    assertThat(invitePayments(name)).containsExactly(name + "-dan 20");
    String period = "/ops/boards/%s/periods/%s".formatted(Contests.INVITES, name);
    verb("ann", period + "/withheld/release", "'members':['%s-ada']".formatted(name));
    verb("ann", period + "/withheld/refuse", "'members':['%s-bea']".formatted(name));
    amend(period, "");
    assertThat(invitePayments(name)).containsExactly(name + "-ada 10", name + "-dan 20");
  }

  private List<String> invitePayments(String name) {
    return words(
        """
        select account || ' ' || sum(amount) from entry
        where board = ? and period = ? and kind = 'member'
        group by account order by account collate "C"
        """,
        Contests.INVITES,
        name);
  }

  /** The comparisons of the day's board: one, or none yet. One of the past has no end. */
  private List<String> watched(String name, boolean isOver) {
    return words(
        """
        select period_id::text from watched_period join period on period.id = period_id
        where board = 'fast' and name = ? and (is_over or not ?)
        """,
        name,
        isOver);
  }

  /** A receiver that applies each fact once has the first places, and no move came twice. */
  private void compareWatched(String name, List<String> lines) {
    var ids = new HashSet<String>();
    var known = new TreeSet<String>();
    for (var message : messages()) {
      JsonNode fact = json.readTree(message.getBody().get("fact"));
      String type = fact.path("type").asString();
      if (fact.path("period").asString().equals(name) && ids.add(fact.path("id").asString())) {
        String member = fact.at("/data/member").asString();
        if (type.equals("rank.entered")) {
          assertThat(known.add(member)).as("%s enters", fact).isTrue();
        } else if (type.equals("rank.left")) {
          assertThat(known.remove(member)).as("%s leaves", fact).isTrue();
        }
      }
    }
    assertThat(known)
        .as("watched places of fast %s", name)
        .containsExactlyInAnyOrderElementsOf(
            lines.stream().map(line -> line.split(" ")[1]).toList());
  }

  private void importLines(List<String> events) {
    while (true) {
      String id = post("ann", "/imports?sources=past", "", "").path("id").asString();
      int before = deaths;
      take("/imports/" + id + "/lines", events);
      post("ann", "/imports/" + id + "/end", "", "");
      if (before == deaths) {
        return;
      }
    }
  }

  private void amend(Contests model, Random random, String name) {
    String member = "m" + random.nextInt(12);
    long corrected = random.nextBoolean() ? 1_000 + random.nextInt(9) : random.nextInt(9);
    model.correct("fast", member, corrected);
    String period = "/ops/boards/fast/periods/" + name;
    amend(period, "'points':{'%s':%d}".formatted(member, corrected));
    compare(model, "fast", name, 2);
  }

  private void amend(String period, String fields) {
    JsonNode held = verb("ann", period + "/amend", fields);
    String expect = held.at("/next/0/fields/expect").asString();
    verb("bob", period + "/approve", "'revision':2,'expect':'%s'".formatted(expect));
  }

  private void compare(Contests model, String board, String period, int revision) {
    assertThat(
            words(
                """
                select place || ' ' || member || ' ' || points from standing
                join period on period.id = period_id
                where board = ? and name = ? and standing.revision = ?
                order by place
                """,
                board,
                period,
                revision))
        .as("lines of %s %s", board, period)
        .isEqualTo(model.lines(board));
    assertThat(
            words(
                """
                select account || ' ' || sum(amount) from entry
                where board = ? and period = ? and kind = 'member'
                group by account having sum(amount) <> 0 order by account collate "C"
                """,
                board,
                period))
        .as("balances of %s %s", board, period)
        .isEqualTo(model.balances(board));
    assertThat(
            words(
                """
                select count(*)::text from event join period on period.id = period_id
                where board = ? and name = ?
                """,
                board,
                period))
        .as("events of %s %s", board, period)
        .containsExactly("" + model.events(board));
    assertThat(words(TOO_EARLY.replace("count(*)", "count(*)::text"))).containsExactly("0");
  }

  /** Each is delivered, perhaps more than once, but always with the same content. */
  private void compareFacts() {
    List<String> due =
        words(
            """
            select type || ':' || subject from fact
            where type in ('period.sealed', 'period.settled', 'period.amended')
              and n <= (select min(fact) from outbox_target)
            """);
    Map<String, List<String>> delivered =
        messages().stream()
            .map(message -> message.getBody())
            .collect(
                Collectors.groupingBy(
                    body -> String.valueOf(body.get("id")),
                    Collectors.mapping(
                        body -> String.valueOf(body.get("fact")), Collectors.toList())));
    assertThat(delivered.keySet()).as("delivered facts").containsAll(due);
    delivered.forEach((id, facts) -> assertThat(facts.stream().distinct()).as(id).hasSize(1));
    assertThat(
            words(
                """
                select board || ' ' || name from period
                where state in ('settled', 'expired') and not exists (
                  select from fact
                  where type = 'period.settled' and fact.board = period.board
                    and fact.period = period.name)
                """))
        .as("settled periods without a fact")
        .isEmpty();
  }

  private boolean isUndelivered() {
    return !words(
            """
            select 'x' from fact where n is null
            union all
            select 'x' from outbox_target where fact < (select max(n) from fact)
            """)
        .isEmpty();
  }

  private String state(String board, String period) {
    List<String> state =
        words("select state::text from period where board = ? and name = ?", board, period);
    return state.isEmpty() ? "" : state.get(0);
  }

  private List<String> words(String sql, Object... parameters) {
    return patiently(() -> jdbc.sql(sql).params(parameters).query(String.class).list());
  }

  /** The nightly verification of everything, on demand. */
  void verify() {
    JsonNode verified = verb("ann", "/ops/verify", "");
    assertThat(verified.path("state").asString()).as(verified.toString()).isEqualTo("done");
  }

  /** Sends events until each is acknowledged; none may be refused. */
  private void take(String path, List<String> events) {
    boolean isImport = path.startsWith("/imports");
    JsonNode answer =
        post(
            "ann",
            path,
            isImport ? "application/x-ndjson" : "application/json",
            isImport ? String.join("\n", events) : "[" + String.join(",", events) + "]");
    if (isImport) {
      assertThat(answer.path("notTaken")).as(answer.toString()).isEmpty();
    } else {
      assertThat(answer.valueStream().map(each -> each.path("outcome").asString()))
          .as(answer.toString())
          .isSubsetOf("applied", "duplicate", "accepted", "undone");
    }
    acknowledged += events.size();
  }

  /** Calls a verb, once for a key, and follows it to its end. */
  private JsonNode verb(String person, String path, String fields) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    JsonNode task = tryVerb(person, path, fields);
    while (isGivenUp(task) && System.nanoTime() < deadline) {
      pause();
      tend();
      task = tryVerb(person, path, fields);
    }
    assertThat(task.path("state").asString()).as("%s: %s", path, task).isIn("done", "held");
    return task;
  }

  /**
   * Whether the server that did it went away, or another one or a verification had a period just
   * then, so that callers send it again.
   */
  private boolean isGivenUp(JsonNode task) {
    String state = task.path("state").asString();
    return state.equals("abandoned")
        || state.equals("failed")
            && (othersGoOn
                || stores != null
                || task.findValuesAsString("code").contains("period.busy"));
  }

  private JsonNode tryVerb(String person, String path, String fields) {
    String body = "{'reason':'a campaign'%s}".formatted(fields.isEmpty() ? "" : "," + fields);
    JsonNode task = post(person, path, "application/json", body.replace('\'', '"'));
    while (task.path("state").asString().equals("running")) {
      task = get(person, "/ops/tasks/" + task.path("id").asLong() + "?wait=5");
    }
    return task;
  }

  private JsonNode get(String person, String path) {
    return send(person, path, request -> request.GET());
  }

  private JsonNode post(String person, String path, String type, String body) {
    String key = "key-" + day + "-" + ++requests;
    return send(
        person,
        path,
        request ->
            request
                .header("Content-Type", type.isEmpty() ? "application/json" : type)
                .header("Idempotency-Key", key)
                .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }

  private interface Completed {
    HttpRequest.Builder by(HttpRequest.Builder request);
  }

  private JsonNode send(String person, String path, Completed completed) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    @Nullable String last = null;
    while (System.nanoTime() < deadline) {
      revive();
      Victim victim = serving();
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + victim.port() + "/api/v1" + path))
              .timeout(Duration.ofSeconds(30))
              .header("Authorization", "Bearer " + keys.get(person));
      try {
        HttpResponse<String> answer = answer(victim, completed.by(request).build());
        if (answer.statusCode() < 300) {
          return answer.body().isEmpty() ? json.createObjectNode() : json.readTree(answer.body());
        }
        last = answer.statusCode() + " " + answer.body();
        if (answer.statusCode() != 503 && answer.statusCode() != 409) {
          throw new AssertionError(path + ": " + last);
        }
      } catch (IOException died) {
        last = died.toString();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
      pause();
      tend();
    }
    throw new AssertionError(path + " is not answered: " + last);
  }

  /** One after the other; of those that stand in for each other, the lead if it can. */
  private Victim serving() {
    for (int i = 0; othersGoOn && i < victims.size(); i++) {
      Victim victim = victims.get((lead + i) % victims.size());
      if (!awaySince.containsKey(victim)) {
        return victim;
      }
    }
    return victims.get(requests % victims.size());
  }

  /** Gives up when the server dies or hangs, so that another one is asked. */
  private HttpResponse<String> answer(Victim victim, HttpRequest request)
      throws IOException, InterruptedException {
    if (!othersGoOn) {
      return http.send(request, BodyHandlers.ofString());
    }
    CompletableFuture<HttpResponse<String>> sent = http.sendAsync(request, BodyHandlers.ofString());
    while (!sent.isDone()) {
      watch(victim);
      if (awaySince.containsKey(victim)) {
        sent.cancel(true);
        throw new IOException("the server is away");
      }
      pause();
    }
    try {
      return sent.join();
    } catch (CompletionException e) {
      throw new IOException(e.getCause());
    }
  }

  /** Who closed how many periods, and who took over from whom, a line each. */
  List<String> shares() {
    var shares =
        new ArrayList<>(
            words(
                """
                select node || ': ' || string_agg(outcome || ' ' || n, ', ' order by outcome)
                from (select node, outcome, count(*) as n from run group by node, outcome) counted
                group by node order by node
                """));
    shares.addAll(
        words(
            """
            select former.node || ' -> ' || run.node || ': ' || count(*)
            from run
            join run former on former.period_id = run.period_id and former.id < run.id
            where run.outcome = 'settled' and former.outcome = 'abandoned'
            group by former.node, run.node order by 1
            """));
    return shares;
  }

  private void until(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean()) {
      revive();
      if (System.nanoTime() > deadline) {
        throw new AssertionError("never: " + what + "; " + tail());
      }
      pause();
      tend();
    }
  }

  private double number(String sql) {
    return Double.parseDouble(words(sql).get(0));
  }

  String tail() {
    try {
      return victims.get(lead).tail();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
  }

  @Override
  public void close() throws IOException {
    for (Victim victim : victims) {
      victim.close();
    }
    redisClient.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    if (stores == null) {
      servers.close();
    } else {
      stores.close();
    }
  }
}
