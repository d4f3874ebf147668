package palmares.bench.gauge;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Measures the use of this process's heap. */
public final class HeapGauge implements AutoCloseable {
  private static final double MEGABYTE = 1 << 20;

  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();
  private final AtomicLong kept = new AtomicLong();
  private final NotificationListener listener = this::collected;

  /** Begins to measure. */
  public HeapGauge() {
    pools.forEach(MemoryPoolMXBean::resetPeakUsage);
    ManagementFactory.getGarbageCollectorMXBeans()
        .forEach(
            collector ->
                ((NotificationEmitter) collector).addNotificationListener(listener, null, null));
  }

  private void collected(Notification notification, Object handback) {
    if (notification.getUserData() instanceof CompositeData data) {
      Map<String, MemoryUsage> after =
          GarbageCollectionNotificationInfo.from(data).getGcInfo().getMemoryUsageAfterGc();
      long used =
          pools.stream()
              .map(pool -> after.get(pool.getName()))
              .filter(Objects::nonNull)
              .mapToLong(MemoryUsage::getUsed)
              .sum();
      kept.accumulateAndGet(used, Math::max);
    }
  }

  /** Peak use in megabytes, garbage included. */
  public double peak() {
    return pools.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() / MEGABYTE;
  }

  /** Highest use after a collection, in megabytes; empty if there was no collection. */
  public OptionalDouble kept() {
    long most = kept.get();
    return most == 0 ? OptionalDouble.empty() : OptionalDouble.of(most / MEGABYTE);
  }

  @Override
  public void close() {
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      try {
        ((NotificationEmitter) collector).removeNotificationListener(listener);
      } catch (ListenerNotFoundException gone) {
        throw new IllegalStateException(gone);
      }
    }
  }
}
