package palmares.platform.chart;

import java.util.Locale;

/**
 * What a chart shows.
 *
 * @param title its name, which screen readers read first
 * @param description what the chart says in words, for readers who do not see it; may be empty
 * @param locale of numbers and of the names of months
 */
public record Caption(String title, String description, Locale locale) {}
