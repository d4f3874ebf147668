/** Many rows into one table by COPY, in the transaction that is under way. */
@NullMarked
package palmares.platform.bulk;

import org.jspecify.annotations.NullMarked;
