-- The lines of given members, wherever they stand, in one look.
-- ARGV: rank method, member, member, ...
-- Answers as look.lua says, and for each member that the board shows, in the order asked: its place
--   counted from 0, how many members stand ahead of it, how many ranks are given before its, entry,
--   score. Of one without a rank there are the place on the whole board, 0 and -1.
for i = 2, #ARGV do
  local entry, place, ranked = shown(ARGV[i])
  if entry and ranked then
    local score = redis.call('ZSCORE', board, entry)
    tell(among_ranked(place), level(score))
    table.insert(answer, entry)
    table.insert(answer, score)
  elseif entry then
    tell_unranked(place, entry)
  end
end
return answer
