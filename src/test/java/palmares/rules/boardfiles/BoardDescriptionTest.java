package palmares.rules.boardfiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import palmares.rules.board.BoardId;

class BoardDescriptionTest {
  static final Instant NOW = Instant.parse("2026-10-20T12:00:00Z");

  @Test
  void aDescriptionHasRulesBitsAndTheNextFivePeriods() {
    assertThat(sheet("invites"))
        .isEqualTo(
            """
            invites: Invitations of the week
              period      week from Monday in Asia/Shanghai, closed 10 min after its end
              clock       server
              actions     invite +100
              scale       points add up, up to 8,000,000 points
                          packed: 30 bits of time in milliseconds + 23 bits of points = 53; room for 8,388,607 points
              ranks       unique
              rewards     top-hundred: credits by rank 1: 5,000 · 2: 3,000 · 3: 2,000 · 4-10: 500 · 11-100: 100
                          each-invite: 20 credits per invite
              durability  committed: acknowledged when PostgreSQL has it
              invites     invite for the owner of the invite code; own codes are refused, unknown codes are refused
              retention   31 days
              public      everybody may read it

              next      begins                     ends                       ends, in UTC
              2026-W43  2026-10-19 00:00:00+08:00  2026-10-26 00:00:00+08:00  2026-10-25 16:00:00Z
              2026-W44  2026-10-26 00:00:00+08:00  2026-11-02 00:00:00+08:00  2026-11-01 16:00:00Z
              2026-W45  2026-11-02 00:00:00+08:00  2026-11-09 00:00:00+08:00  2026-11-08 16:00:00Z
              2026-W46  2026-11-09 00:00:00+08:00  2026-11-16 00:00:00+08:00  2026-11-15 16:00:00Z
              2026-W47  2026-11-16 00:00:00+08:00  2026-11-23 00:00:00+08:00  2026-11-22 16:00:00Z
            """);
  }

  /** Chinese characters take two columns of a terminal. */
  @Test
  void aDescriptionIsInTheLanguageOfItsReader() {
    String sheet = sheet("invites", NOW, Locale.CHINESE);
    assertThat(sheet)
        .contains("\n  周期        每周（从星期一开始）", "\n  行为        invite +100\n")
        .endsWith(
            """

              周期      开始                       结束                       结束（UTC）
              2026-W43  2026-10-19 00:00:00+08:00  2026-10-26 00:00:00+08:00  2026-10-25 16:00:00Z
              2026-W44  2026-10-26 00:00:00+08:00  2026-11-02 00:00:00+08:00  2026-11-01 16:00:00Z
              2026-W45  2026-11-02 00:00:00+08:00  2026-11-09 00:00:00+08:00  2026-11-08 16:00:00Z
              2026-W46  2026-11-09 00:00:00+08:00  2026-11-16 00:00:00+08:00  2026-11-15 16:00:00Z
              2026-W47  2026-11-16 00:00:00+08:00  2026-11-23 00:00:00+08:00  2026-11-22 16:00:00Z
            """);
    assertThat(sheet.lines().skip(1)) // the title is the board file's
        .noneMatch(line -> line.matches(".*[a-z]{2,} [a-z]{2,}.*"));
  }

  @Test
  void aDescriptionSaysWhenDaysBegin() {
    String board =
        "title: T\n"
            + "starts-at: 04:00\n"
            + "zone: Asia/Shanghai\n"
            + "actions: { a: 1 }\n"
            + "max-points: 5\n"
            + "period: ";
    assertThat(period(board + "month", Locale.ENGLISH))
        .isEqualTo("month, from 04:00 in Asia/Shanghai, closed 10 min after its end");
    assertThat(period(board + "{ every: 3, unit: days, from: 2026-11-20 }", Locale.ENGLISH))
        .isEqualTo(
            "3 days from 2026-11-20, from 04:00 in Asia/Shanghai, closed 10 min after its end");
    assertThat(period(board + "{ every: 3, unit: days, from: 2026-11-20 }", Locale.CHINESE))
        .isEqualTo("每 3 天（自 2026-11-20 起）（每天 04:00 开始），时区 Asia/Shanghai，结束 10 分钟 后结算");
  }

  private static String period(String text, Locale locale) {
    return BoardDescription.rules(BoardFiles.parse(new BoardId("b"), text), locale)
        .get(0)
        .lines()
        .get(0);
  }

  @Test
  void aDescriptionHasThePayoutAndItsApproval() {
    assertThat(sheet("quiz"))
        .contains(
            """
              rewards     best-players: credits by top percent of the eligible, rounded up, 1%: 500 · 10%: 100 · 25%: 25; ties share, the rest to the house
                          right-answers: gems by points 50: 1 · 100: 3 · 200: 10
                          taking-part: 1 tickets for taking part
              payout      only to members with at least 20 points
                          requires approval over 50,000 credits a period, 1,000,000 credits a month
            """);
    assertThat(sheet("arena-gold"))
        .contains(
            """
              rewards     podium: credits by rank 1: 1,000 · 2: 500 · 3: 250; ties share, the rest to the first of them
                          honours: credits by rank 1-10: 20
              payout      only the first rule that pays a member
                          only to members with at least 3 points
                          prizes of members who may not have one move to those behind
                          what an amendment takes away becomes a debt
              family      arena, tier 1; 2 go down
            """);
    assertThat(sheet("time-trial"))
        .contains("; a person decides ties", "only to members registered by the period's end");
  }

  @Test
  void whereTheFewestWinTheLimitIsTheMostPoints() {
    String file =
        """
        title: T
        period: day
        grace: 1h30m
        scoring: %s
        actions: { lap: {} }
        max-points: 1000
        rewards: [{ rule: podium, ranks: { 1: 100 } }]
        payout: { min-points: 500 }
        """;
    var fewest = BoardFiles.parse(new BoardId("laps"), file.formatted("lowest-best"));
    var most = BoardFiles.parse(new BoardId("laps"), file.formatted("best"));
    assertThat(BoardDescription.of(fewest, NOW, Locale.ENGLISH))
        .contains("at most 500 points", "closed 1 h 30 min");
    assertThat(BoardDescription.of(most, NOW, Locale.ENGLISH)).contains("at least 500 points");
    assertThat(BoardDescription.rules(fewest, Locale.CHINESE).toString())
        .contains("至多有 500 积分", "1 小时 30 分钟");
    assertThat(BoardDescription.rules(most, Locale.CHINESE).toString()).contains("至少有 500 积分");
  }

  @Test
  void offsetsFollowTheClocksOfTheZone() {
    var fall = Instant.parse("2026-11-01T12:00:00Z");

    assertThat(sheet("commits-daily", fall))
        .contains("2026-11-01 00:00:00-04:00  2026-11-02 00:00:00-05:00  2026-11-02 05:00:00Z");
  }

  @Test
  void aBoardThatNeverClosesHasOnePeriodAndNoRetention() {
    assertThat(sheet("experience"))
        .contains(
            "one that never closes, in UTC", "26 bits of time in minutes", "ranks       dense")
        .doesNotContain("retention", "rewards")
        .endsWith("2100-01-01 00:00:00Z\n");
  }

  static String sheet(String id) {
    return sheet(id, NOW);
  }

  static String sheet(String id, Instant now) {
    return sheet(id, now, Locale.ENGLISH);
  }

  private static String sheet(String id, Instant now, Locale locale) {
    var board = BoardFiles.read(Path.of("jobs")).find(new BoardId(id)).orElseThrow();
    return BoardDescription.of(board, now, locale);
  }
}
