package palmares.demo;

import palmares.live.board.Verdict;

/** Uses a chapter that its own one does not declare, so that ArchitectureTest must report it. */
public record UndeclaredUse(Verdict verdict) {}
