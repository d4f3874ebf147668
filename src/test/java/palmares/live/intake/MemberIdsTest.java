package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An id is refused, or stored in Redis and PostgreSQL byte for byte. */
@WorldTest
class MemberIdsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Intake intake;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a\\u0000b",
        "a\\rb",
        "a\\nb",
        "\\u001f",
        "\\u0085",
        "\\ud83d",
        "\\ude00\\ud83d",
        "12345678901234567890123456789012345678901234567890123456789012345",
        "\\u00e91234567890123456789012345678901234567890123456789012345678901234"
      })
  void anIdThatCannotBeStoredIsRefused(String member) {
    Period period = world.open(world.board(Rules.day()));
    EventOutcome outcome = take(member).get(0);
    assertThat(outcome.reason()).isEqualTo(RefusalReason.INVALID_FIELD);
    assertThat(Texts.english(Objects.requireNonNull(outcome.said()))).contains("'member'");
    assertThat(records.live(period)).isEmpty();
  }

  @Test
  void everyOtherIdIsStoredByteForByteAndSimilarIdsAreDifferentMembers() {
    List<String> members =
        List.of(
            "1234567890123456789012345678901234567890123456789012345678901234",
            "\u00e9",
            "e\u0301",
            "\u202eabc\u202c",
            "\u200babc",
            "{}",
            ":",
            "=1+1",
            "@x",
            "a b",
            " ",
            "'; drop table period; --",
            "%00",
            "\\",
            "\uFF5E",
            "\uD83D\uDE00");
    Board board = world.board(Rules.day());
    for (String member : members) {
      String escaped = member.replace("\\", "\\\\");
      assertThat(take(escaped).get(0).kind()).as(member).isEqualTo(Kind.APPLIED);
    }
    Period period = world.open(board);
    world.settle(period);
    assertThat(records.published(period).stream().map(Line::member))
        .containsExactlyInAnyOrderElementsOf(members);
    assertThat(records.verify().clean()).isTrue();
  }

  private List<EventOutcome> take(String member) {
    var batch = new EventBatch();
    String id = "e" + member.hashCode();
    batch.addLine(
        """
        {"id": "%s", "member": "%s", "action": "like"}\
        """
            .formatted(id, member)
            .getBytes(UTF_8),
        1);
    return batch.sendTo(intake, new EventOrigin.Api(Set.of()));
  }
}
