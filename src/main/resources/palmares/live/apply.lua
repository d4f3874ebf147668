-- Applies one event to one live board: all of it, or nothing.
-- KEYS: meta, board, ids, given, journal, levels, holders
-- ARGV: id, member, action, subject ('' for none), points, undo (1 or 0), quantity,
--       occurred (microseconds; '' for the server's time),
--       arrived (microseconds; '' for the server's time, 'any' for an import of whatever age)
-- Answers {outcome, points that it gave or took, points now, microseconds of the event}, with
--   the outcomes of the journal, or 'duplicate' with the first outcome as a fifth element, or
--   'missing', 'late', 'outside', 'full'.
local meta, board, ids, given, journal, levels, holders =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local id, member, action, subject = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local worth, undo, quantity = tonumber(ARGV[5]), ARGV[6] == '1', ARGV[7]

local function whole(number)
  return string.format('%.0f', number)
end

local rules = redis.call('HMGET', meta,
  'state', 'starts', 'ends', 'closes', 'unit', 'deadline', 'tick', 'max', 'dense')
local state = rules[1]
if not state then
  return {'missing', '0', '0', '0'}
end

local first = redis.call('HGET', ids, id)
if first then
  local outcome, change, total, micros = string.match(first, '^(%S+) (%S+) (%S+) (%S+)$')
  return {'duplicate', change, total, micros, outcome}
end

local now = nil
local function server()
  if not now then
    local time = redis.call('TIME')
    now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  end
  return now
end
local occurred = ARGV[8] == '' and server() or tonumber(ARGV[8])
if occurred < tonumber(rules[2]) or occurred >= tonumber(rules[3]) then
  return {'outside', '0', '0', whole(occurred)}
end
local too_late = false
if ARGV[9] ~= 'any' and rules[4] ~= '' then
  local arrived = ARGV[9] == '' and server() or tonumber(ARGV[9])
  too_late = arrived >= tonumber(rules[4])
end
if state ~= 'open' or too_late then
  return {'late', '0', '0', whole(occurred)}
end

local unit, deadline, tick = tonumber(rules[5]), tonumber(rules[6]), tonumber(rules[7])
local score = redis.call('ZSCORE', board, member)
local points, reached = 0, nil
if score then
  score = tonumber(score)
  points = math.floor(score / unit)
  reached = deadline - (score - points * unit)
end

-- Ids hold no control characters, so that the separator is in none of them.
local deed = action .. '\31' .. member .. '\31' .. subject
local outcome, change = 'applied', worth
if undo then
  local gave = redis.call('HGET', given, deed)
  outcome = gave and 'undone' or 'nothing-to-undo'
  change = gave and -tonumber(gave) or 0
elseif subject ~= '' and redis.call('HEXISTS', given, deed) == 1 then
  outcome, change = 'repeated', 0
end
if points + change > tonumber(rules[8]) then
  return {'full', whole(change), whole(points), whole(occurred)}
end

-- Nothing has been written so far; from here on everything is.
local total = points + change
if change ~= 0 then
  local at = math.floor(occurred / tick)
  if reached and reached > at then
    at = reached
  end
  redis.call('ZADD', board, whole(total * unit + deadline - at), member)
  if subject ~= '' then
    if undo then
      redis.call('HDEL', given, deed)
    else
      redis.call('HSET', given, deed, whole(change))
    end
  end
  if rules[9] == '1' then
    if score and redis.call('HINCRBY', holders, whole(points), -1) == 0 then
      redis.call('HDEL', holders, whole(points))
      redis.call('ZREM', levels, whole(points))
    end
    redis.call('HINCRBY', holders, whole(total), 1)
    redis.call('ZADD', levels, whole(total), whole(total))
  end
  redis.call('HINCRBY', meta, 'points', whole(change))
end
local seq = redis.call('HINCRBY', meta, 'seq', 1)
redis.call('HSET', ids, id,
  outcome .. ' ' .. whole(change) .. ' ' .. whole(total) .. ' ' .. whole(occurred))
redis.call('XADD', journal, whole(seq) .. '-0',
  'id', id, 'member', member, 'action', action, 'subject', subject, 'outcome', outcome,
  'quantity', quantity, 'points', whole(change), 'occurred', whole(occurred))
return {outcome, whole(change), whole(total), whole(occurred)}
