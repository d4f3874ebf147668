package palmares.settlement.verification;

import org.springframework.test.context.TestPropertySource;
import palmares.testing.WorldTest;

/** The same of outcomes that have own tables. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigBoundedFindingsTest extends BoundedFindingsTest {}
