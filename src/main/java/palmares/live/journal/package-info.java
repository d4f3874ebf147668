/**
 * Drains the journals of live boards into PostgreSQL, every decided event exactly once, and finds
 * the decisions on earlier events.
 */
@NullMarked
package palmares.live.journal;

import org.jspecify.annotations.NullMarked;
