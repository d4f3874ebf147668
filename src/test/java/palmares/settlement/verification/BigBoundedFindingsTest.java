package palmares.settlement.verification;

import org.springframework.test.context.TestPropertySource;

/** The same of outcomes that have own tables. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigBoundedFindingsTest extends BoundedFindingsTest {}
