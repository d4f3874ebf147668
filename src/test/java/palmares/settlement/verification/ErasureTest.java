package palmares.settlement.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Texts;
import palmares.rules.board.MemberId;
import palmares.settlement.manifest.Anchor;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.manifest.ChainLink;
import palmares.settlement.manifest.ChainLink.Chain;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Verification names a paid period that the owner of the tables erased with all its rows. */
@WorldTest
class ErasureTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Verification verification;
  @Autowired private Anchors anchors;
  @Autowired private Exclusions exclusions;

  private Period first;
  private Period last;

  @BeforeEach
  void twoSettledContests() {
    first = settle("title: The first");
    last = settle("title: The last");
    assertThat(sentences()).isEmpty();
  }

  private Period settle(String title) {
    Period day = world.open(world.board(Contest.rules().with(title)));
    world.take(Contest.facts());
    return world.settle(day);
  }

  private List<String> sentences() {
    return records.verify().named().stream().map(Difference::said).map(Texts::english).toList();
  }

  private List<Anchor> all() {
    var all = new ArrayList<Anchor>();
    assertThat(anchors.read(anchors.copy(), all::addAll)).isEmpty();
    return all;
  }

  private void erase(Period period, boolean link) {
    servers.unguarded(
        () ->
            servers.sql(
                """
                do $$
                declare
                  place text;
                begin
                  for place in
                    select unnest(array['line', 'payment', 'prize'])
                  loop
                    execute format(
                      'delete from %%I where outcome in (
                        select id from revision where period_id = %1$s)', place);
                  end loop;
                  for place in
                    select table_name
                    from information_schema.columns
                    join information_schema.tables using (table_schema, table_name)
                    where table_schema = current_schema()
                      and column_name = 'period_id'
                      and table_type = 'BASE TABLE'
                      and (%2$s or table_name <> 'manifest_link')
                  loop
                    execute format('delete from %%I where period_id = %1$s', place);
                  end loop;
                  delete from period where id = %1$s;
                end $$
                """
                    .formatted(period.id(), link)));
  }

  @ParameterizedTest
  @CsvSource({"first, false", "first, true", "last, false", "last, true"})
  void anErasedPeriodIsNamed(String which, boolean link) {
    Period erased = which.equals("first") ? first : last;
    erase(erased, link);
    assertThat(sentences())
        .anySatisfy(found -> assertThat(found).startsWith("missing: ").contains(erased.label()));
  }

  /** The remaining ledger balances, and the rewritten chain is consistent. */
  @Test
  void aRewrittenChainDiffersFromItsAnchors() {
    erase(first, true);
    servers.unguarded(
        () -> servers.sql("update manifest_link set hash = hash_of(manifest_link, '')"));
    assertThat(sentences())
        .hasSize(2)
        .anySatisfy(
            found ->
                assertThat(found)
                    .startsWith("missing: ")
                    .contains("of the manifests, of " + first.label() + " 1, anchored at "))
        .anySatisfy(
            found -> assertThat(found).startsWith("unequal: ").contains("of " + last.label()));
  }

  /** As the owner of the tables can if the file is on the same machine. */
  @Test
  void aChainThatWasRewrittenWithItsFileDiffersFromALinkThatSomebodyKept() throws Exception {
    String kept = anchors.last().get(0).link().toString();
    assertThat(verification.verifySettled(null, null, ChainLink.in(kept)).named()).isEmpty();
    erase(first, true);
    servers.unguarded(
        () -> servers.sql("update manifest_link set hash = hash_of(manifest_link, '')"));
    Files.delete(anchors.file());
    assertThat(sentences()).isEmpty();
    assertThat(verification.verifySettled(null, null, ChainLink.in(kept)).named())
        .singleElement()
        .extracting(difference -> Texts.english(difference.said()))
        .asString()
        .startsWith("unequal: link ")
        .contains(" of the manifests, as it was kept: derived " + ChainLink.in(kept).get(0).hash());
  }

  @Test
  void aLinkIsFoundInEachFormInWhichItIsKept() throws Exception {
    String hash = "0123456789abcdef".repeat(4);
    var manifests = new ChainLink(Chain.MANIFESTS, 812, hash);
    var auditLog = new ChainLink(Chain.AUDIT_LOG, 7, hash);
    assertThat(ChainLink.in("manifests 812 " + hash)).containsExactly(manifests);
    assertThat(
            ChainLink.in(
                "last link of a chain: audit-log 7 %s, of exclude by boss".formatted(hash)))
        .containsExactly(auditLog);
    assertThat(
            ChainLink.in(
                """
                {"link": 812, "linkHash": "%1$s", "auditLink":7,"auditLinkHash":"%1$s"}
                """
                    .formatted(hash)))
        .containsExactly(manifests, auditLog);
    assertThat(ChainLink.in(Files.readString(anchors.file())))
        .isEqualTo(all().stream().map(Anchor::link).toList());
    assertThat(ChainLink.in("manifests 812 " + hash.substring(1))).isEmpty();
  }

  @Test
  void anErasedPeriodBetweenOthersBreaksTheChain() throws Exception {
    Files.delete(anchors.file());
    erase(first, true);
    assertThat(sentences())
        .singleElement()
        .asString()
        .startsWith("unequal: ")
        .contains("of the manifests, of " + last.label());
  }

  @Test
  void anchorsAreAppendedOncePerLink() throws Exception {
    Path file = anchors.file();
    List<String> before = Files.readAllLines(file);
    assertThat(all())
        .extracting(Anchor::what)
        .containsExactly(first.label() + " 1", last.label() + " 1");
    anchors.keep();
    Period third = settle("title: The third");
    assertThat(Files.readAllLines(file)).startsWith(before.toArray(String[]::new)).hasSize(3);
    assertThat(all().get(2).what()).startsWith(third.label());
  }

  @Test
  void theLastAuditEntryIsMissedIfErasedWithItsEffect() {
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "cheats", "boss");
    anchors.keep();
    servers.unguarded(
        () -> {
          for (String table : List.of("exclusion", "audit_entry", "audit_link")) {
            servers.sql("delete from " + table);
          }
        });
    assertThat(sentences())
        .singleElement()
        .asString()
        .startsWith("missing: ")
        .contains("of the audit-log, of exclude by boss at ");
  }

  /** Then who keeps the links of the manifests needs no others. */
  @Test
  void anAuditEntryThatWasErasedWithItsEffectIsMissedByTheNextManifest() throws Exception {
    exclusions.exclude(Terms.always(new MemberId("zed"), ExclusionLevel.HIDDEN), "cheats", "boss");
    settle("title: The third");
    Files.delete(anchors.file());
    servers.unguarded(
        () -> {
          for (String table : List.of("exclusion", "audit_entry", "audit_link")) {
            servers.sql("delete from " + table);
          }
        });
    assertThat(sentences())
        .singleElement()
        .asString()
        .startsWith("missing: audit entry of link ")
        .contains(" of the audit-log, in link ");
  }

  @Test
  void aNameWithLineBreaksMakesNoSecondAnchor() throws Exception {
    String forged = "boss\n2026-11-20T10:00:00Z audit-log 7 0000 exclude";
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "cheats", forged);
    int before = Files.readAllLines(anchors.file()).size();
    anchors.keep();
    assertThat(Files.readAllLines(anchors.file())).hasSize(before + 1);
    assertThat(sentences()).isEmpty();
  }

  /** Another process may append them, or this one after a failed write. */
  @Test
  void missingAnchorsAreAppendedLaterToAFileForItsOwnerOnly() throws Exception {
    Files.delete(anchors.file());
    anchors.keep();
    assertThat(all()).hasSize(2);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(anchors.file())))
        .isEqualTo("rw-------");
  }

  @Test
  void aVerificationSaysHowManyAnchorsItCompared() {
    assertThat(records.verify().anchors()).isEqualTo(2);
    assertThat(records.verify().notes()).isEmpty();
  }

  /** Not a difference: each machine has its own file, which may be new. */
  @Test
  void aMissingFileAndAFileThatWasBegunAgainAreNoted() throws Exception {
    Files.delete(anchors.file());
    assertThat(records.verify().notes())
        .as("the link of the last minutes is not missed yet, as in a new installation")
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("has no anchors of 1 link of the manifests");
    world.pass(Duration.ofMinutes(10));
    Findings findings = records.verify();
    assertThat(findings.clean()).isTrue();
    assertThat(findings.anchors()).isZero();
    assertThat(findings.notes())
        .extracting(Texts::english)
        .containsExactly(
            "%s has no anchors of 2 links of the manifests, which are compared with nothing"
                .formatted(anchors.file()));
    world.pass(Duration.ofDays(2));
    assertThat(anchors.keep()).isEmpty();
    assertThat(records.verify().anchors()).isEqualTo(2);
    assertThat(records.verify().notes())
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("has 2 anchors of the manifests that were written more than a day after");
  }

  @Test
  void aLineThatWasTakenOutOfTheFileIsNoted() throws Exception {
    Path file = anchors.file();
    Files.write(file, Files.readAllLines(file).subList(1, 2));
    assertThat(records.verify().notes())
        .extracting(Texts::english)
        .singleElement()
        .asString()
        .contains("has no anchors of 1 link of the manifests");
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidAndTriedAgain() throws Exception {
    Files.delete(anchors.file());
    Files.createDirectory(anchors.file());
    assertThat(anchors.keep()).isPresent();
    Files.delete(anchors.file());
    assertThat(anchors.keep()).isEmpty();
    assertThat(all()).hasSize(2);
  }

  /** Forms in which a full disk or a crash leaves the last line, and one of a damaged disk. */
  static Stream<Arguments> tornForms() {
    return Stream.of(
        Arguments.of("no line break", torn(line -> line.substring(0, line.length() - 1)), true),
        Arguments.of("half a line", torn(line -> line.substring(0, line.length() / 2)), false),
        Arguments.of("a part of its hash", torn(line -> line.substring(0, 60)), false),
        Arguments.of("one byte", torn(line -> line.substring(0, 1)), false),
        Arguments.of(
            "another hash",
            torn(line -> line.replaceFirst("(audit-log \\d+ )[0-9a-f]", "$1x")),
            false),
        Arguments.of(
            "half a character",
            (Function<byte[], byte[]>)
                line -> {
                  byte[] half = Arrays.copyOf(line, line.length);
                  half[line.length - 1] = (byte) 0xe4;
                  return half;
                },
            false),
        Arguments.of("zeros", (Function<byte[], byte[]>) line -> new byte[line.length], false));
  }

  private static Function<byte[], byte[]> torn(Function<String, String> form) {
    return line -> form.apply(new String(line, UTF_8)).getBytes(UTF_8);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tornForms")
  void aTornLineIsSkippedAndNextLinesAreWhole(
      String name, Function<byte[], byte[]> form, boolean readable) throws Exception {
    Path file = anchors.file();
    byte[] before = Files.readAllBytes(file);
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "cheats", "böss");
    assertThat(anchors.keep()).isEmpty();
    byte[] whole = Files.readAllBytes(file);
    byte[] last = form.apply(Arrays.copyOfRange(whole, before.length, whole.length));
    Files.write(file, whole, StandardOpenOption.APPEND);
    assertThat(anchors.keep()).as("so that it reads the shorter file from the start").isEmpty();
    Files.write(file, before);
    Files.write(file, last, StandardOpenOption.APPEND);
    exclusions.exclude(Terms.always(new MemberId("bob"), ExclusionLevel.HIDDEN), "cheats", "böss");
    assertThat(anchors.keep()).isEmpty();
    assertThat(anchors.keep()).as("once more").isEmpty();
    Findings findings = records.verify();
    assertThat(findings.named()).isEmpty();
    if (readable) {
      assertThat(findings.notes()).isEmpty();
    } else {
      assertThat(findings.notes())
          .extracting(Texts::english)
          .anyMatch(note -> note.contains("torn lines, which are skipped"));
    }
    assertThat(findings.anchors()).isEqualTo(4);
  }
}
