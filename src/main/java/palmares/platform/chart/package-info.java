/**
 * Draws charts as SVG for pages, reports and the benchmark. A chart is built from records; colours
 * come from one style sheet, so that a page with a strict content security policy can embed it.
 */
@NullMarked
package palmares.platform.chart;

import org.jspecify.annotations.NullMarked;
