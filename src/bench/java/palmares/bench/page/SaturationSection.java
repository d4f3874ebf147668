package palmares.bench.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Writes the page's section about the processors: which part uses its cores fully first. */
final class SaturationSection {
  /** Share of a core from which a part counts as saturated. */
  private static final double SATURATED_SHARE = 0.9;

  private static final List<String> WAYS =
      List.of(
          "single",
          "batch",
          "committed",
          "committed_128",
          "committed_batch",
          "empty",
          "raw",
          "pipelined",
          "bare",
          "lock");

  private final Measurements measured;

  SaturationSection(Measurements measured) {
    this.measured = measured;
  }

  /**
   * A part and its processor use.
   *
   * @param cores number of cores that it uses
   */
  private record Busy(String name, double cores) {}

  /** The part about the largest closing. */
  String closing() {
    if (measured.sizes().isEmpty()) {
      return "No closing was measured.\n";
    }
    long members = measured.sizes().last();
    List<Busy> parts = parts(members);
    var table = new Table("of the closing of %s members".formatted(Units.count(members)), "cores");
    parts.forEach(part -> table.row(part.name(), Units.number(part.cores())));
    double cores = measured.find("cores").orElse(1);
    return table + "\n" + sentence(parts, cores) + "\n";
  }

  private List<Busy> parts(long members) {
    var parts = new ArrayList<Busy>();
    double seconds = measured.of(members, "close_seconds").orElse(1);
    for (String[] who :
        List.of(
            new String[] {"postgres", "PostgreSQL"},
            new String[] {"jvm", "this program"},
            new String[] {"redis", "Redis"})) {
      measured
          .of(members, who[0] + "_cpu_seconds")
          .ifPresent(used -> parts.add(new Busy(who[1], used / seconds)));
    }
    return parts;
  }

  private static String sentence(List<Busy> parts, double cores) {
    double all = parts.stream().mapToDouble(Busy::cores).sum();
    Optional<Busy> most = parts.stream().max(Comparator.comparingDouble(Busy::cores));
    if (most.isEmpty()) {
      return "";
    }
    String busiest = most.get().name();
    if (all >= SATURATED_SHARE * cores) {
      return "The processors saturate first: of %s cores %s are busy, most of them with %s."
          .formatted(Units.count(cores), Units.number(all), busiest);
    }
    if (most.get().cores() >= SATURATED_SHARE) {
      return "One core saturates first, with sequential work of %s; %s of %s are busy."
          .formatted(busiest, Units.number(all), Units.count(cores));
    }
    return ("No processor saturates: of %s cores %s are busy; the rest waits for the disk and"
            + " for other processes, mostly for %s.")
        .formatted(Units.count(cores), Units.number(all), busiest);
  }

  /** The part about writing. */
  String writing() {
    var table =
        new Table("writing", "events a second", "p99", "Redis", "server", "PostgreSQL", "clients");
    boolean any = false;
    for (String way : WAYS) {
      if (measured.find(way + "_per_second").isPresent()) {
        any = true;
        table.row(
            way,
            cell(way + "_per_second", ""),
            cell(way + "_p99_ms", " ms"),
            cell(way + "_redis_cpu", " %"),
            cell(way + "_server_cpu", " %"),
            cell(way + "_postgres_cpu", " %"),
            cell(way + "_clients_cpu", " %"));
      }
    }
    return any
        ? table + "\nRedis runs scripts on one core: at 100 % it is saturated.\n"
        : "Writing was not measured.\n";
  }

  private String cell(String name, String unit) {
    return Units.maybe(measured.find(name), value -> Units.number(value) + unit);
  }
}
