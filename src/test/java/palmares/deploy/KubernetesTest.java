package palmares.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.DurationStyle;
import org.yaml.snakeyaml.Yaml;

/** The base for Kubernetes: read into its own types, and what its parts say of each other. */
class KubernetesTest {
  private static final Path FOLDER = Path.of("src", "deploy", "kubernetes");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long USER_OF_THE_IMAGE = 10001;

  /** Of pods that may scrape metrics; documented in the file of the policy. */
  private static final String METRICS_LABEL = "palmares/scrapes-metrics";

  /** Requests, then closing steps and connections: 20 s each. */
  private static final Duration LONGEST_STOP = Duration.ofSeconds(60);

  @ParameterizedTest
  @ValueSource(strings = {"writer", "scheduler"})
  void everyFieldIsOneOfKubernetes(String role) throws IOException {
    assertThat(documents(role + ".yaml")).hasSize(2);
    requireKnownFields(document(role + ".yaml", 0), Deployment.class);
    requireKnownFields(document(role + ".yaml", 1), PodDisruptionBudget.class);
    requireKnownFields(document("network.yaml", 0), Service.class);
    requireKnownFields(document("network.yaml", 1), NetworkPolicy.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"writer", "scheduler"})
  void theProbesAskTheManagementPort(String role) throws IOException {
    Container container = container(role);
    assertThat(container.getArgs()).containsExactly("server", "--roles", role);
    assertThat(container.getPorts())
        .filteredOn(port -> port.getName().equals("management"))
        .extracting(ContainerPort::getContainerPort)
        .containsExactly(8081);
    for (Probe probe : List.of(container.getStartupProbe(), container.getLivenessProbe())) {
      requireProbe(probe, "/actuator/health/liveness");
    }
    requireProbe(container.getReadinessProbe(), "/actuator/health/readiness");
  }

  private static void requireProbe(Probe probe, String path) {
    assertThat(probe.getHttpGet().getPath()).isEqualTo(path);
    assertThat(probe.getHttpGet().getPort().getStrVal()).isEqualTo("management");
  }

  @ParameterizedTest
  @ValueSource(strings = {"writer", "scheduler"})
  void aPodStopsOnlyAfterItsWorkAndNeverTogetherWithAllOthers(String role) throws IOException {
    Deployment deployment = deployment(role);
    PodSpec pod = deployment.getSpec().getTemplate().getSpec();
    Duration drain =
        container(role).getEnv().stream()
            .filter(variable -> variable.getName().equals("PALMARES_SERVER_DRAIN_TIME"))
            .map(variable -> DurationStyle.detectAndParse(variable.getValue()))
            .findFirst()
            .orElse(Duration.ZERO);
    assertThat(Duration.ofSeconds(pod.getTerminationGracePeriodSeconds()))
        .isGreaterThanOrEqualTo(drain.plus(LONGEST_STOP));

    var budget = MAPPER.convertValue(document(role + ".yaml", 1), PodDisruptionBudget.class);
    Map<String, String> labels = deployment.getSpec().getTemplate().getMetadata().getLabels();
    assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(budget.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(budget.getSpec().getMinAvailable().getIntVal())
        .isPositive()
        .isLessThan(deployment.getSpec().getReplicas());
  }

  @ParameterizedTest
  @ValueSource(strings = {"writer", "scheduler"})
  void aPodIsConfinedAndItsSecretsAreReferences(String role) throws IOException {
    PodSpec pod = deployment(role).getSpec().getTemplate().getSpec();
    Container container = container(role);
    assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(USER_OF_THE_IMAGE);
    assertThat(Files.readString(Path.of("src", "deploy", "Dockerfile")))
        .contains("\nUSER %1$d:%1$d\n".formatted(USER_OF_THE_IMAGE));
    assertThat(pod.getEnableServiceLinks()).isFalse();
    assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    assertThat(container.getEnvFrom())
        .allSatisfy(from -> assertThat(from.getSecretRef().getName()).isNotEmpty());
    assertThat(container.getEnv())
        .isNotEmpty()
        .noneMatch(variable -> variable.getName().matches(".*(PASSWORD|SECRET|URL).*"));
    assertThat(container.getResources().getLimits()).containsKey("memory");
    assertThat(container.getVolumeMounts())
        .extracting(VolumeMount::getName)
        .containsExactlyInAnyOrderElementsOf(
            pod.getVolumes().stream().map(Volume::getName).toList());
  }

  @Test
  void theServiceReachesTheWriters() throws IOException {
    var service = MAPPER.convertValue(document("network.yaml", 0), Service.class);
    assertThat(deployment("writer").getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(service.getSpec().getSelector());
    assertThat(deployment("scheduler").getSpec().getTemplate().getMetadata().getLabels())
        .doesNotContainEntry(
            "app.kubernetes.io/component",
            service.getSpec().getSelector().get("app.kubernetes.io/component"));
    assertThat(container("writer").getPorts())
        .extracting(ContainerPort::getName)
        .contains(service.getSpec().getPorts().get(0).getTargetPort().getStrVal());
  }

  @ParameterizedTest
  @ValueSource(strings = {"writer", "scheduler"})
  void onlyPodsWithTheLabelReachTheManagementPort(String role) throws IOException {
    var policy = MAPPER.convertValue(document("network.yaml", 1), NetworkPolicy.class).getSpec();
    assertThat(deployment(role).getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(policy.getPodSelector().getMatchLabels())
        .doesNotContainKey(METRICS_LABEL);
    assertThat(policy.getPolicyTypes()).containsExactly("Ingress");
    for (ContainerPort port : container(role).getPorts()) {
      List<NetworkPolicyIngressRule> rules =
          policy.getIngress().stream()
              .filter(any -> numbers(any).contains(port.getContainerPort()))
              .toList();
      assertThat(rules).hasSize(1);
      NetworkPolicyIngressRule rule = rules.get(0);
      assertThat(numbers(rule)).hasSize(1);
      if (port.getName().equals("management")) {
        assertThat(rule.getFrom())
            .singleElement()
            .satisfies(
                from -> {
                  assertThat(from.getPodSelector().getMatchLabels())
                      .containsExactly(Map.entry(METRICS_LABEL, "true"));
                  assertThat(from.getNamespaceSelector()).isNull();
                  assertThat(from.getIpBlock()).isNull();
                });
      } else {
        assertThat(rule.getFrom()).isEmpty();
      }
    }
  }

  private static List<Integer> numbers(NetworkPolicyIngressRule rule) {
    return rule.getPorts().stream()
        .map(NetworkPolicyPort::getPort)
        .map(IntOrString::getIntVal)
        .toList();
  }

  @Test
  @SuppressWarnings("unchecked")
  void theKustomizationNamesFilesThatExist() throws IOException {
    Map<String, Object> kustomization = documents("kustomization.yaml").get(0);
    assertThat((List<String>) Objects.requireNonNull(kustomization.get("resources")))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(FOLDER.resolve(file)).isRegularFile());
    var maps =
        (List<Map<String, Object>>) Objects.requireNonNull(kustomization.get("configMapGenerator"));
    assertThat(
            deployment("writer").getSpec().getTemplate().getSpec().getVolumes().stream()
                .map(Volume::getConfigMap)
                .filter(Objects::nonNull))
        .singleElement()
        .satisfies(volume -> assertThat(volume.getName()).isEqualTo(maps.get(0).get("name")));
    assertThat(maps.get(0)).as("a base has no boards that would be paid").containsOnlyKeys("name");
  }

  @Test
  @SuppressWarnings("unchecked")
  void everyImageHasAVersion() throws IOException {
    Map<String, Object> kustomization = documents("kustomization.yaml").get(0);
    var images = (List<Map<String, Object>>) Objects.requireNonNull(kustomization.get("images"));
    assertThat(Path.of("pom.xml"))
        .content()
        .containsPattern(
            "<version>%s(-SNAPSHOT)?</version>".formatted(images.get(0).get("newTag")));
    try (Stream<String> lines = Files.lines(Path.of("src", "deploy", "compose.yaml"))) {
      assertThat(lines.filter(line -> line.contains(" image: ")).toList())
          .isNotEmpty()
          .allMatch(line -> line.contains("${IMAGE:-palmares}") || line.matches(".*\\d}?"))
          .noneMatch(line -> line.contains("latest"));
    }
  }

  private static Deployment deployment(String role) throws IOException {
    return MAPPER.convertValue(document(role + ".yaml", 0), Deployment.class);
  }

  private static Container container(String role) throws IOException {
    return deployment(role).getSpec().getTemplate().getSpec().getContainers().get(0);
  }

  private static Map<String, Object> document(String file, int index) throws IOException {
    return documents(file).get(index);
  }

  private static List<Map<String, Object>> documents(String file) throws IOException {
    var documents = new ArrayList<Map<String, Object>>();
    for (Object document : new Yaml().loadAll(Files.readString(FOLDER.resolve(file)))) {
      documents.add(MAPPER.convertValue(document, MAPPER.constructType(Map.class)));
    }
    return documents;
  }

  /**
   * Kubernetes ignores fields that it does not know, and the types keep them aside; so each field
   * must be a property of its type.
   */
  private static void requireKnownFields(Map<String, Object> document, Class<?> type) {
    var unknown = new ArrayList<String>();
    findUnknown(MAPPER.valueToTree(document), MAPPER.convertValue(document, type), "", unknown);
    assertThat(unknown).isEmpty();
  }

  private static void findUnknown(JsonNode node, Object bean, String path, List<String> unknown) {
    if (node.isArray() && bean instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        findUnknown(
            node.get(i), Objects.requireNonNull(list.get(i)), path + "[" + i + "]", unknown);
      }
      return;
    }
    if (!bean.getClass().getName().startsWith("io.fabric8.kubernetes.api.model")
        || !node.isObject()) {
      return;
    }
    node.properties()
        .forEach(
            field -> {
              String name = field.getKey();
              try {
                Object value =
                    bean.getClass()
                        .getMethod(
                            "get" + Character.toUpperCase(name.charAt(0)) + name.substring(1))
                        .invoke(bean);
                findUnknown(
                    field.getValue(), Objects.requireNonNull(value), path + "." + name, unknown);
              } catch (ReflectiveOperationException | NullPointerException e) {
                unknown.add(path + "." + name);
              }
            });
  }
}
