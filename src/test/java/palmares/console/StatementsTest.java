package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import palmares.api.roles.Caller;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Contest;
import palmares.testing.MortalProcess;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A page over all boards reads PostgreSQL as often for thirty boards as for three. */
@WorldTest
class StatementsTest {
  private static final int FEW = 3;
  private static final int MANY = 30;

  @Autowired private World world;
  @Autowired private MortalProcess process;
  @Autowired private BoardListPages boards;
  @Autowired private MemberPages members;

  @BeforeEach
  void signIn() {
    SecurityContextHolder.setContext(new SecurityContextImpl(Caller.local("ann").authentication()));
  }

  @AfterEach
  void signOut() {
    SecurityContextHolder.clearContext();
  }

  /** Makes boards with a settled period, and an open one. */
  private void play(int count) {
    List<Board> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(world.board(Contest.rules()));
    }
    List<Period> periods = made.stream().map(world::open).toList();
    world.takeAll(Contest.facts(), World.ANYBODY);
    world.pass(Duration.ofDays(1));
    periods.forEach(world::settle);
    made.forEach(world::open);
    world.takeAll(Contest.facts(), World.ANYBODY);
  }

  private List<Long> statements() {
    Runnable boardList = () -> boards.boards(null, null, BoardPagesTest.model(world.now()));
    Runnable grid = () -> boards.grid(BoardPagesTest.model(world.now()));
    Runnable member =
        () -> members.member("ann", Locale.ENGLISH, BoardPagesTest.model(world.now()));
    return List.of(boardList, grid, member).stream()
        .peek(Runnable::run) // reads the rules that are kept in memory
        .map(process::statements)
        .toList();
  }

  @Test
  void pagesOverAllBoardsNeedNoStatementMoreForEachBoard() {
    play(FEW);
    List<Long> few = statements();
    play(MANY - FEW);
    assertThat(few).isNotEmpty().allMatch(statements -> statements > 0);
    assertThat(statements()).isEqualTo(few);
  }
}
