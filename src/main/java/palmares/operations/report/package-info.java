/** Read-only answers over the report views, and the verification that derives them anew. */
@NullMarked
package palmares.operations.report;

import org.jspecify.annotations.NullMarked;
