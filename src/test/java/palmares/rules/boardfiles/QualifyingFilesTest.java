package palmares.rules.boardfiles;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Invites.CountedIn;
import palmares.rules.board.Board.Invites.Qualification;
import palmares.rules.board.Board.Invites.Review;
import palmares.rules.board.BoardId;

/** A board file says how its invites qualify, and on which other board. */
class QualifyingFilesTest {
  private static final BoardFile SHOP =
      new BoardFile(
          "shop.yml", "title: T\nperiod: month\nactions: { purchase: 1 }\nmax-points: 10\n");

  private static Catalogue read(String action, String invites) {
    return BoardFiles.read(
        List.of(
            SHOP,
            new BoardFile(
                "invites.yml",
                "title: T\nperiod: week\nactions: { invite: %s, order: 1 }\nmax-points: 10\n"
                        .formatted(action)
                    + "durability: committed\ninvites: { action: invite, %s }\n"
                        .formatted(invites))));
  }

  private static Qualification qualification(String invites) {
    Board board =
        read("{ points: 1, undo: true }", invites).find(new BoardId("invites")).orElseThrow();
    return requireNonNull(requireNonNull(board.invites()).qualification());
  }

  @Test
  void theUsualConditionIsOneEventOnTheSameBoardWithinAWeek() {
    assertThat(qualification("qualifies: { action: order }"))
        .isEqualTo(new Qualification(null, "order", Duration.ofDays(7), 1, CountedIn.QUALIFYING));
  }

  @Test
  void aConditionNamesBoardTimeNumberAndPeriod() {
    assertThat(
            qualification(
                "qualifies: { action: purchase, board: shop, within: 1d12h, at-least: 3 },"
                    + " counted-in: registration"))
        .isEqualTo(
            new Qualification(
                new BoardId("shop"), "purchase", Duration.ofHours(36), 3, CountedIn.REGISTRATION));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "qualifies: { action: order, within: 0d } | a length of time up to 366 days",
        "qualifies: { action: order, within: 367d } | a length of time up to 366 days",
        "qualifies: { action: order, within: soon } | a length of time up to 366 days",
        "qualifies: { action: order, at-least: 0 } | from 1 to",
        "qualifies: { board: shop } | action is missing",
        "qualifies: { action: invite } | must qualify by another action than 'invite'",
        "qualifies: { action: oder } | did you mean 'order'",
        "qualifies: { action: order, board: shop } | (purchase), not 'order'",
        "qualifies: { action: purchase, board: shot } | did you mean 'shop'",
        "counted-in: registration | is allowed only with qualifies",
        "review: {} | must have one of chain, same-address and same-device",
        "review: { chain: 1 } | from 2 to",
        "review: { same-address: 0.5 } | from 2 to",
        "review: { same-device: many } | from 2 to",
        "review: { ring: true } | chain, same-address",
        "review: true | a review of invites",
      })
  void aConditionThatCannotBeMetIsRefused(String invites, String message) {
    assertThatThrownBy(() -> read("{ points: 1, undo: true }", invites))
        .isInstanceOf(BoardFilesException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aReviewHasOneLimitOrMoreAndIsDescribed() {
    Board board =
        read("1", "review: { chain: 4, same-device: 3 }")
            .find(new BoardId("invites"))
            .orElseThrow();
    assertThat(requireNonNull(board.invites()).review()).isEqualTo(new Review(4L, null, 3L));
    assertThat(BoardDescription.of(board, List.of(), Locale.ENGLISH))
        .contains(
            "awards of inviters are withheld from: 4 invites in a chain"
                + " · 3 invited members of one device");
  }

  @Test
  void aCreditMustBePossibleToTakeBack() {
    assertThatThrownBy(() -> read("1", "qualifies: { action: order }"))
        .hasMessageContaining("need undo: true on the action 'invite'");
  }

  @Test
  void theConditionIsDescribed() {
    Board board =
        read("{ points: 1, undo: true }", "qualifies: { action: purchase, board: shop }")
            .find(new BoardId("invites"))
            .orElseThrow();
    assertThat(BoardDescription.of(board, List.of(), Locale.ENGLISH))
        .contains("purchase on shop, 1 or more, within 7 days of the registration");
  }
}
