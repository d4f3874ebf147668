package palmares.settlement.closing;

import palmares.testing.OwnTables;

/** The laws of adopted boards, for outcomes with their own tables. */
@OwnTables
class BigAdoptionTest extends AdoptionTest {}
