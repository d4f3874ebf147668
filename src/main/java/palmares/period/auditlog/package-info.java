/** The audit log: who changed what is paid or shown, when, and why. */
@NullMarked
package palmares.period.auditlog;

import org.jspecify.annotations.NullMarked;
