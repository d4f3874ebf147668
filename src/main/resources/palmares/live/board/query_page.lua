-- Reads consecutive lines of a live board in its order.
-- ARGV: rank method, whether a torn board is read, and one of
--   'place', place from 0, maximum number of lines
--   'rank', best rank, maximum number of lines
--   'after', score, entry, maximum number of lines: after that position, which may hold no line
--   'around', member, maximum number of lines before it, maximum number of lines after it
-- Returns the head of query_prelude.lua, and then: place of the first line from 0, how many members
--   are ahead of it, how many ranks are before its rank, entry, score, entry, ... Only ranked lines
--   are listed; around an unranked member only its own line, as query_members.lua returns it.

-- Returns the place on the whole board of a place among the ranked, and how many excluded lines are
-- ahead of it.
local function on_board(place)
  local ahead = out_before(function(out_place, n) return out_place - n > place end)
  return place + ahead, ahead
end

-- Returns lines and scores from one place among the ranked to another, both from 0.
local function lines(from, to)
  local found = {}
  to = math.min(to, members - 1)
  while from <= to do
    local first, ahead = on_board(from)
    local last = first + to - from
    if ahead < out then
      last = math.min(last, place_out(ahead) - 1)
    end
    local some = redis.call('ZREVRANGE', board, whole(first), whole(last), 'WITHSCORES')
    for i = 1, #some do
      table.insert(found, some[i])
    end
    from = from + last - first + 1
  end
  return found
end

-- Returns the score at a place among the ranked, from 0; nil if there is no line.
local function score_at(place)
  return lines(place, place)[2]
end

-- Returns the place of the first line of that rank or a worse one; competition ranks have gaps.
local function first_of_rank(rank)
  if ranks == 'unique' then
    return rank - 1
  elseif ranks == 'dense' then
    local held = redis.call('ZREVRANGE', levels, whole(rank - 1), whole(rank - 1))[1]
    return held and better(tonumber(held)) or members
  end
  local score = score_at(rank - 1)
  if not score then
    return members
  end
  local ahead = better(level(score))
  return ahead == rank - 1 and ahead or better(level(score) - 1)
end

-- Whether an entry is after another of the same score: by bytes, not by the server's locale.
local function is_after(text, other)
  for i = 1, math.min(#text, #other) do
    local a, b = string.byte(text, i), string.byte(other, i)
    if a ~= b then
      return a < b
    end
  end
  return #text < #other
end

-- Returns the place on the whole board of the first line after an entry, by binary search among the
-- lines of its score.
local function first_after(score, entry)
  local low = redis.call('ZCOUNT', board, '(' .. score, '+inf')
  local high = low + redis.call('ZCOUNT', board, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local found = redis.call('ZREVRANGE', board, whole(middle), whole(middle))[1]
    if is_after(found, entry) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local how, from, to = ARGV[3], 0, 0
if how == 'place' then
  from = tonumber(ARGV[4])
  to = from + tonumber(ARGV[5]) - 1
elseif how == 'rank' then
  from = first_of_rank(tonumber(ARGV[4]))
  to = from + tonumber(ARGV[5]) - 1
elseif how == 'after' then
  from = among_ranked(first_after(ARGV[4], ARGV[5]))
  to = from + tonumber(ARGV[6]) - 1
else
  local entry, place, ranked = shown(ARGV[4])
  if not entry then
    return answer
  elseif not ranked then
    add_unranked(place, entry)
    return answer
  end
  place = among_ranked(place)
  from, to = math.max(0, place - tonumber(ARGV[5])), place + tonumber(ARGV[6])
end

local found = lines(from, to)
if #found > 0 then
  add_place(from, level(found[2]))
  for i = 1, #found do
    table.insert(answer, found[i])
  end
end
return answer
