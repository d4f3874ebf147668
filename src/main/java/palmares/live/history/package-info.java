/**
 * Imports histories, which are files with one event per line. Reads them in batches in constant
 * memory; running an import again has no further effect.
 */
@NullMarked
package palmares.live.history;

import org.jspecify.annotations.NullMarked;
