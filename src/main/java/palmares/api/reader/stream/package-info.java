/**
 * Streams the top lines of boards as server-sent events. One thread reads the watched boards; a
 * slow watcher does not delay others.
 */
@NullMarked
package palmares.api.reader.stream;

import org.jspecify.annotations.NullMarked;
