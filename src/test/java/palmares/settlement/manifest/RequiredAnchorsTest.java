package palmares.settlement.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.test.util.ReflectionTestUtils;
import palmares.platform.text.Texts;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.manifest.Anchors.Settings;
import palmares.settlement.verification.Difference;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Where the file of anchors is required, its absence is a difference. */
@WorldTest
class RequiredAnchorsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Anchors anchors;
  @Autowired private Settings usually;

  @BeforeEach
  void require() {
    set(new Settings(usually.folder(), true));
    settleAContest();
  }

  @AfterEach
  void requireNoMore() {
    set(usually);
  }

  /** Instead of another application for these tests. */
  private void set(Settings settings) {
    ReflectionTestUtils.setField(anchors, "settings", settings);
  }

  @Test
  void theyAreRequiredByTheSettingThatMessagesName() {
    var source = new MapConfigurationPropertySource(Map.of("palmares.anchors.required", "true"));
    assertThat(new Binder(source).bind("palmares.anchors", Settings.class).get().required())
        .isTrue();
  }

  private void settleAContest() {
    var day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    assertThat(sentences()).isEmpty();
  }

  private List<String> sentences() {
    return records.verify().named().stream().map(Difference::said).map(Texts::english).toList();
  }

  @Test
  void aMissingFileIsADifferenceAndIsNotBegunAgain() throws Exception {
    byte[] kept = Files.readAllBytes(anchors.file());
    Files.delete(anchors.file());
    assertThat(sentences())
        .containsExactly(
            "missing: anchors of the manifests in %s: 1 link".formatted(anchors.file()));
    world.pass(Duration.ofDays(2));
    assertThat(anchors.keep().map(Texts::english))
        .get()
        .asString()
        .contains("is missing: put it back");
    assertThat(anchors.file()).doesNotExist();
    Files.write(anchors.file(), kept);
    assertThat(anchors.keep()).isEmpty();
    assertThat(sentences()).isEmpty();
  }

  /** As on a disk that fails: in its place is a folder. */
  @Test
  void nothingIsPostedWhileTheFileCannotBeRead() throws Exception {
    byte[] kept = Files.readAllBytes(anchors.file());
    var next = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    long posted = records.number("select count(*) from transfer");
    Files.delete(anchors.file());
    Files.createDirectory(anchors.file());
    assertThat(world.close(next).outcome()).isNotEqualTo(ClosingResult.Status.SETTLED);
    assertThat(records.number("select count(*) from transfer")).isEqualTo(posted);
    Files.delete(anchors.file());
    Files.write(anchors.file(), kept);
    world.settle(next);
    assertThat(sentences()).isEmpty();
  }
}
