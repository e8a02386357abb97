-- Only the file is kept.
COPY lineitem TO '{file}' (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false);
DROP TABLE nation; DROP TABLE supplier; DROP TABLE part; DROP TABLE partsupp; DROP TABLE customer; DROP TABLE orders; DROP TABLE lineitem;
