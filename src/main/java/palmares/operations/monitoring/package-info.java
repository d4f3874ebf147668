/**
 * Reports what needs attention: metrics and health of periods and closings. They are read from
 * PostgreSQL, so that every server of an installation answers the same.
 */
@NullMarked
package palmares.operations.monitoring;

import org.jspecify.annotations.NullMarked;
