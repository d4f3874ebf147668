/** Tests the embedded servers with real servers and processes. */
@NullMarked
package palmares.platform.embedded;

import org.jspecify.annotations.NullMarked;
