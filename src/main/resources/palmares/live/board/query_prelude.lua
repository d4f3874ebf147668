-- What every question to a live board begins with; page.lua or find.lua follows in the same script.
-- KEYS: meta, board, levels, places, excluded, excluded lines  ARGV: rank method, ...
-- Every answer begins with {state, events, points, ranked members, exclusions}; it is empty if there
--   is no such board. Places and ranks are those among the ranked; levels holds only theirs.
local meta, board, levels, places, excluded, lines_out =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local ranks = ARGV[1]

local function whole(number)
  return string.format('%.0f', number)
end

local held = redis.call('HMGET', meta, 'state', 'seq', 'points', 'rules', 'exclusions')
if not held[1] then
  return {}
end
local unit, is_wide = cmsgpack.unpack(held[4])
local wide = is_wide == 1
local out = redis.call('ZCARD', lines_out)
local members = redis.call('ZCARD', board) - out
local answer = {held[1], held[2], held[3], whole(members), held[5] or '0'}

local function level(score)
  return math.floor(tonumber(score) / unit)
end

-- How many ranked members stand on a better level than this.
local function better(level)
  local least = whole((level + 1) * unit)
  local all = redis.call('ZCOUNT', board, least, '+inf')
  return out == 0 and all or all - redis.call('ZCOUNT', lines_out, least, '+inf')
end

-- The place of an excluded line on the whole board.
local function place_out(n)
  return redis.call('ZREVRANK', board, redis.call('ZREVRANGE', lines_out, whole(n), whole(n))[1])
end

-- How many excluded lines there are before the first that is behind; all after it are so too.
local function out_before(behind)
  local low, high = 0, out
  while low < high do
    local middle = math.floor((low + high) / 2)
    if behind(place_out(middle), middle) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

-- How many ranked lines stand ahead of a place of the whole board.
local function among_ranked(place)
  return place - out_before(function(there) return there >= place end)
end

-- Adds of a ranked line its place, how many members stand ahead of it, and how many ranks are given
-- before its.
local function tell(place, level)
  local ahead = ranks == 'unique' and place or better(level)
  table.insert(answer, whole(place))
  table.insert(answer, whole(ahead))
  table.insert(answer, whole(
    ranks == 'dense' and redis.call('ZCOUNT', levels, '(' .. whole(level), '+inf') or ahead))
end

-- What stands in the board for a member: wide boards put what breaks its ties in front; nil if
-- nothing does.
local function entry_of(member)
  if not wide then
    return member
  end
  local tie = redis.call('HGET', places, member)
  return tie and tie .. member
end

-- The entry of a member whom the board shows, its place on the whole board, and whether it is
-- ranked; nil if it does not stand there, or is hidden.
local function shown(member)
  local entry = entry_of(member)
  local place = entry and redis.call('ZREVRANK', board, entry)
  local left_out = place and out > 0 and redis.call('HGET', excluded, member)
  if place and left_out ~= 'hidden' then
    return entry, place, not left_out
  end
end

-- Adds a line that has no rank: its place is that on the whole board.
local function tell_unranked(place, entry)
  for _, told in ipairs({whole(place), '0', '-1', entry, redis.call('ZSCORE', board, entry)}) do
    table.insert(answer, told)
  end
end

