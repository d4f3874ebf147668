/**
 * HTTP endpoints that read boards. {@code lines} reads a period's lines, live or settled; {@code
 * stream} pushes the top lines as they change.
 */
@NullMarked
package palmares.api.reader;

import org.jspecify.annotations.NullMarked;
