/**
 * What the HTTP doors share: every problem that they answer with, by its own type; requests that
 * are answered once; how addresses are read; and the document that describes them all.
 */
@NullMarked
package palmares.api.http;

import org.jspecify.annotations.NullMarked;
