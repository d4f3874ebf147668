package palmares.settlement.outbox;

import java.util.List;

/**
 * Facts that are sent together.
 *
 * @param id the same whenever the same facts are sent again
 * @param facts in their order; never empty
 * @param end where the target is once it has them
 */
record FactBatch(String id, List<Fact> facts, Position end) {}
