/**
 * A client of the HTTP API: it sends events, follows boards, waits for tasks, and reads the facts
 * that a webhook receives. Needs the JDK and jackson-jr only.
 */
@NullMarked
package palmares.client;

import org.jspecify.annotations.NullMarked;
