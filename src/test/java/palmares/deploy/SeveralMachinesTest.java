package palmares.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.testing.Installed;

/** What is deployed on several machines: its parts agree, and their own programs accept it. */
class SeveralMachinesTest {
  private static final Path DEPLOY = Path.of("src", "deploy");

  private static final Pattern NODES = Pattern.compile("SPRING_DATA_REDIS_CLUSTER_NODES: (\\S+)");

  @TempDir private Path folder;

  private static String read(String file) throws IOException {
    return Files.readString(DEPLOY.resolve(file));
  }

  @Test
  void theNodesOfTheClusterAreServicesThatStartBeforeIt() throws IOException {
    String compose = read("compose.ha.yaml");
    var nodes = NODES.matcher(compose);
    assertThat(nodes.find()).isTrue();
    List<String> named = Arrays.stream(nodes.group(1).split(",")).toList();
    assertThat(named).hasSize(6).doesNotHaveDuplicates();
    for (String node : named) {
      String host = node.replace(":6379", "");
      assertThat(compose)
          .contains(
              "  %1$s: { <<: *redis, hostname: %1$s, volumes: [\"%1$s:/data\"] }".formatted(host))
          .contains("      %s: { condition: service_healthy }".formatted(host))
          .contains("\n  %s:\n".formatted(host));
    }
  }

  @Test
  void haproxyAcceptsItsConfigurationAndAsksTheManagementPort() throws Exception {
    assertThat(read("ha/haproxy.cfg"))
        .contains("httpchk GET /actuator/health/readiness", "check port 8081");
    assertThat(
            run(
                Installed.require("haproxy", "haproxy"),
                "-c",
                "-f",
                DEPLOY.resolve("ha/haproxy.cfg").toString()))
        .contains("Configuration file is valid");
  }

  @Test
  void theOverlayChangesWhatTheBaseHas() throws Exception {
    Optional<Path> kubectl = Installed.find("kubectl"); // Debian has no package of it.
    assumeTrue(kubectl.isPresent(), "kubectl is not installed");
    String overlaid =
        run(kubectl.orElseThrow(), "kustomize", DEPLOY.resolve("kubernetes-ha").toString());
    assertThat(overlaid.split("replicas: 3", -1)).as("deployments").hasSize(3);
    assertThat(overlaid.split("claimName: palmares-anchors", -1)).as("volumes").hasSize(3);
    assertThat(overlaid).contains("kind: PersistentVolumeClaim").doesNotContain("ScheduleAnyway");
  }

  private String run(Path program, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    int status =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    assertThat(status).as("%s", Files.readString(output)).isZero();
    return Files.readString(output);
  }
}
