-- Visits of pages, {rows} of them, of a twentieth as many pages, few of which have most.
CREATE TABLE hits AS
WITH numbers AS (SELECT key, drawn(key, 1, 1000000) AS one, drawn(key, 2, 1000000) AS other FROM range(1, {rows} + 1) AS keys(key)),
pages AS (SELECT key, one * other // 1000000 * ({rows} // 20) // 1000000 AS page FROM numbers)
SELECT 'https://shop.example/' || ['account', 'blog', 'cart', 'catalog', 'help', 'item', 'search', 'video'][1 + page % 8] || '/' || page AS url
FROM pages;
