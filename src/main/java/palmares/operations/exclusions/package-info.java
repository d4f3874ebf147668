/** Makes many exclusions at once, from a file or for a list of members. */
@NullMarked
package palmares.operations.exclusions;

import org.jspecify.annotations.NullMarked;
