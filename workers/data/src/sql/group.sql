SELECT url, count(*) AS visits FROM hits GROUP BY url ORDER BY visits DESC, url LIMIT 10
