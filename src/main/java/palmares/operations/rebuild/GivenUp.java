package palmares.operations.rebuild;

import java.util.List;
import palmares.live.board.LiveRebuild.ChangedLine;
import palmares.live.journal.MissingEvents;
import palmares.platform.text.Sentence;

/**
 * Events that a rebuild has given up.
 *
 * @param members how many members have other points without them, as far as the former board says
 * @param lines the first of these
 */
public record GivenUp(MissingEvents events, long members, List<ChangedLine> lines) {
  private static final int MAX_NAMED_MEMBERS = 10;

  public GivenUp {
    lines = List.copyOf(lines);
  }

  /** Names the events, and the first members. */
  public Sentence said() {
    List<String> named = lines.stream().limit(MAX_NAMED_MEMBERS).map(ChangedLine::member).toList();
    long more = members - MAX_NAMED_MEMBERS;
    return new RebuildSentences.GivenUp(
        events.said(),
        events.count(),
        members == 0 ? null : named,
        members == 0
            ? new RebuildSentences.NoneKnown()
            : more > 0 ? new RebuildSentences.AndMore(more) : null);
  }
}
