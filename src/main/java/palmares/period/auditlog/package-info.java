/** The record of what people did that changes what is paid or shown: name, time and reason. */
@NullMarked
package palmares.period.auditlog;

import org.jspecify.annotations.NullMarked;
