package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.rules.board.Board;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.verification.Verification;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A pool that does not divide is split to the last credit, for any remainder and group size. */
@WorldTest
class TieSharingTest {
  private static final int LARGEST_GROUP = 50;

  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Revisions revisions;
  @Autowired private Awards awards;
  @Autowired private Verification verification;

  /** Members who tie, and the prize of their first place: the others' places have none. */
  private record Group(int rank, int size, int pool) {}

  /** What became of a group. */
  private record Split(long rank, long paid, long most, long least, boolean firstHaveMore) {}

  /** Of each size, every remainder; among them pools that are smaller than the group. */
  private static List<Group> groups() {
    var groups = new ArrayList<Group>();
    int rank = 1;
    for (int size = 2; size <= LARGEST_GROUP; size++) {
      for (int left = 1; left < size; left++) {
        groups.add(new Group(rank, size, size * (left % 3) + left));
        rank += size;
      }
    }
    return groups;
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", "house"})
  void everyPoolThatDoesNotDivideIsSplitToTheLastCredit(String remainder) {
    List<Group> groups = groups();
    Board board = world.board(text(groups, remainder));
    var entrants = new ArrayList<Entrant>();
    for (Group group : groups) {
      for (int i = 0; i < group.size(); i++) {
        String member = "m%d-%d".formatted(group.rank(), i);
        entrants.add(Entrant.of(member, 1_000_000 - group.rank()).stranger());
      }
    }
    var podium = new Podium(world, jdbc, transaction, revisions, awards, verification);

    List<Split> splits =
        podium.with(
            board,
            entrants,
            period -> {
              awards.award(period, 1, board, null);
              return splits();
            });

    assertThat(splits).isEqualTo(groups.stream().map(group -> split(group, remainder)).toList());
  }

  private static Split split(Group group, String remainder) {
    long share = group.pool() / group.size();
    boolean first = remainder.equals("first");
    return new Split(
        group.rank(),
        first ? group.pool() : share * group.size(),
        first ? share + 1 : share,
        share,
        true);
  }

  private static String text(List<Group> groups, String remainder) {
    var text = new StringBuilder("title: T\nperiod: day\nmax-points: 1000000\n");
    text.append("actions: { invite: 1 }\nranks: competition\nrewards:\n");
    text.append("  - rule: r\n    ties: share\n    remainder: " + remainder + "\n    ranks:\n");
    groups.forEach(group -> text.append("      %d: %d\n".formatted(group.rank(), group.pool())));
    return text.toString();
  }

  private List<Split> splits() {
    // No statistics of lines that were just written: it would look each up in all awards.
    jdbc.sql("set local enable_nestloop = off").update();
    return jdbc.sql(
            """
            select
              rank,
              sum(coalesce(credits, 0)) as paid,
              max(coalesce(credits, 0)) as most,
              min(coalesce(credits, 0)) as least,
              array_agg(coalesce(credits, 0) order by place)
                = array_agg(coalesce(credits, 0) order by coalesce(credits, 0) desc, place)
                as first_have_more
            from standing
            left join award using (period_id, revision, member)
            group by rank
            order by rank
            """)
        .query(Split.class)
        .list();
  }
}
