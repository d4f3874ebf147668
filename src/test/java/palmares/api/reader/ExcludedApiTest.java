package palmares.api.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.live.board.LiveExclusions;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Who is excluded is answered the same while a period goes on and once it is settled. */
@WorldTest
class ExcludedApiTest {
  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions live;
  @LocalServerPort private int port;

  private Period day;
  private Api api;

  /** ann 200 is hidden, bob 100 unranked; cid 100, dan 1 and eve 0 are left. */
  @BeforeEach
  void aContestWithoutTwo() {
    day =
        world.open(
            world.board(
                Rules.day()
                    .with("ranks: competition")
                    .with(
                        """
                        actions:
                          like: { points: 1, undo: true }
                          invite: { points: 100, undo: true }
                        """)));
    world.take(Contest.facts());
    api = new Api(port, null);
    exclude("ann", ExclusionLevel.HIDDEN);
    exclude("bob", ExclusionLevel.UNRANKED);
    exclude("cid", ExclusionLevel.NO_PRIZE);
  }

  private void exclude(String member, ExclusionLevel level) {
    exclusions.exclude(Terms.always(new MemberId(member), level), "a law", "test");
    live.updateAll();
  }

  @Test
  void liveAndSettledBoardsAnswerAlike() {
    assertAnswers("current");
    world.settle(day);
    assertAnswers("2026-11-20");
  }

  private void assertAnswers(String period) {
    assertThat(lines(get(period, "/top"))).containsExactly("1 cid 100", "2 dan 1", "3 eve 0");
    assertThat(get(period, "/top?count=3").body().has("next")).isFalse();
    assertThat(get(period, "").body().path("members").asLong()).isEqualTo(3);
    assertThat(lines(get(period, "/top?fromRank=2"))).containsExactly("2 dan 1", "3 eve 0");
    assertThat(lines(get(period, "/members/cid/around"))).hasSize(3);
    assertThat(get(period, "/members/cid").body().path("percentile").asDouble()).isEqualTo(100);
    assertThat(get(period, "/ranks/1").body().path("points").asLong()).isEqualTo(100);
    assertThat(get(period, "/ranks/4").body().has("points")).isFalse();

    assertThat(get(period, "/members/ann").problem()).endsWith("unknown-member");
    assertThat(get(period, "/members/ann/around").problem()).endsWith("unknown-member");
    Answer bob = get(period, "/members/bob");
    assertThat(bob.body().path("excluded").asString()).isEqualTo("unranked");
    assertThat(bob.body().path("points").asLong()).isEqualTo(100);
    assertThat(bob.body().path("members").asLong()).isEqualTo(3);
    assertThat(bob.body().has("place")).isFalse();
    assertThat(bob.body().has("rank")).isFalse();
    assertThat(bob.body().has("percentile")).isFalse();
    assertThat(lines(get(period, "/members/bob/around"))).containsExactly("- bob 100");
    Answer friends = get(period, "/friends?member=bob&member=ann&member=eve");
    assertThat(lines(friends)).containsExactly("3 eve 0", "- bob 100");
    assertThat(friends.body().path("absent").toString()).isEqualTo("[\"ann\"]");
  }

  @Test
  void anExclusionChangesTheTag() {
    String tag = get("current", "/top").header("ETag");
    assertThat(get("current", "/top", "If-None-Match", tag).status()).isEqualTo(304);
    exclude("eve", ExclusionLevel.HIDDEN);
    Answer changed = get("current", "/top", "If-None-Match", tag);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(lines(changed)).hasSize(2);
  }

  @Test
  void anAmendmentChangesTheTagOfASettledBoard() {
    world.settle(day);
    String tag = get("2026-11-20", "/top").header("ETag");
    assertThat(get("2026-11-20", "/top", "If-None-Match", tag).status()).isEqualTo(304);
    servers.sql("update period set revision = 2");
    assertThat(get("2026-11-20", "/top", "If-None-Match", tag).status()).isEqualTo(200);
  }

  private Answer get(String period, String question, String... headers) {
    return api.get("/boards/%s/periods/%s%s".formatted(day.board(), period, question), headers);
  }

  private static List<String> lines(Answer answer) {
    return answer
        .body()
        .path("lines")
        .valueStream()
        .map(
            line ->
                line.path("rank").asString("-")
                    + " "
                    + line.path("member").asString()
                    + " "
                    + line.path("points").asLong())
        .toList();
  }
}
