/**
 * Runs long work as tasks that are stored: one lease, one heartbeat, one idempotency rule, and one
 * way to say progress. A task may have items, with which any scheduler goes on.
 */
@NullMarked
package palmares.operations.tasks;

import org.jspecify.annotations.NullMarked;
