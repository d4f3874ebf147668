package palmares.bench.read;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palmares.bench.WrongResult;
import palmares.bench.crowd.Ground;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.rules.board.MemberId;

/** What a live board is asked. */
enum Question {
  RANK("a member's rank"),
  TOP("the top 100"),
  AROUND("10 above and 10 below a member");

  static final int BEST = 100;
  static final int NEIGHBOURS = 10;

  private final String label;

  Question(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Asks it.
   *
   * @throws WrongResult if the board is not there
   */
  LivePage ask(LiveQueries live, Ground ground, MemberId member) {
    Optional<LivePage> page =
        switch (this) {
          case RANK -> live.find(ground.period(), ground.board(), List.of(member));
          case TOP -> live.top(ground.period(), ground.board(), BEST);
          case AROUND -> live.around(ground.period(), ground.board(), member, NEIGHBOURS);
        };
    return page.orElseThrow(
        () -> new WrongResult("the live board of %s is gone".formatted(ground.board().id())));
  }
}
