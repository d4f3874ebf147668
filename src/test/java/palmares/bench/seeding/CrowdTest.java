package palmares.bench.seeding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CrowdTest {
  private static final int MEMBERS = 100_000;
  private static final Crowd CROWD = new Crowd(MEMBERS, 1, 1);

  @Test
  void idsAreUnique() {
    assertThat(members().mapToObj(CROWD::member).collect(Collectors.toSet()))
        .hasSize(MEMBERS)
        .allMatch(id -> id.matches("[0-9a-z]{13}"));
  }

  @Test
  void thereAreManyTiesAndAHeavyTail() {
    var byInvites =
        members().boxed().collect(Collectors.groupingBy(CROWD::invites, Collectors.counting()));
    assertThat(byInvites.get(1)).isBetween(MEMBERS / 2L, MEMBERS * 3L / 4);
    assertThat(byInvites).hasSizeBetween(100, MEMBERS / 100);
    assertThat(byInvites.keySet()).allMatch(invites -> invites >= 1);
    assertThat(members().filter(n -> CROWD.invites(n) >= 1_000).count()).isBetween(10L, 100L);
  }

  @Test
  void invitationsOfEventsAddUp() {
    assertThat(members())
        .allSatisfy(
            n -> {
              int brought = CROWD.invites(n, 0) + (CROWD.events(n) == 2 ? CROWD.invites(n, 1) : 0);
              assertThat(brought).isEqualTo(CROWD.invites(n));
            });
    assertThat(CROWD.events()).isEqualTo(members().map(CROWD::events).sum());
  }

  @Test
  void theSeedDeterminesMembersAndTheDayTheirInvitations() {
    assertThat(all(new Crowd(MEMBERS, 1, 1))).isEqualTo(all(CROWD));
    var nextDay = new Crowd(MEMBERS, 1, 2);
    assertThat(nextDay.member(5)).isEqualTo(CROWD.member(5));
    assertThat(all(nextDay)).isNotEqualTo(all(CROWD));
    assertThat(new Crowd(MEMBERS, 2, 1).member(5)).isNotEqualTo(CROWD.member(5));
  }

  private static LongStream members() {
    return LongStream.range(0, MEMBERS);
  }

  private static Object all(Crowd crowd) {
    Function<Long, String> one =
        n -> crowd.member(n) + crowd.invites(n) + crowd.digest(n, 0) + crowd.latestTime(n, 1_000);
    return members().boxed().map(one).toList();
  }
}
