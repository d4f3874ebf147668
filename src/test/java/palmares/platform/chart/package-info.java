@NullMarked
package palmares.platform.chart;

import org.jspecify.annotations.NullMarked;
