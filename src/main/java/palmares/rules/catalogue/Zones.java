package palmares.rules.catalogue;

import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import palmares.platform.form.Scalar;
import palmares.platform.form.Scalars;

/** The zones that a board can name: regions of the IANA database, and UTC. */
final class Zones {
  private Zones() {}

  static Scalar<ZoneId> schemaNode() {
    return Scalars.among(
        "an IANA zone such as Asia/Shanghai, America/New_York or UTC (no abbreviation such as EST,"
            + " no offset such as +08:00)",
        all());
  }

  /** By name; {@code EST}, {@code GMT0} and the like are names too, but of no region. */
  private static Map<String, ZoneId> all() {
    var zones = new TreeMap<String, ZoneId>();
    zones.put("UTC", ZoneId.of("UTC"));
    ZoneId.getAvailableZoneIds().stream()
        .filter(name -> name.contains("/"))
        .filter(name -> !name.startsWith("Etc/") && !name.startsWith("SystemV/"))
        .forEach(name -> zones.put(name, ZoneId.of(name)));
    return zones;
  }
}
