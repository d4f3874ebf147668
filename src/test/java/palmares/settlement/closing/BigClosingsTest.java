package palmares.settlement.closing;

import org.springframework.test.context.TestPropertySource;

/** All laws of closings, for outcomes with their own tables. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigClosingsTest extends ClosingLawsTest {}
