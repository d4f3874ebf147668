-- Reads the lines of given members.
-- ARGV: rank method, whether a torn board is read, member, member, ...
-- Returns the head of query_prelude.lua, and for each visible member on the board, in the given
--   order: its place from 0, how many members are ahead of it, how many ranks are before its rank,
--   entry, score. For an unranked member: the place on the whole board, 0 and -1.
for i = 3, #ARGV do
  local entry, place, ranked = shown(ARGV[i])
  if entry and ranked then
    local score = redis.call('ZSCORE', board, entry)
    add_place(among_ranked(place), level(score))
    table.insert(answer, entry)
    table.insert(answer, score)
  elseif entry then
    add_unranked(place, entry)
  end
end
return answer
