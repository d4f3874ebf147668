package palmares.bench.write;

import java.io.IOException;
import java.util.Optional;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import palmares.bench.write.WriteBench.Plan;
import palmares.period.Population;
import palmares.rules.calendar.Slot;

/**
 * The floor of batches: the same number of clients pipeline a bare ZINCRBY for each event. Only the
 * members' points are stored, without ids, times or journal.
 */
final class BareIncrements implements Way {
  private final LoadProcess loader;
  private final Plan plan;
  private final RedissonClient redisson;
  private int events;

  BareIncrements(LoadProcess loader, Plan plan, RedissonClient redisson) {
    this.loader = loader;
    this.plan = plan;
    this.redisson = redisson;
  }

  @Override
  public SendResult write(Slot day, long first, int events) throws IOException {
    this.events = events;
    return loader.send(
        new Volley(
            Volley.To.REDIS, key(day), plan.clients(), plan.source(), first, events, plan.batch()));
  }

  @Override
  public Optional<Population> collect(Slot day) {
    RScoredSortedSet<String> lines = redisson.getScoredSortedSet(key(day), StringCodec.INSTANCE);
    double points = lines.entryRange(0, -1).stream().mapToDouble(line -> line.getScore()).sum();
    var held = new Population(lines.size(), Math.round(points), events);
    redisson.getKeys().unlink(key(day));
    return Optional.of(held);
  }

  private static String key(Slot day) {
    return "bare:{" + day.name() + "}";
  }
}
