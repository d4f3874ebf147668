-- Neighbouring lines of a live board in its order, in one look.
-- ARGV: rank method, where the lines begin, and how many there are at the most:
--   'place', how many stand ahead, count
--   'rank', the best rank to show, count
--   'after', score, entry, count: below where an entry of that score stands, or would stand
--   'around', member, how many above it, how many below it
-- Answers as look.lua says, and then: place of the first line counted from 0, how many members stand
--   ahead of it, how many ranks are given before its, entry, score, entry, ... Only ranked lines
--   stand in lists; around one without a rank there is itself alone, as find.lua tells it.

-- The place on the whole board of the ranked line that so many others are ahead of, and how many
-- excluded lines are ahead of it.
local function on_board(place)
  local ahead = out_before(function(there, n) return there - n > place end)
  return place + ahead, ahead
end

-- Lines and scores from one place to another, both counted from 0.
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

-- The score at a place counted from 0; nil where nobody stands.
local function score_at(place)
  return lines(place, place)[2]
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

-- Where the first line below an entry stands on the whole board: it is looked for among the lines of
-- its score.
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
  from = among_ranked(first_below(ARGV[3], ARGV[4]))
  to = from + tonumber(ARGV[5]) - 1
else
  local entry, place, ranked = shown(ARGV[3])
  if not entry then
    return answer
  elseif not ranked then
    tell_unranked(place, entry)
    return answer
  end
  place = among_ranked(place)
  from, to = math.max(0, place - tonumber(ARGV[4])), place + tonumber(ARGV[5])
end

local found = lines(from, to)
if #found > 0 then
  tell(from, level(found[2]))
  for i = 1, #found do
    table.insert(answer, found[i])
  end
end
return answer
