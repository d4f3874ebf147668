-- The fields of the manifest of a closing, as the posting writes them.

\ir subject.sql
\ir kept-sums.sql
\ir placed.sql
\ir paid.sql
, given as (
\ir awards-of-closings.sql
)
\ir fields.sql
