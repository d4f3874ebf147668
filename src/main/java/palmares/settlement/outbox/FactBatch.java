package palmares.settlement.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.sql.RecordMapper.Prefixed;

/**
 * A batch of facts that are sent together.
 *
 * @param id the same if the same facts are sent again
 * @param facts in their order; never empty
 * @param traceparent names the span that stored the first fact; null if it was not traced
 * @param end the target's position once it has the batch
 */
record FactBatch(String id, List<Fact> facts, @Nullable String traceparent, Position end) {
  /**
   * A position in the facts: how much has been delivered to a target.
   *
   * @param fact the number of the last fact that is delivered with all of its transfers; 0 for none
   * @param parts how many parts of the next fact are delivered: the fact, then its transfers
   * @param after the last of these transfers; {@link TransferKey#NONE} for none
   */
  record Position(long fact, long parts, @Prefixed TransferKey after) {
    static Position behind(long fact) {
      return new Position(fact, 0, TransferKey.NONE);
    }
  }

  /**
   * Identifies a transfer of an outcome. Transfers are delivered in the order of these columns.
   *
   * @param member empty for a position before all transfers
   * @param rule the rule's number in the outcome, from 1
   * @param purpose the purpose's number in the table of payments, from 1
   */
  record TransferKey(String member, int rule, int purpose) {
    /** The position before all transfers. */
    static final TransferKey NONE = new TransferKey("", 0, 0);
  }
}
