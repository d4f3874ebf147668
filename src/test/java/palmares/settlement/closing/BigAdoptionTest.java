package palmares.settlement.closing;

import org.springframework.test.context.TestPropertySource;
import palmares.testing.WorldTest;

/** All laws of adopted boards, for outcomes with their own tables. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigAdoptionTest extends AdoptionTest {}
