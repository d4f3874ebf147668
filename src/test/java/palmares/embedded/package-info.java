/** The laws of the embedded servers, tried on real ones in real processes. */
@NullMarked
package palmares.embedded;

import org.jspecify.annotations.NullMarked;
