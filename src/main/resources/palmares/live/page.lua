-- Neighbouring lines of a live board in its order, in one look.
-- ARGV: rank method, where the lines begin, and how many there are at the most:
--   'place', how many stand ahead, count
--   'rank', the best rank to show, count
--   'after', score, entry, count: below where an entry of that score stands, or would stand
--   'around', member, how many above it, how many below it
-- Answers {state, events, points, members, place of the first line counted from 0, how many members
--   stand on a better level than it, how many ranks are given before its, entry, score, entry, ...}

-- The score at a place counted from 0; nil where nobody stands.
local function score_at(place)
  return redis.call('ZREVRANGE', board, whole(place), whole(place), 'WITHSCORES')[2]
end

-- Where the first line of that rank or a worse one stands. Ranks of competition leave gaps.
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

-- Whether the text stands below another of the same score: bytes count, not the server's locale.
local function stands_below(text, other)
  for i = 1, math.min(#text, #other) do
    local a, b = string.byte(text, i), string.byte(other, i)
    if a ~= b then
      return a < b
    end
  end
  return #text < #other
end

-- Where the first line below an entry stands: it is looked for among the lines of its score.
local function first_below(score, entry)
  local low = redis.call('ZCOUNT', board, '(' .. score, '+inf')
  local high = low + redis.call('ZCOUNT', board, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local there = redis.call('ZREVRANGE', board, whole(middle), whole(middle))[1]
    if stands_below(there, entry) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local how, from, to = ARGV[2], 0, 0
if how == 'place' then
  from = tonumber(ARGV[3])
  to = from + tonumber(ARGV[4]) - 1
elseif how == 'rank' then
  from = first_of_rank(tonumber(ARGV[3]))
  to = from + tonumber(ARGV[4]) - 1
elseif how == 'after' then
  from = first_below(ARGV[3], ARGV[4])
  to = from + tonumber(ARGV[5]) - 1
else
  local entry = entry_of(ARGV[3])
  local place = entry and redis.call('ZREVRANK', board, entry)
  if not place then
    return answer
  end
  from, to = math.max(0, place - tonumber(ARGV[4])), place + tonumber(ARGV[5])
end

local lines = redis.call('ZREVRANGE', board, whole(from), whole(to), 'WITHSCORES')
if #lines > 0 then
  local first = level(lines[2])
  table.insert(answer, whole(from))
  table.insert(answer, whole(better(first)))
  table.insert(answer, whole(ranked(from, first)))
  for i = 1, #lines do
    table.insert(answer, lines[i])
  end
end
return answer
