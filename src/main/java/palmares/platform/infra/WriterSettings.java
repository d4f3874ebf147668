package palmares.platform.infra;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a writer asks of its servers.
 *
 * @param requireDurable whether it refuses to start on a Redis that may lose acknowledged events by
 *     its settings, or does not say that it does not; otherwise it warns
 */
@ConfigurationProperties("palmares.writer")
record WriterSettings(@DefaultValue("false") boolean requireDurable) {}
