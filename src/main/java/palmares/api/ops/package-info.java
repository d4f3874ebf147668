/**
 * The operations API: everything that operations staff read, and every verb. Each resource is an
 * interface, which a controller serves and the command line calls, in the same process or over
 * HTTP.
 */
@NullMarked
package palmares.api.ops;

import org.jspecify.annotations.NullMarked;
