package palmares.period.exclusion;

import org.springframework.test.context.TestPropertySource;

/** The same of outcomes that have own tables, which are verified by a walk over the places. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigFinalOrderLawTest extends FinalOrderLawTest {}
