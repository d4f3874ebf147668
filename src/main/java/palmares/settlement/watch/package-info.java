/**
 * Compares the first places of watched boards with what was seen before, once a second, and stores
 * facts about the members who entered, left or were passed. Takes no part in writing events.
 */
@NullMarked
package palmares.settlement.watch;

import org.jspecify.annotations.NullMarked;
