/**
 * Moves the history of periods that are long over into files, which prove themselves; drops from
 * the database only what has been read back from there.
 */
@NullMarked
package palmares.operations.archive;

import org.jspecify.annotations.NullMarked;
