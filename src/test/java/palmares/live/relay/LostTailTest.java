package palmares.live.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveKeys;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** On a committed board, events that Redis acknowledged and then lost are relayed again. */
@WorldTest
class LostTailTest {
  private static final List<String> PARTS =
      List.of("meta", "board", "ids", "given", "journal", "levels", "holders", "places");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Relay relay;

  private Period day;

  @BeforeEach
  void aCommittedContest() {
    day = world.open(world.board(Contest.rules().with("durability: committed")));
    world.take(Contest.facts().subList(0, 4));
    journal.drain(day);
  }

  @Test
  void theClosingCountsEventsThatRedisLost() {
    Map<String, byte[]> before = dump();
    world.take(Contest.facts().subList(4, 9));
    restore(before);
    assertThat(records.points(day, "ann")).as("lost").isEqualTo(100);
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().clean()).isTrue();
  }

  @Test
  void aBoardRebuiltFromItsJournalGetsTheRestFromTheRelay() {
    Map<String, byte[]> drained = dump();
    world.take(Contest.facts().subList(4, 9));
    world.take(Fact.by("ann").on("more"));
    List<Line> whole = records.live(day);
    servers.flush();
    restore(drained);
    relay.markMissing(day.id());
    relay.relay(day.id());
    assertThat(records.live(day)).isEqualTo(whole);
    world.settle(day);
    assertThat(records.verify().clean()).isTrue();
  }

  private Map<String, byte[]> dump() {
    var dumps = new LinkedHashMap<String, byte[]>();
    for (String part : PARTS) {
      byte[] dump = servers.redis(connection -> connection.keyCommands().dump(key(part)));
      if (dump != null) {
        dumps.put(part, dump);
      }
    }
    return dumps;
  }

  private void restore(Map<String, byte[]> dumps) {
    servers.flush();
    dumps.forEach(
        (part, dump) ->
            servers.redis(
                connection -> {
                  connection.keyCommands().restore(key(part), 0, dump);
                  return true;
                }));
  }

  private byte[] key(String part) {
    return LiveKeys.of(day).name(part).getBytes(UTF_8);
  }
}
