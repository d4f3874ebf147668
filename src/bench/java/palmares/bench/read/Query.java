package palmares.bench.read;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palmares.bench.WrongResult;
import palmares.bench.seeding.SeededPeriod;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.rules.board.MemberId;

/** A query of a live board. */
enum Query {
  RANK("a member's rank"),
  TOP("the top 100"),
  AROUND("10 above and 10 below a member");

  static final int TOP_LINES = 100;
  static final int NEIGHBOURS = 10;

  private final String label;

  Query(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Runs the query.
   *
   * @throws WrongResult if there is no live board
   */
  LivePage ask(LiveQueries live, SeededPeriod seeded, MemberId member) {
    Optional<LivePage> page =
        switch (this) {
          case RANK -> live.find(seeded.period(), seeded.board(), List.of(member));
          case TOP -> live.top(seeded.period(), seeded.board(), TOP_LINES);
          case AROUND -> live.around(seeded.period(), seeded.board(), member, NEIGHBOURS);
        };
    return page.orElseThrow(
        () -> new WrongResult("the live board of %s is gone".formatted(seeded.board().id())));
  }
}
