package palmares.settlement.closing;

import org.springframework.test.context.TestPropertySource;
import palmares.testing.WorldTest;

/** All laws of closings, where outcomes have tables of their own. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigClosingsTest extends ClosingLawsTest {}
