package palmares.platform.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.WorldTest;

@WorldTest
class BulkLoadTest {
  /** Some twenty blocks, so that PostgreSQL has read the first before the last is sent. */
  private static final int ROWS = 100_000;

  private static final String COPYING = "select count(*) from pg_stat_progress_copy";

  @Autowired private BulkLoad bulk;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private TransactionTemplate transaction;

  @BeforeEach
  void aTable() {
    servers.sql("create table loaded (n int)");
  }

  @AfterEach
  void dropIt() {
    servers.sql("drop table loaded");
  }

  @Test
  @Timeout(60)
  void blocksAreSentWhileTheNextRowsAreEncoded() {
    transaction.executeWithoutResult(
        status ->
            bulk.stream(
                "loaded (n)",
                sink -> {
                  var rows = new BinaryRows(1, sink);
                  for (int n = 0; n < ROWS; n++) {
                    rows.row().int4(n);
                  }
                  while (records.number(
                          "select coalesce(sum(bytes_processed), 0) from pg_stat_progress_copy")
                      == 0) {
                    Thread.onSpinWait();
                  }
                  rows.finish();
                }));
    assertThat(records.number("select count(distinct n) from loaded")).isEqualTo(ROWS);
  }

  @Test
  void aReaderThatFailsCancelsTheCopy() {
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status ->
                        bulk.stream(
                            "loaded (n)",
                            sink -> {
                              var rows = new BinaryRows(1, sink);
                              rows.row().int4(1);
                              rows.finish();
                              throw new IllegalArgumentException("no more");
                            })))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no more");
    assertThat(records.number(COPYING)).isZero();
    assertThat(records.number("select count(*) from loaded")).isZero();
  }
}
