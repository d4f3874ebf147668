/**
 * Stores facts about periods, payments and verifications, and the daily digest, and delivers them
 * to others: at least once, in order, by webhook, Redis stream and e-mail.
 */
@NullMarked
package palmares.settlement.outbox;

import org.jspecify.annotations.NullMarked;
