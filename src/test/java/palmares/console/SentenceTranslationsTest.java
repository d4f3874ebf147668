package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.support.ResourceBundleMessageSource;

/**
 * SentenceTranslations of the operations API are put into the language of a page, with their
 * values.
 */
class SentenceTranslationsTest {
  private static final Show SHOW = new Show(Locale.ENGLISH, Instant.EPOCH);

  private static Translations words(Locale locale) {
    var messages = new ResourceBundleMessageSource();
    messages.setBasename("palmares.console.messages");
    messages.setDefaultEncoding("UTF-8");
    messages.setFallbackToSystemLocale(false);
    return new Translations(messages, new Show(locale, Instant.EPOCH));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          there is no board 'x'; the boards are a, b | 没有榜单“x”；现有榜单：a, b
          there is no board 'invite'; did you mean 'invites'?; the boards are invites | \
          没有榜单“invite”（是否指“invites”？）；现有榜单：invites
          the field 'reason' is missing | 缺少字段“原因”
          invites 2026-W47 cannot be held: it is settled | invites 2026-W47 不能保留待审：现为“已结算”
          exclusion 7: ann is hidden on all boards from 2026-11-20 | \
          排除 7：ann 自 2026-11-20 起在 全部榜单 上的级别为“隐藏”
          batch 3: 60 done, 6 refused | 批量操作 3：60 已完成, 6 被拒绝
          batch 3: amend 66 periods, for exclusion 5 | 批量操作 3：更正，共 66 个周期（exclusion 5）
          members get 40 credits more, and were awarded 9 too much: they keep it, and owe it | \
          成员将多得 40 credits，曾多发 9：成员保留，记为欠额
          b1 2026-W47 is held for approval, and nothing is paid: the board asks for approval | \
          b1 2026-W47 正在等待审批，尚未发放：该榜单要求审批
          it was prepared by ann, and its board asks for two people who did not shape the outcome: \
          another person must approve it | 它由 ann 编制；该榜单要求由两名未参与形成结果的人员审批：须由另一人批准
          is placed ahead: reached 200 points earlier, at 2026-10-22T16:09:10Z | \
          位次在前：于 2026-10-22 16:09:10 UTC 达到 200 分，较早
          shares the rank, and is placed behind: the last change arrived later | \
          名次相同，位次在后：最后一次变更到达较晚
          scoring add, ranks unique, ties by kills, then time | \
          计分：积分累加；名次：唯一名次；同分：先按 kills，再按时间
          rank 6: 500 for each of the ranks 4 to 10 | 第 6 名：第 4 至 10 名各得 500
          rank 1: 500 for rank 1; 2 members have as many points, and share the prizes of the \
          places that they take | 第 1 名：第 1 名得 500；2 名成员积分相同，平分所占位次的奖励
          the id was found only as a subject (events: 2; archives: 1), which may name something \
          else than a person; no row has it as a member | \
          该 ID 仅作为对象出现（事件：2；归档：1），可能指的不是人；没有任何行以它为成员
          could not extend file: No space left on device | could not extend file: No space left on device
          """)
  void aSentenceIsFoundByItsForm(String english, String chinese) {
    assertThat(words(Locale.CHINESE).say(english)).isEqualTo(chinese);
    assertThat(words(Locale.ENGLISH).say(english)).isEqualTo(SHOW.times(english));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          there is no board 'x'; the boards are a, b | There is no board 'x'; the boards are a, b.
          batch 3: 60 done, 6 refused                | Batch 3: 60 done, 6 refused.
          a member's id must not be empty            | A member's id must not be empty.
          the 2026-W47 cannot be held: it is settled | the 2026-W47 cannot be held: it is settled.
          ann was added to 3 members                 | ann was added to 3 members
          "  podium: 1,600 credits to 3 members"     | "  podium: 1,600 credits to 3 members"
          could not extend file: No space left       | could not extend file: No space left
          its board is paused: nothing is paid before 'palmares resume b1 --reason TEXT' | \
          Its board is paused: nothing is paid before it is resumed.
          'palmares restart b1 2026-W47 --reason TEXT' computes it again | A restart computes it again.
          """)
  void aSentenceBeginsWithACapitalLetterUnlessItBeginsWithAnId(String said, String shown) {
    assertThat(words(Locale.ENGLISH).sentence(said)).isEqualTo(shown);
  }

  @Test
  void aWholeSentenceEndsWithOneFullStop() {
    assertThat(words(Locale.CHINESE).sentence("there is no batch 7")).isEqualTo("没有批量操作 7。");
    assertThat(
            words(Locale.ENGLISH)
                .sentence("the server failed; see its log. Events can safely" + " be sent again"))
        .isEqualTo("The server failed; see its log. Events can safely be sent again.");
    assertThat(words(Locale.ENGLISH).sentence("there is no batch 7\n| table | of |"))
        .isEqualTo("There is no batch 7.\n| table | of |");
  }

  @Test
  void timesInASentenceAreInTheZoneOfTheBoard() {
    String sentence = "held at 2026-10-21T10:42:53.479Z, released 2026-10-21T10:42:00Z";
    assertThat(SHOW.times(sentence))
        .isEqualTo("held at 2026-10-21 10:42:53 UTC, released 2026-10-21 10:42:00 UTC");
    assertThat(SHOW.in(ZoneId.of("Asia/Shanghai")).times(sentence))
        .isEqualTo("held at 2026-10-21 18:42:53, released 2026-10-21 18:42:00");
    assertThat(SHOW.times("2026-99-99T10:42:53Z is no time"))
        .isEqualTo("2026-99-99T10:42:53Z is no time");
  }

  @Test
  void durationsAreInTheTwoLargestUnitsOfTheLanguage() {
    var chinese = new Show(Locale.CHINESE, Instant.EPOCH);
    Instant start = Instant.EPOCH;
    assertThat(SHOW.duration(start, "1970-01-01T14:12:00Z")).isEqualTo("14 h 12 min");
    assertThat(SHOW.duration(start, "1970-01-01T00:00:30Z")).isEqualTo("30.00 s");
    assertThat(SHOW.distance("1970-01-05T01:00:00Z")).isEqualTo("4 d 1 h");
    assertThat(chinese.distance("1970-01-01T00:01:05Z")).isEqualTo("1 分 5 秒");
  }

  @Test
  void aStepIsNamedAndALineOfALongTextIsFound() {
    Translations words = words(Locale.CHINESE);
    assertThat(words.progress("    0.12 s  pay")).isEqualTo("    0.12 秒  发放");
    assertThat(words.progress("  seal")).isEqualTo("  封榜");
    assertThat(words.say("there is no batch 7\n| table | of |"))
        .isEqualTo("没有批量操作 7\n| table | of |");
  }

  /** A form with many values is tried on a text of that length without going through all splits. */
  @Test
  void aLongTextIsReadOnce() {
    String text = "a: b to members is on ".repeat(20_000);
    assertThat(words(Locale.CHINESE).say(text)).isEqualTo(text);
  }
}
