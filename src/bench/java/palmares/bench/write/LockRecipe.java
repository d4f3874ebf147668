package palmares.bench.write;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RLock;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.springframework.http.ResponseEntity;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.bench.write.BenchEndpoints.OutcomeBody;
import palmares.live.board.Event;
import palmares.live.intake.EventReader;
import palmares.live.intake.StrictJson;
import palmares.period.Population;
import palmares.rules.calendar.Slot;
import tools.jackson.databind.json.JsonMapper;

/**
 * The usual way: an endpoint that takes a distributed lock, checks that the event is new, reads the
 * member's points, adds, writes them back and unlocks. The requests and clients are the same as for
 * single events.
 *
 * <p>Most published recipes lock the member, as {@code getLock("PointsLock:" + username)}; that is
 * the usual way here. Some use one lock for all, as {@code getLock("PointsServiceImp")}; that is
 * measured too.
 */
final class LockRecipe implements Way {
  private final RedissonClient redisson;
  private final JsonMapper json;
  private final HttpWay requests;
  private final boolean perMember;
  private volatile @Nullable Slot day;

  /**
   * @param requests sends the events to the endpoint
   * @param perMember whether each member has a lock; else the board has one
   */
  LockRecipe(RedissonClient redisson, JsonMapper json, HttpWay requests, boolean perMember) {
    this.redisson = redisson;
    this.json = json;
    this.requests = requests;
    this.perMember = perMember;
  }

  @Override
  public SendResult write(Slot day, long first, int events) throws IOException {
    this.day = day;
    return requests.write(day, first, events);
  }

  /** Answers a request. */
  @Requires(Role.WRITER)
  ResponseEntity<byte[]> answer(InputStream body) throws IOException {
    Slot today = Objects.requireNonNull(day, "nobody writes at present");
    Event event = EventReader.read(StrictJson.value(body.readAllBytes()));
    long points = add(today, event);
    return OutcomeBody.of(event.id(), today, event.quantity(), points).answer(json);
  }

  /**
   * Adds an event's points.
   *
   * @return the member's points after it
   */
  private long add(Slot day, Event event) {
    String member = event.member().value();
    RLock lock = redisson.getLock(key(day) + ":lock" + (perMember ? ":" + member : ""));
    lock.lock();
    try {
      RScoredSortedSet<String> lines = lines(day);
      boolean isNew = ids(day).add(event.id());
      double held = Objects.requireNonNullElse(lines.getScore(member), 0.0);
      if (!isNew) {
        return Math.round(held);
      }
      lines.add(held + event.quantity(), member);
      return Math.round(held + event.quantity());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Population> collect(Slot day) {
    double points =
        lines(day).entryRange(0, -1).stream().mapToDouble(line -> line.getScore()).sum();
    var held = new Population(lines(day).size(), Math.round(points), ids(day).size());
    redisson.getKeys().unlink(key(day) + ":lines", key(day) + ":ids");
    return Optional.of(held);
  }

  private RScoredSortedSet<String> lines(Slot day) {
    return redisson.getScoredSortedSet(key(day) + ":lines", StringCodec.INSTANCE);
  }

  private RSet<String> ids(Slot day) {
    return redisson.getSet(key(day) + ":ids", StringCodec.INSTANCE);
  }

  private static String key(Slot day) {
    return "usual:{" + day.name() + "}";
  }
}
