package palmares.live.member;

import palmares.testing.OwnTables;

/** The same for outcomes in own tables. */
@OwnTables
class BigWithheldInvitesTest extends WithheldInvitesTest {}
