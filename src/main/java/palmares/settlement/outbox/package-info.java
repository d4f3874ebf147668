/**
 * Tells others what was settled, amended and paid: a signed webhook, a Redis stream. At least once,
 * in order, each fact under an id by which a repeat is known.
 */
@NullMarked
package palmares.settlement.outbox;

import org.jspecify.annotations.NullMarked;
