/** The choice of servers and what is said when they do not answer. */
@NullMarked
package palmares.platform.infra;

import org.jspecify.annotations.NullMarked;
