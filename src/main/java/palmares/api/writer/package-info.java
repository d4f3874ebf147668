/**
 * The HTTP door for those who hold an API key: takes events and registrations, and tells about
 * members.
 */
@NullMarked
package palmares.api.writer;

import org.jspecify.annotations.NullMarked;
