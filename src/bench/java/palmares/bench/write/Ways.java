package palmares.bench.write;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.bench.Beans;
import palmares.bench.write.BenchEndpoints.EmptyEndpoint;
import palmares.bench.write.HttpWay.CommittedWay;
import palmares.bench.write.RedisTarget.RedisAddress;
import palmares.bench.write.WriteBench.Plan;
import palmares.bench.write.WriteBench.Server;
import palmares.live.board.ApplyCalls;
import palmares.live.board.LiveBoards;
import palmares.live.journal.Journal;
import palmares.live.relay.Relay;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.Population;
import palmares.period.Transitions;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.Slot;
import tools.jackson.databind.json.JsonMapper;

/** All ways to write, and the clients that they use. */
final class Ways implements AutoCloseable {
  static final String EVENTS = "/api/v1/events";
  private static final String EMPTY = "empty";
  private static final String LOCK = "/bench/lock";
  private static final String BOARD_LOCK = "/bench/board-lock";

  /** More callers share a commit than those of {@link Plan#clients}. */
  private static final int MANY_CLIENTS = 128;

  private final Beans beans;
  private final BoardDays days;
  private final BoardId committed;
  private final Plan plan;
  private final LoadProcess loader;
  private final RedisClient lettuce;
  private final RedissonClient redisson;

  private Ways(
      Beans beans,
      BoardDays days,
      BoardId committed,
      Plan plan,
      RedisAddress redis,
      LoadProcess loader) {
    this.beans = beans;
    this.days = days;
    this.committed = committed;
    this.plan = plan;
    this.loader = loader;
    this.lettuce = RedisClient.create(redis.uri());
    this.redisson = Redisson.create(config(redis));
  }

  static Ways start(
      Beans beans,
      BoardDays days,
      BoardId committed,
      Plan plan,
      List<String> generator,
      Server server)
      throws IOException {
    RedisAddress redis = RedisAddress.of(beans.get(LettuceConnectionFactory.class));
    return new Ways(
        beans, days, committed, plan, redis, LoadProcess.start(generator, server, redis));
  }

  private static Config config(RedisAddress redis) {
    var config = new Config();
    config.setCodec(StringCodec.INSTANCE);
    redis.password().ifPresent(config::setPassword);
    config.useSingleServer().setAddress(redis.url()).setDatabase(redis.database());
    return config;
  }

  /** The ways by name, in the order of measurement. */
  Map<String, Way> ways() throws NoSuchMethodException {
    JsonMapper json = beans.get(JsonMapper.class);
    Way lock = new LockRecipe(redisson, json, to(LOCK), true);
    Way boardLock = new LockRecipe(redisson, json, to(BOARD_LOCK), false);
    var endpoints = new BenchEndpoints(beans.get(ServletContext.class));
    endpoints.addToEvents(EMPTY, new EmptyEndpoint(json));
    endpoints.addOpen(
        BenchEndpoints.PATHS, Caller.key("bench", Set.of(Role.WRITER), Set.of(), Set.of()));
    endpoints.add(LOCK, lock);
    endpoints.add(BOARD_LOCK, boardLock);
    var ways = new LinkedHashMap<String, Way>();
    ways.put("empty", to(EVENTS + "?" + EMPTY));
    ways.put("single", http(EVENTS, 1, this::recorded));
    ways.put("single_128", http(EVENTS, MANY_CLIENTS, 1, this::recorded));
    ways.put("open", http(BenchEndpoints.PATHS, 1, this::recorded));
    ways.put("raw", raw(1));
    ways.put("pipelined", raw(plan.batch()));
    ways.put("batch", http(EVENTS, plan.batch(), this::recorded));
    ways.put("committed", committed(plan.clients(), 1));
    ways.put("committed_128", committed(MANY_CLIENTS, 1));
    ways.put("committed_batch", committed(plan.clients(), plan.batch()));
    ways.put("bare", new BareIncrements(loader, plan, redisson));
    ways.put("lock", lock);
    ways.put("board_lock", boardLock);
    return ways;
  }

  /** Sends single events to an endpoint that stores nothing to count. */
  private HttpWay to(String path) {
    return http(path, 1, day -> Optional.empty());
  }

  private HttpWay http(String path, int batch, HttpWay.Outcome outcome) {
    return http(path, plan.clients(), batch, outcome);
  }

  private HttpWay http(String path, int clients, int batch, HttpWay.Outcome outcome) {
    return new HttpWay(loader, path, plan.source(), clients, batch, outcome);
  }

  private Way committed(int clients, int batch) {
    var http =
        new HttpWay(
            loader,
            EVENTS,
            plan.committedSource(),
            clients,
            batch,
            day -> recorded(day, committed));
    return new CommittedWay(http, beans.get(Relay.class), day -> period(day, committed));
  }

  private Way raw(int batch) {
    return new RawScript(
        days,
        beans.get(LiveBoards.class),
        beans.get(ApplyCalls.class),
        lettuce.connect(ByteArrayCodec.INSTANCE),
        plan.source(),
        batch);
  }

  /**
   * Counts a day of the application; PostgreSQL must have all events of Redis. The period is
   * sealed, so that nobody misses its live board.
   */
  private Optional<Population> recorded(Slot day) {
    return recorded(day, days.board().id());
  }

  private Period period(Slot day, BoardId board) {
    return beans.get(Periods.class).find(board, day.name()).orElseThrow();
  }

  private Optional<Population> recorded(Slot day, BoardId board) {
    Period period = period(day, board);
    long drained = beans.get(Journal.class).drain(period);
    Population sealed = beans.get(LiveBoards.class).seal(period).orElseThrow();
    beans
        .get(LeasedWork.class)
        .run(period.id(), (lease, open) -> beans.get(Transitions.class).seal(lease, sealed));
    return days.collect(period).filter(held -> held.events() == drained);
  }

  @Override
  public void close() {
    loader.close();
    lettuce.shutdown();
    redisson.shutdown();
  }
}
