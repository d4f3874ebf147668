/**
 * The HTTP door for readers: what stands on a board. {@code lines} are a period's lines, live or
 * settled; {@code stream} pushes the best of them as they change.
 */
@NullMarked
package palmares.api.reader;

import org.jspecify.annotations.NullMarked;
