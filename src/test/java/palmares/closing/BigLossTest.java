package palmares.closing;

import org.junit.jupiter.api.AfterEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import palmares.bulk.OwnTables;
import palmares.testing.WorldTest;

/** The same losses, where the snapshot has a table of its own and is proved by pieces. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigLossTest extends LossTest {
  @Autowired private OwnTables own;

  @AfterEach
  void noTableIsLeft() {
    own.drop("snapshot", day.id().value());
  }
}
