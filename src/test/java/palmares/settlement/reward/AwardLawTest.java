package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.rules.board.Board;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.verification.Verification;
import palmares.testing.Seeds;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** SQL, verification and a model in plain Java agree for random rules and members. */
@WorldTest
class AwardLawTest {
  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Revisions revisions;
  @Autowired private Awards awards;
  @Autowired private Verification verification;

  private Podium podium;

  @BeforeEach
  void aPodium() {
    podium = new Podium(world, jdbc, transaction, revisions, awards, verification);
  }

  static LongStream seeds() {
    return Seeds.from1To(8);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void sqlVerificationAndModelAgreeOnAwards(long seed) {
    var chance = new RandomRules(seed);
    for (int i = 0; i < 4; i++) {
      var planned = chance.board(world);
      Board board = planned.board();
      var entrants = chance.entrants();
      var decided = chance.decided();

      var outcome = podium.awards(board, entrants, decided);
      String answer = decided == null ? null : decided.word();

      String what = "%s%s, decided %s".formatted(board.source().text(), entrants, decided);
      assertThat(outcome.credits())
          .as(what)
          .isEqualTo(RuleModel.credits(planned.plan(), entrants, answer));
      assertThat(outcome.held(entrants))
          .as(what)
          .isEqualTo(RuleModel.held(planned.plan(), entrants));
      assertThat(outcome.doubts())
          .as("the audit asks for the decisions that nobody made, and finds nothing else: " + what)
          .hasSize(decided == null ? outcome.ties().size() : 0)
          .allMatch(doubt -> doubt.contains(": decision on ties by "));
    }
  }
}
