/** Real processes, killed by SIGKILL wherever they are: what they leave, the next run finishes. */
@NullMarked
package palmares.crash;

import org.jspecify.annotations.NullMarked;
