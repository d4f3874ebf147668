package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

class LiveKeysTest {
  private static final int MASTERS = 3;
  private static final LiveKeys DAY = keys("b7", "2026-11-28");

  private static LiveKeys keys(String board, String period) {
    return new LiveKeys(new BoardId(board), new PeriodName(period));
  }

  static List<Function<Integer, LiveKeys>> names() {
    return List.of(
        n -> keys("b" + n, "2026-11-28"),
        n -> keys("shop-" + n, "2026-11-28"),
        n -> keys("shop-%03d".formatted(n), "2026-W48"),
        n -> keys("invites", LocalDate.of(2026, 10, 1).plusDays(n).toString()),
        n -> keys("hunt-" + "abcdefghijklmnopqrstuvwxyz".charAt(n % 26) + n / 26, "2026-11"));
  }

  /** As one after another are named, which Redis' own checksum keeps on one master. */
  @ParameterizedTest
  @MethodSource("names")
  void sixtyBoardsSpreadOverTheMastersOfACluster(Function<Integer, LiveKeys> names) {
    var byMaster =
        IntStream.range(0, 60)
            .mapToObj(names::apply)
            .map(keys -> SlotHash.getSlot(keys.lines()) * MASTERS / SlotHash.SLOT_COUNT)
            .collect(Collectors.groupingBy(master -> master, Collectors.counting()));
    assertThat(byMaster).hasSize(MASTERS);
    assertThat(byMaster.values()).allSatisfy(boards -> assertThat(boards).isBetween(12L, 28L));
  }

  @Test
  void allKeysOfABoardAreInOneSlot() {
    Stream<byte[]> all = Stream.concat(Arrays.stream(DAY.everything()), Stream.of(DAY.turn("x")));
    assertThat(all.map(SlotHash::getSlot).distinct()).hasSize(1);
  }

  @Test
  void aKeyBelongsToTheBoardThatNamesIt() {
    assertThat(DAY.name("board")).matches("palmares:\\{b7:2026-11-28:[0-9a-z]{4}}:board");
    assertThat(LiveKeys.owner(DAY.name("board"))).contains(new LiveKeys.Owned(DAY, "board", false));
    assertThat(LiveKeys.owner(DAY.name("ids") + KeyRemoval.PENDING_DELETION))
        .contains(new LiveKeys.Owned(DAY, "ids", true));
    assertThat(LiveKeys.owner(DAY.name("others"))).isEmpty();
    assertThat(LiveKeys.owner("palmares:{b7:2026-11-28:0000}:board")).isEmpty();
    assertThat(LiveKeys.owner("palmares:{b7:2026-11-28}:board")).isEmpty();
  }
}
