-- binary-trees: allocate, walk and drop many perfect binary trees.
-- Problem: The Computer Language Benchmarks Game, "binary-trees". The code is our own.
--
-- One op is the whole program for `size` = the depth of the long-lived tree (at least 6): a stretch
-- tree one deeper, a tree that lives through the op, and 2^(max - depth + 4) trees of each depth 4, 6, …,
-- max. The check of a tree is the number of its nodes. Returns the program's output.

local concat, format = table.concat, string.format

local MIN_DEPTH = 4

local output = {}

-- A perfect tree; a leaf has no children. A node is a table of two, made anew each time: the
-- garbage collector's work is what this program is about.
local function grow(depth)
  if depth == 0 then
    return { false, false }
  end
  depth = depth - 1
  return { grow(depth), grow(depth) }
end

local function count(tree)
  if tree[1] then
    return 1 + count(tree[1]) + count(tree[2])
  end
  return 1
end

return function(size)
  local max_depth = size < MIN_DEPTH + 2 and MIN_DEPTH + 2 or size
  local stretch_depth = max_depth + 1
  local lines = 1
  output[1] = format("stretch tree of depth %d\t check: %d\n", stretch_depth, count(grow(stretch_depth)))

  local long_lived = grow(max_depth)
  for depth = MIN_DEPTH, max_depth, 2 do
    local trees = 2 ^ (max_depth - depth + MIN_DEPTH)
    local nodes = 0
    for _ = 1, trees do
      nodes = nodes + count(grow(depth))
    end
    lines = lines + 1
    output[lines] = format("%d\t trees of depth %d\t check: %d\n", trees, depth, nodes)
  end

  lines = lines + 1
  output[lines] = format("long lived tree of depth %d\t check: %d\n", max_depth, count(long_lived))
  return concat(output, "", 1, lines)
end
