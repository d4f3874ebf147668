/**
 * Reads histories, files of one event a line, and brings them to the intake in batches: in constant
 * memory, alive to others while it goes on, and the same however often it is run.
 */
@NullMarked
package palmares.live.history;

import org.jspecify.annotations.NullMarked;
