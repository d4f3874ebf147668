-- The payout files that were made, so that another with the same transfers can name them.
create table payout_file (
  -- As in the references of its lines.
  reference text primary key,
  -- The posted revisions in it, when it was made last.
  outcomes int[] not null,
  -- Those when it was made first. If somebody paid by that, only the others are to be paid.
  first_outcomes int[] not null,
  -- Who made it first, and when.
  made_by text not null,
  made_at timestamptz not null
);
