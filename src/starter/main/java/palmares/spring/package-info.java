/**
 * Spring Boot's part of the client: an outbox table, whose events are sent if and only if their
 * transactions commit, and listeners for the facts that Palmares delivers.
 */
@NullMarked
package palmares.spring;

import org.jspecify.annotations.NullMarked;
