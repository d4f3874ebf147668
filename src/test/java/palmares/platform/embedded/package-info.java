/** The laws of the embedded servers, tried on real ones in real processes. */
@NullMarked
package palmares.platform.embedded;

import org.jspecify.annotations.NullMarked;
