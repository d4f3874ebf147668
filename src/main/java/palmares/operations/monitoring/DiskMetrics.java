package palmares.operations.monitoring;

import io.micrometer.core.instrument.Tags;
import java.io.File;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsProperties;
import org.springframework.boot.micrometer.metrics.system.DiskSpaceMetricsBinder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Measures each folder of {@code management.metrics.system.diskspace.paths} once. Several settings
 * may name the same folder, of which Spring Boot's own bean would warn.
 */
@Configuration(proxyBeanMethods = false)
class DiskMetrics {
  @Bean
  @ConditionalOnProperty("palmares.signals.background")
  DiskSpaceMetricsBinder diskSpaceMetrics(MetricsProperties properties) {
    List<File> folders =
        properties.getSystem().getDiskspace().getPaths().stream()
            .map(path -> path.toPath().toAbsolutePath().normalize().toFile())
            .distinct()
            .toList();
    return new DiskSpaceMetricsBinder(folders, Tags.empty());
  }
}
