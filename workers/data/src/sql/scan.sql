SELECT l_shipmode, count(*), sum(l_quantity), sum(l_extendedprice), sum(l_discount), sum(l_tax), min(l_shipdate), max(l_receiptdate)
FROM read_parquet('{file}')
GROUP BY l_shipmode
ORDER BY l_shipmode
