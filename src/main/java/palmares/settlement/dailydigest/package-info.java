/** Reports once a day, in one process of the cluster, what closed and what needs attention. */
@NullMarked
package palmares.settlement.dailydigest;

import org.jspecify.annotations.NullMarked;
