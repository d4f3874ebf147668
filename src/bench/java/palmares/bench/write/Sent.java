package palmares.bench.write;

/**
 * What became of the events that were sent.
 *
 * @param clientSeconds how much of the processors the sending took, where a process of its own did
 *     it; 0 else
 */
record Sent(Pace pace, double clientSeconds) {}
