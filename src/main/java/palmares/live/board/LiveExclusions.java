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
import palmares.platform.redis.RedisClient.Answers;
import palmares.platform.redis.ScriptCall;

/**
 * Copies the list of excluded members from PostgreSQL to live boards. A board stores the number of
 * its list, so that a board which lost it, or missed an update, is updated later.
 */
@Component
public class LiveExclusions {
  private static final byte[] STATE = "state".getBytes(UTF_8);
  private static final byte[] LIST = "exclusions".getBytes(UTF_8);

  /** The number of a new board's list. */
  private static final byte[] EMPTY_LIST = "0".getBytes(UTF_8);

  /** The largest number of members of a call, so that it does not block Redis. */
  private static final int MAX_MEMBERS_PER_CALL = 500;

  private final RedisClient redis;
  private final ExclusionLists lists;
  private final Periods periods;

  LiveExclusions(RedisClient redis, ExclusionLists lists, Periods periods) {
    this.redis = redis;
    this.lists = lists;
    this.periods = periods;
  }

  /**
   * Updates every live board that is not ranked yet and does not have the present list.
   *
   * @return the periods of the updated boards
   * @throws palmares.platform.redis.RedisUnavailable if Redis does not reach all; the others are
   *     updated
   */
  public List<Period> updateAll() {
    List<Listed> unranked = lists.unranked();
    Answers<List<KeyValue<byte[], byte[]>>> known =
        redis.reach(
            unranked,
            (commands, listed) ->
                commands.hmget(new LiveKeys(listed.board(), listed.period()).meta(), STATE, LIST));
    var updated = new ArrayList<Period>();
    for (int i = 0; i < unranked.size(); i++) {
      String present = Long.toString(unranked.get(i).number());
      boolean differs =
          known
              .each()
              .get(i)
              .filter(meta -> meta.get(0).hasValue())
              .map(meta -> LiveBoards.text(meta.get(1).getValueOrElse(EMPTY_LIST)))
              .filter(list -> !list.equals(present))
              .isPresent();
      if (differs) {
        Period period = periods.get(unranked.get(i).id());
        update(period);
        updated.add(period);
      }
    }
    known.requireAll();
    return updated;
  }

  /** Copies the present list to the period's live board, if it exists. */
  void update(Period period) {
    InForce list = lists.inForce(period);
    Map<String, String> changes = changes(period, list);
    if (list.number() == 0 && changes.isEmpty()) {
      return; // a new board has this list already
    }
    var pairs = new ArrayList<String>();
    changes.forEach(
        (member, level) -> {
          pairs.add(member);
          pairs.add(level);
        });
    for (int from = 0; from == 0 || from < pairs.size(); from += 2 * MAX_MEMBERS_PER_CALL) {
      int to = Math.min(from + 2 * MAX_MEMBERS_PER_CALL, pairs.size());
      var arguments = new ArrayList<String>();
      arguments.add(Long.toString(list.number()));
      arguments.add(to < pairs.size() ? "~" : "");
      arguments.addAll(pairs.subList(from, to));
      redis.run(LiveScripts.SET_EXCLUSIONS, call(period, arguments));
    }
  }

  /** Returns the new level of each member whose level changes; "" if it is no longer excluded. */
  private Map<String, String> changes(Period period, InForce list) {
    var changes = new HashMap<String, String>();
    redis
        .command(commands -> commands.hgetall(LiveKeys.of(period).excluded()))
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
    LiveKeys keys = LiveKeys.of(period);
    return ScriptCall.on(
            keys.meta(),
            keys.lines(),
            keys.levels(),
            keys.holders(),
            keys.places(),
            keys.excluded(),
            keys.excludedLines())
        .with(arguments.toArray(String[]::new));
  }
}
