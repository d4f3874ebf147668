package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.KeyValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.exclusion.ExclusionLists;
import palmares.period.exclusion.ExclusionLists.InForce;
import palmares.period.exclusion.ExclusionLists.Listed;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;

/**
 * Tells live boards who is excluded, as PostgreSQL has it. A board knows which list it has: one
 * that was lost, or went back, or that a command did not come to tell is told again.
 */
@Component
public class LiveExclusions {
  private static final byte[] STATE = "state".getBytes(UTF_8);
  private static final byte[] LIST = "exclusions".getBytes(UTF_8);

  /** What a board begins with: nobody was ever excluded. */
  private static final byte[] NONE = "0".getBytes(UTF_8);

  /** A script is told so many at a time, so that it holds up nobody. */
  private static final int PART = 500;

  private final RedisClient redis;
  private final ExclusionLists lists;
  private final Periods periods;

  LiveExclusions(RedisClient redis, ExclusionLists lists, Periods periods) {
    this.redis = redis;
    this.lists = lists;
    this.periods = periods;
  }

  /**
   * Tells every live board that is not ranked yet, and does not know the present list.
   *
   * @return the periods of those that were told
   */
  public List<Period> tellAll() {
    List<Listed> unranked = lists.unranked();
    List<List<KeyValue<byte[], byte[]>>> known =
        redis.each(
            unranked,
            (commands, listed) ->
                commands.hmget(new LiveKeys(listed.board(), listed.period()).meta(), STATE, LIST));
    var told = new ArrayList<Period>();
    for (int i = 0; i < unranked.size(); i++) {
      boolean there = known.get(i).get(0).hasValue();
      String list = LiveBoards.text(known.get(i).get(1).getValueOrElse(NONE));
      if (there && !list.equals(Long.toString(unranked.get(i).number()))) {
        Period period = periods.get(unranked.get(i).id());
        tell(period);
        told.add(period);
      }
    }
    return told;
  }

  /** Tells the period's live board, if it is there, the present list. */
  void tell(Period period) {
    InForce list = lists.inForce(period);
    Map<String, String> changes = changes(period, list);
    if (list.number() == 0 && changes.isEmpty()) {
      return; // Nobody was ever excluded, as a new board takes for granted.
    }
    var left = new ArrayList<String>();
    changes.forEach(
        (member, level) -> {
          left.add(member);
          left.add(level);
        });
    for (int from = 0; from == 0 || from < left.size(); from += 2 * PART) {
      int to = Math.min(from + 2 * PART, left.size());
      var arguments = new ArrayList<String>();
      arguments.add(Long.toString(list.number()));
      arguments.add(to < left.size() ? "~" : "");
      arguments.addAll(left.subList(from, to));
      redis.run(LiveScripts.EXCLUDE, call(period, arguments));
    }
  }

  /** By member what it is excluded to from now on; empty where it is not any more. */
  private Map<String, String> changes(Period period, InForce list) {
    var changes = new HashMap<String, String>();
    redis
        .command(commands -> commands.hgetall(LiveBoards.keys(period).excluded()))
        .forEach((member, level) -> changes.put(LiveBoards.text(member), LiveBoards.text(level)));
    Map<String, String> known = Map.copyOf(changes);
    changes.replaceAll((member, level) -> "");
    list.levels()
        .forEach(
            (member, level) -> {
              if (!level.isRanked()) {
                changes.put(member.value(), level.word());
              }
            });
    changes.entrySet().removeIf(e -> Objects.equals(known.get(e.getKey()), e.getValue()));
    return changes;
  }

  private static ScriptCall call(Period period, List<String> arguments) {
    LiveKeys keys = LiveBoards.keys(period);
    return new ScriptCall(
        new byte[][] {
          keys.meta(),
          keys.lines(),
          keys.levels(),
          keys.holders(),
          keys.places(),
          keys.excluded(),
          keys.excludedLines()
        },
        ScriptCall.arguments(arguments.toArray(String[]::new)));
  }
}
