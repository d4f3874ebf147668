package palmares.settlement.verification;

import org.springframework.test.context.TestPropertySource;

/** The same of outcomes that have own tables, whose verification avoids nested loops. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigReadRowsTest extends ReadRowsTest {}
