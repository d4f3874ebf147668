package palmares.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.audit.*;
import palmares.closing.*;
import palmares.intake.*;
import palmares.period.*;
import palmares.testing.PalmaresTest;

@PalmaresTest
class FirstTest {
  @Autowired Intake intake;
  @Autowired ImportRuns imports;
  @Autowired Agenda agenda;
  @Autowired ClosingQueue queue;
  @Autowired Verification verification;

  @Test
  void works() throws Exception {
    var run = imports.begin("x");
    long t0 = System.nanoTime();
    var kinds = new TreeMap<String, Integer>();
    try (var in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(Path.of("../shared/data/events.ndjson.gz")))))) {
      var batch = new EventBatch();
      String line;
      while ((line = in.readLine()) != null) {
        batch.addLine(line.getBytes());
        if (batch.size() == 1000) {
          for (var o : batch.takenBy(intake, new Origin.History(run)))
            kinds.merge(o.kind() + " " + o.reason(), 1, Integer::sum);
          batch = new EventBatch();
        }
      }
      for (var o : batch.takenBy(intake, new Origin.History(run)))
        kinds.merge(o.kind() + " " + o.reason() + o.detail(), 1, Integer::sum);
    }
    imports.end(run);
    System.out.println("IMPORT " + (System.nanoTime() - t0) / 1e9 + " " + kinds);
    t0 = System.nanoTime();
    var due = agenda.due();
    var outcomes = new TreeMap<String, Integer>();
    for (var f : queue.close(due, "test")) {
      var c = f.join();
      outcomes.merge(c.outcome() + " " + c.detail(), 1, Integer::sum);
    }
    System.out.println(
        "CLOSE " + due.size() + " " + (System.nanoTime() - t0) / 1e9 + " " + outcomes);
    t0 = System.nanoTime();
    var f = verification.verifySettled(null, null);
    System.out.println("VERIFY " + (System.nanoTime() - t0) / 1e9 + f.summary() + f.named());
    assertThat(f.clean()).isTrue();
  }
}
