/**
 * Pushes the top of a board to whoever watches it, as it changes. One thread looks at each watched
 * board, and no watcher holds up another.
 */
@NullMarked
package palmares.api.reader.stream;

import org.jspecify.annotations.NullMarked;
