package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.ExpireArgs;
import java.time.Clock;
import java.util.stream.Stream;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.rules.adoption.Adoption;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.Slot;

/**
 * Refuses the start if the user of Redis may not use the keys of an adopted board, which are the
 * names of its program. Otherwise its first closing would find that.
 */
@Component
record AdoptedRights(RedisClient redis, RedisAddress address, Catalogue catalogue, Clock clock)
    implements InitializingBean {
  /**
   * Checks the keys of the present periods. What cannot be checked now, heartbeats report.
   *
   * @throws ServersUnavailable if the right to a key is missing
   */
  @Override
  public void afterPropertiesSet() {
    for (Board board : catalogue.all()) {
      board
          .kind()
          .run(
              () -> {},
              adoption ->
                  board
                      .calendar()
                      .at(clock.instant())
                      .ifPresent(slot -> check(board, adoption, slot)));
    }
  }

  private void check(Board board, Adoption adoption, Slot slot) {
    var keys =
        new AdoptedKeys(
            adoption.keys(board.calendarSlot(slot), board.zone()),
            adoption.encoding().usesThreeKeys());
    try {
      Stream.concat(
              keys.own().stream(), Stream.of(keys.ours()).map(bytes -> new String(bytes, UTF_8)))
          .forEach(key -> check(board, key));
    } catch (RedisUnavailable e) {
      // It may end while this process runs.
    }
  }

  /** Needs the right to write, and writes nothing: no expiry is earlier than the first moment. */
  private void check(Board board, String key) {
    try {
      redis.command(
          commands -> commands.pexpireat(AdoptedKeys.bytes(key), 1, ExpireArgs.Builder.gt()));
    } catch (RedisUnavailable e) {
      if (e.reason() == Reason.FORBIDDEN) {
        throw new ServersUnavailable(
            new AdoptionSentences.NoRight(address.toString(), key, board.id().value()),
            new AdoptionSentences.GrantPattern(),
            e);
      }
      throw e;
    }
  }
}
