/** Collects what needs a person, for the console, the operations API and the command line. */
@NullMarked
package palmares.operations.inbox;

import org.jspecify.annotations.NullMarked;
