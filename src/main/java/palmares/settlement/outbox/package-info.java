/**
 * Delivers facts about posted outcomes to other systems: at least once, in order, by webhook and
 * Redis stream.
 */
@NullMarked
package palmares.settlement.outbox;

import org.jspecify.annotations.NullMarked;
