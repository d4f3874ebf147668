package palmares.platform.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.WorldTest;

@WorldTest
class BulkLoadTest {
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
