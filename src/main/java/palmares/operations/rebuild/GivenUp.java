package palmares.operations.rebuild;

import java.util.List;
import java.util.stream.Collectors;
import palmares.live.board.LiveRebuild.ChangedLine;
import palmares.live.journal.MissingEvents;
import palmares.platform.output.DisplayFormat;

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
  public String sentence() {
    return "%s given up (%s); members with other points since: %s"
        .formatted(events.words(), DisplayFormat.count(events.count(), "event", "events"), named());
  }

  private String named() {
    String named =
        lines.stream()
            .limit(MAX_NAMED_MEMBERS)
            .map(ChangedLine::member)
            .collect(Collectors.joining(", "));
    long more = members - MAX_NAMED_MEMBERS;
    return members == 0
        ? "none known"
        : more > 0 ? "%s and %s more".formatted(named, DisplayFormat.number(more)) : named;
  }
}
