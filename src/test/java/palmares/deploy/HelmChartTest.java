package palmares.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The Helm chart, rendered by Helm's own code: the base, and what the values change in it. */
class HelmChartTest {
  private static final Path CHART = Path.of("src", "deploy", "kubernetes");
  private static final String CHECKSUM = "palmares/boards";
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>palmares</artifactId>\\s+<version>([\\d.]+)");

  @TempDir private Path folder;

  @Test
  void helmFindsNothingWrong() {
    LintResult lint = new Helm(CHART).lint().strict().call();
    assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
  }

  @Test
  void withoutValuesItIsTheBase() throws IOException {
    Map<String, Object> rendered = render(chart -> chart);
    assertThat(rendered).containsKey("ConfigMap palmares-jobs");
    for (String file : List.of("writer.yaml", "scheduler.yaml", "network.yaml")) {
      objects(Files.readString(CHART.resolve(file)))
          .forEach(
              (name, object) -> {
                if (name.startsWith("Deployment")) {
                  at(container(object)).put("image", "palmares:" + version());
                  at(object, "spec", "template", "metadata", "annotations")
                      .put(CHECKSUM, at(annotations(rendered.get(name))).get(CHECKSUM));
                }
                assertThat(at(rendered.get(name)).get("spec"))
                    .as(name)
                    .isEqualTo(at(object).get("spec"));
              });
    }
  }

  @Test
  void valuesSetWhatAnInstallationNeeds() throws IOException {
    Path board = Files.writeString(folder.resolve("b.yml"), "title: Invitations\n");
    Path values =
        Files.writeString(
            folder.resolve("values.yaml"),
            """
            image: { repository: registry.example/palmares, tag: "7", pullSecrets: [registry] }
            secret: settlement
            env: [{ name: PALMARES_VERIFY_AT, value: "04:00" }]
            writer: { replicas: 1 }
            scheduler: { replicas: 3, resources: { limits: { memory: 2Gi } } }
            anchors: { persistentVolumeClaim: { claimName: anchors } }
            ingress: { host: ops.example, className: nginx, tlsSecret: tls }
            """);
    Map<String, Object> rendered =
        render(chart -> chart.withValuesFile(values).setFile("boards.invites", board));
    assertThat(at(rendered.get("ConfigMap palmares-jobs"), "data"))
        .containsExactly(Map.entry("invites.yml", "title: Invitations\n"));
    assertThat(rendered)
        .containsKey("PodDisruptionBudget palmares-scheduler")
        .doesNotContainKey("PodDisruptionBudget palmares-writer");
    assertThat(at(rendered.get("Ingress palmares")).toString())
        .contains("ops.example", "ingressClassName=nginx", "secretName=tls", "name=http");
    Object scheduler = Objects.requireNonNull(rendered.get("Deployment palmares-scheduler"));
    assertThat(at(scheduler, "spec")).containsEntry("replicas", 3);
    assertThat(at(scheduler, "spec", "template", "spec").toString())
        .contains(
            "image=registry.example/palmares:7",
            "imagePullSecrets=[{name=registry}]",
            "secretRef={name=settlement}",
            "name=PALMARES_WRITER_REQUIRE_DURABLE",
            "name=PALMARES_VERIFY_AT",
            "resources={limits={memory=2Gi}}",
            "persistentVolumeClaim={claimName=anchors}")
        .doesNotContain("name=anchors, emptyDir");
  }

  /** Else a pod would go on with the board files that it was started with. */
  @Test
  void otherBoardsRestartThePods() throws IOException {
    Path board = Files.writeString(folder.resolve("b.yml"), "title: Invitations\n");
    String name = "Deployment palmares-writer";
    assertThat(annotations(render(chart -> chart.setFile("boards.invites", board)).get(name)))
        .isNotEqualTo(annotations(render(chart -> chart).get(name)));
  }

  @Test
  void misspeltValuesAreRefused() {
    assertThatThrownBy(() -> render(chart -> chart.set("writer.replica", 3)))
        .hasMessageContaining("replica");
  }

  @Test
  void itHasTheVersionOfTheProgram() throws IOException {
    assertThat(CHART.resolve("Chart.yaml"))
        .content()
        .contains("\nversion: " + version() + "\n", "\nappVersion: " + version() + "\n");
  }

  /** That of the pom, without what an unreleased one ends with. */
  private static String version() {
    try {
      Matcher version = VERSION.matcher(Files.readString(Path.of("pom.xml")));
      assertThat(version.find()).isTrue();
      return version.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> render(UnaryOperator<TemplateCommand> values) {
    return objects(values.apply(new Helm(CHART).template().withName("palmares")).call());
  }

  /** The objects of a text, by kind and name. */
  private static Map<String, Object> objects(String text) {
    var objects = new TreeMap<String, Object>();
    for (Object object : new Yaml().loadAll(text)) {
      objects.put(at(object).get("kind") + " " + at(object, "metadata").get("name"), object);
    }
    return objects;
  }

  private static Object annotations(@Nullable Object deployment) {
    return at(deployment, "spec", "template", "metadata", "annotations");
  }

  private static Object container(Object deployment) {
    Object containers = at(deployment, "spec", "template", "spec").get("containers");
    return ((List<?>) Objects.requireNonNull(containers)).get(0);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> at(@Nullable Object object, String... path) {
    Object found = Objects.requireNonNull(object);
    for (String step : path) {
      found = Objects.requireNonNull(((Map<String, Object>) found).get(step), step);
    }
    return (Map<String, Object>) found;
  }
}
