-- What every question to a live board begins with; page.lua or find.lua follows in the same script.
-- KEYS: meta, board, levels, places  ARGV: rank method, ...
-- Every answer begins with {state, events, points, members}; it is empty if there is no such board.
local meta, board, levels, places = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ranks = ARGV[1]

local function whole(number)
  return string.format('%.0f', number)
end

local held = redis.call('HMGET', meta, 'state', 'seq', 'points', 'unit', 'wide')
if not held[1] then
  return {}
end
local unit, wide = tonumber(held[4]), held[5] == '1'
local members = redis.call('ZCARD', board)
local answer = {held[1], held[2], held[3], whole(members)}

local function level(score)
  return math.floor(tonumber(score) / unit)
end

-- How many members stand on a better level than this.
local function better(level)
  return redis.call('ZCOUNT', board, whole((level + 1) * unit), '+inf')
end

-- How many ranks are given before that of a line, by its place counted from 0 and its level.
local function ranked(place, level)
  if ranks == 'unique' then
    return place
  elseif ranks == 'competition' then
    return better(level)
  end
  return redis.call('ZCOUNT', levels, '(' .. whole(level), '+inf')
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

