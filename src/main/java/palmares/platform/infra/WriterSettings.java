package palmares.platform.infra;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of a writer.
 *
 * @param requireDurable whether to fail the start if Redis may lose acknowledged events by its
 *     settings, or does not report them; otherwise a warning is logged
 */
@ConfigurationProperties("palmares.writer")
record WriterSettings(@DefaultValue("false") boolean requireDurable) {}
