-- Tables in the shape of TPC-H's, of {rows} orders (1,500,000 are its scale factor 1). Keys, dates, quantities, prices and the spread of
-- each follow the specification (4.2.3); of the columns, those that queries 1, 9 and 18 or the Parquet scan read, and few more.
CREATE MACRO parts() AS {rows} * 2 // 15;
CREATE MACRO suppliers() AS {rows} // 150;
CREATE MACRO customers() AS {rows} // 10;
CREATE MACRO money(cents) AS (cents::INTEGER * 0.01)::DECIMAL(15, 2);
-- The supplier of a part that has a number from 0 to 3.
CREATE MACRO supplier_of(part, number) AS (part + number * (suppliers() // 4 + (part - 1) // suppliers())) % suppliers() + 1;

CREATE TABLE nation AS
SELECT key - 1 AS n_nationkey, ['ALGERIA', 'ARGENTINA', 'BRAZIL', 'CANADA', 'EGYPT', 'ETHIOPIA', 'FRANCE', 'GERMANY', 'INDIA', 'INDONESIA',
  'IRAN', 'IRAQ', 'JAPAN', 'JORDAN', 'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU', 'CHINA', 'ROMANIA', 'SAUDI ARABIA', 'VIETNAM', 'RUSSIA',
  'UNITED KINGDOM', 'UNITED STATES'][key] AS n_name
FROM range(1, 26) AS keys(key);

CREATE TABLE supplier AS
SELECT key AS s_suppkey, drawn(key, 1, 25) AS s_nationkey FROM range(1, suppliers() + 1) AS keys(key);

CREATE TABLE part AS
WITH colours AS (
  SELECT ['almond', 'antique', 'aquamarine', 'azure', 'beige', 'bisque', 'black', 'blanched', 'blue', 'blush', 'brown', 'burlywood',
    'burnished', 'chartreuse', 'chiffon', 'chocolate', 'coral', 'cornflower', 'cornsilk', 'cream', 'cyan', 'dark', 'deep', 'dim', 'dodger',
    'drab', 'firebrick', 'floral', 'forest', 'frosted', 'gainsboro', 'ghost', 'goldenrod', 'green', 'grey', 'honeydew', 'hot', 'indian',
    'ivory', 'khaki', 'lace', 'lavender', 'lawn', 'lemon', 'light', 'lime', 'linen', 'magenta', 'maroon', 'medium', 'metallic', 'midnight',
    'mint', 'misty', 'moccasin', 'navajo', 'navy', 'olive', 'orange', 'orchid', 'pale', 'papaya', 'peach', 'peru', 'pink', 'plum', 'powder',
    'puff', 'purple', 'red', 'rose', 'rosy', 'royal', 'saddle', 'salmon', 'sandy', 'seashell', 'sienna', 'sky', 'slate', 'smoke', 'snow',
    'spring', 'steel', 'tan', 'thistle', 'tomato', 'turquoise', 'violet', 'wheat', 'white', 'yellow'] AS list
)
SELECT key AS p_partkey, list[1 + drawn(key, 2, 92)] || ' ' || list[1 + drawn(key, 3, 92)] || ' ' || list[1 + drawn(key, 4, 92)] || ' '
  || list[1 + drawn(key, 5, 92)] || ' ' || list[1 + drawn(key, 6, 92)] AS p_name
FROM colours, range(1, parts() + 1) AS keys(key);

CREATE TABLE partsupp AS
WITH numbered AS (SELECT part, unnest(range(0, 4)) AS number FROM range(1, parts() + 1) AS parts(part))
SELECT part AS ps_partkey, supplier_of(part, number) AS ps_suppkey, 1 + drawn(part * 4 + number, 7, 9999) AS ps_availqty,
  money(100 + drawn(part * 4 + number, 8, 99901)) AS ps_supplycost
FROM numbered;

CREATE TABLE customer AS
SELECT key AS c_custkey, printf('Customer#%09d', key) AS c_name, drawn(key, 9, 25) AS c_nationkey
FROM range(1, customers() + 1) AS keys(key);

-- Two of three customers have orders, and orders the first 8 of each 32 keys.
CREATE TEMP TABLE drafts AS
WITH numbers AS (SELECT key, drawn(key, 10, customers() * 2 // 3) AS number FROM range(1, {rows} + 1) AS keys(key))
SELECT key, (key - 1) // 8 * 32 + (key - 1) % 8 + 1 AS orderkey, number + number // 2 + 1 AS custkey,
  DATE '1992-01-01' + drawn(key, 11, 2406)::INTEGER AS orderdate, 1 + drawn(key, 12, 7) AS lines
FROM numbers;

CREATE TABLE lineitem AS
WITH numbered AS (
  SELECT *, unnest(range(1, lines + 1)) AS number FROM drafts
), lines AS (
  SELECT key * 8 + number AS line, orderkey, orderdate, number FROM numbered
), parted AS (
  SELECT *, 1 + drawn(line, 13, parts()) AS part, 1 + drawn(line, 14, 50) AS quantity, 1 + drawn(line, 15, 121) AS until_shipped,
    1 + drawn(line, 16, 30) AS until_received
  FROM lines
), dated AS (
  SELECT *, orderdate + until_shipped::INTEGER AS shipdate, orderdate + (until_shipped + until_received)::INTEGER AS receiptdate
  FROM parted
)
SELECT orderkey AS l_orderkey, part AS l_partkey, supplier_of(part, drawn(line, 17, 4)) AS l_suppkey, number AS l_linenumber,
  quantity::DECIMAL(15, 2) AS l_quantity,
  money(quantity * (90000 + (part // 10) % 20001 + 100 * (part % 1000))) AS l_extendedprice,
  money(drawn(line, 18, 11)) AS l_discount, money(drawn(line, 19, 9)) AS l_tax,
  CASE WHEN receiptdate > DATE '1995-06-17' THEN 'N' WHEN drawn(line, 20, 2) = 0 THEN 'R' ELSE 'A' END AS l_returnflag,
  CASE WHEN shipdate > DATE '1995-06-17' THEN 'O' ELSE 'F' END AS l_linestatus,
  shipdate AS l_shipdate, receiptdate AS l_receiptdate,
  ['AIR', 'FOB', 'MAIL', 'RAIL', 'REG AIR', 'SHIP', 'TRUCK'][1 + drawn(line, 21, 7)] AS l_shipmode
FROM dated;

CREATE TABLE orders AS
WITH totals AS (
  SELECT l_orderkey, sum(l_extendedprice * (1 + l_tax) * (1 - l_discount))::DECIMAL(15, 2) AS total FROM lineitem GROUP BY l_orderkey
)
SELECT orderkey AS o_orderkey, custkey AS o_custkey, total AS o_totalprice, orderdate AS o_orderdate
FROM drafts JOIN totals ON l_orderkey = orderkey
ORDER BY key;

DROP TABLE drafts;
