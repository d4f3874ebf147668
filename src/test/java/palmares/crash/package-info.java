/**
 * Real processes, ended by SIGKILL and SIGTERM wherever they are: the next run finishes the work.
 */
@NullMarked
package palmares.crash;

import org.jspecify.annotations.NullMarked;
