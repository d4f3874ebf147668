package palmares.live;

import java.time.Instant;

/** One line of a sealed board, as its packed score says. */
public record FrozenLine(String member, long points, Instant reachedAt) {}
