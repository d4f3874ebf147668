/**
 * Archives the journals of periods in files, and deletes from the database only what has been read
 * back from them.
 */
@NullMarked
package palmares.operations.archive;

import org.jspecify.annotations.NullMarked;
