@NullMarked
package palmares.cli.launch;

import org.jspecify.annotations.NullMarked;
