package palmares.live.member;

import org.springframework.test.context.TestPropertySource;

/** The same for outcomes in own tables. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigWithheldInvitesTest extends WithheldInvitesTest {}
