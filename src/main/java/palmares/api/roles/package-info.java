/** Who calls, what roles there are, and the rule of each endpoint. */
@NullMarked
package palmares.api.roles;

import org.jspecify.annotations.NullMarked;
